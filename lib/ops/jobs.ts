/** Are jobs well? Executions by state machine, failures by step. */
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Environment } from '../environments.ts';
import { stepNames } from '../jobs/definitions.ts';
import { listenerNames } from '../jobs/listeners.ts';
import { scheduleNames } from '../jobs/schedules.ts';
import { unexpectedErrors } from '../shared/function.ts';
import { namespaceOf } from '../shared/metrics.ts';
import { executions, failures, namespace } from './executions.ts';
import { graph, heading, metric, pageWidth, period, type Rows } from './graphs.ts';
import { highest } from './search.ts';

/** @param machines by name of the definition */
export function jobRows(environment: Environment, machines: Readonly<Record<string, IStateMachine>>): Rows {
  const each = Object.entries(machines);
  const byMachine = (metricName: string, statistic?: string) =>
    each.map(([name, machine]) => executions(machine, metricName, name, statistic));
  const steps = { namespace: namespaceOf(environment), dimension: 'Step', metric: 'StepFailures' };
  const unexpected = [...stepNames(), ...scheduleNames(), ...listenerNames()].map((step) =>
    metric({ ...unexpectedErrors(step, environment), statistic: 'Sum', label: step }),
  );
  const swept = (name: string, label: string) =>
    metric({
      ...{ namespace: namespaceOf(environment), name, statistic: 'Sum', label },
      dimensions: { Schedule: 'Sweep' },
    });
  const half = pageWidth / 2;
  return [
    heading(
      'Are jobs well?',
      'Every job is an execution. A step that refuses media fails, but not unexpectedly: the job says why.',
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
      graph('Does the sweep run?', 'runs', [swept('Runs', 'run'), swept('RunFailures', 'failed')], half),
      graph(
        'What did the sweep make good?',
        'things',
        [swept('Events', 'events'), swept('Jobs', 'jobs')],
        half,
      ),
    ],
    [
      graph('Which steps fail?', 'runs', [highest({ ...steps, statistic: 'Sum' })], half),
      graph('Which steps fail unexpectedly?', 'errors', unexpected, half),
    ],
  ];
}

const ends = ['Succeeded', 'Failed', 'TimedOut', 'Aborted'];

/** CloudWatch counts open executions by account alone. */
function growth(name: string, machine: IStateMachine, index: number): MathExpression {
  // Ids of metrics are one list in a widget.
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
