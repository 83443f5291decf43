/** Are jobs well? Shows executions by state machine, and failures by step. */
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Environment } from '../environments.ts';
import type { JobsStack } from '../jobs/jobs-stack.ts';
import { unexpectedErrors } from '../shared/function.ts';
import { counted, metric, period } from '../shared/metrics.ts';
import { executions, failures, namespace } from './executions.ts';
import { graph, heading, pageWidth, type Rows } from './graphs.ts';

export function jobRows(environment: Environment, { machines, scheduled }: JobsStack): Rows {
  const each = Object.entries(machines);
  const byMachine = (metricName: string, statistic?: string) =>
    each.map(([name, machine]) => executions(machine, metricName, name, statistic));
  const count = (name: string, label: string, statistic?: string) =>
    counted(environment, name, statistic, label);
  const sweep = (name: string, label: string) =>
    metric({
      ...{ namespace: 'AWS/Lambda', name, statistic: 'Sum', label },
      dimensions: { FunctionName: scheduled.Sweep!.functionName },
    });
  const half = pageWidth / 2;
  return [
    heading(
      'Are jobs well?',
      'Every job is an execution. A step that refuses media fails, but not unexpectedly: the job says why. Which steps: the saved queries.',
    ),
    [
      graph('How many executions start?', 'executions', byMachine('ExecutionsStarted')),
      graph('How many succeed?', 'executions', byMachine('ExecutionsSucceeded')),
      graph(
        'Which fail or run out of time?',
        'executions',
        each.flatMap(([name, machine]) => failures(name, machine)),
      ),
    ],
    [
      graph('Is there a queue? Executions that run', 'executions in the account', [
        metric({ namespace, name: 'OpenExecutionCount', statistic: 'Maximum', label: 'running' }),
      ]),
      graph(
        'Which queue grows? Started less ended since the left edge',
        'executions',
        each.map(([name, machine], index) => growth(name, machine, index)),
      ),
      graph('How long do executions take?', 'ms, p99', byMachine('ExecutionTime', 'p99')),
    ],
    [
      graph('Does the sweep run?', 'runs', [sweep('Invocations', 'runs'), sweep('Errors', 'failed')]),
      graph('What did the sweep make good?', 'things', [count('Events', 'events'), count('Jobs', 'jobs')]),
      graph('How long does the oldest job wait?', 's', [count('OldestWaiting', 'not begun', 'Maximum')]),
    ],
    [
      graph(
        'Do steps fail?',
        'runs',
        [count('StepFailures', 'fail'), count('ProviderErrors', 'for an engine or storage')],
        half,
      ),
      graph(
        'Do functions fail unexpectedly?',
        'errors',
        [metric({ ...unexpectedErrors(environment), statistic: 'Sum', label: 'errors' })],
        half,
      ),
    ],
  ];
}

const ends = ['Succeeded', 'Failed', 'TimedOut', 'Aborted'];

/** CloudWatch counts open executions only for the whole account. */
function growth(name: string, machine: IStateMachine, index: number): MathExpression {
  // All metrics of a widget share one list of ids.
  const idOf = (what: string) => `${what.toLowerCase()}${index}`;
  const used = ['Started', ...ends].map((what) => [
    idOf(what),
    executions(machine, `Executions${what}`, what),
  ]);
  const ended = ends.map((what) => `FILL(${idOf(what)}, 0)`).join(' - ');
  return new MathExpression({
    expression: `RUNNING_SUM(FILL(${idOf('Started')}, 0) - ${ended})`,
    label: name,
    period,
    usingMetrics: Object.fromEntries(used),
  });
}
