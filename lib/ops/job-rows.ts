/** The graphs of jobs and webhooks: executions by state machine, and failures by step. */
import { MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Environment } from '../environments.ts';
import type { JobsStack } from '../jobs/jobs-stack.ts';
import { unexpectedErrors } from '../shared/function.ts';
import { counted, metric, period } from '../shared/metrics.ts';
import { heading, type Rows, row, total } from './graphs.ts';

/** A metric of a state machine (Step Functions Developer Guide, "Metrics that report"). Times are in ms. */
const executions = (machine: IStateMachine, name: string, label: string, statistic = 'Sum'): Metric =>
  metric(`AWS/States ${name}`, statistic, { StateMachineArn: machine.stateMachineArn }, { label });

/** @param name the name of the machine's definition */
const failures = (name: string, machine: IStateMachine): Metric[] => [
  executions(machine, 'ExecutionsFailed', `${name} failed`),
  executions(machine, 'ExecutionsTimedOut', `${name} timed out`),
];

export function jobRows(environment: Environment, { machines, scheduled }: JobsStack): Rows {
  const each = Object.entries(machines);
  const byMachine = (metricName: string, statistic?: string) =>
    each.map(([name, machine]) => executions(machine, metricName, name, statistic));
  const count = (name: string, label: string, statistic?: string) =>
    counted(environment, name, statistic, label);
  const FunctionName = scheduled.Sweep!.functionName;
  const sweep = (name: string, label: string) =>
    metric(`AWS/Lambda ${name}`, 'Sum', { FunctionName }, { label });
  return [
    heading(
      'Are jobs well?',
      'Every job is an execution. A step that refuses media fails, but not unexpectedly: the job says why. Which steps: the saved queries.',
    ),
    row(
      ['How many executions start?', 'executions', byMachine('ExecutionsStarted')],
      ['How many succeed?', 'executions', byMachine('ExecutionsSucceeded')],
      ['Which fail or run out of time?', 'executions', each.flatMap((one) => failures(...one))],
    ),
    row(
      [
        'Is there a queue? Executions that run',
        'executions in the account',
        [metric('AWS/States OpenExecutionCount', 'Maximum', {}, { label: 'running' })],
      ],
      [
        'Which queue grows? Started less ended since the left edge',
        'executions',
        each.map(([name, machine], index) => growth(name, machine, index)),
      ],
      ['How long do executions take?', 'ms, p99', byMachine('ExecutionTime', 'p99')],
    ),
    row(
      ['Does the sweep run?', 'runs', [sweep('Invocations', 'runs'), sweep('Errors', 'failed')]],
      ['What did the sweep make good?', 'things', [count('Events', 'events'), count('Jobs', 'jobs')]],
      ['How long does the oldest job wait?', 's', [count('OldestWaiting', 'not started', 'Maximum')]],
    ),
    row(
      [
        'Do steps fail?',
        'runs',
        [count('StepFailures', 'fail'), count('ProviderErrors', 'for an engine or storage')],
      ],
      ['Do functions fail unexpectedly?', 'errors', [count(unexpectedErrors, 'errors')]],
    ),
  ];
}

const ends = ['Succeeded', 'Failed', 'TimedOut', 'Aborted'];

/** Returns the number of started minus ended executions of a machine. CloudWatch counts open executions only for the whole account. */
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

/** The name of the machine for deliveries, and of its only step. */
const delivery = 'DeliverEvent';

/** Each delivery is an execution, and each request is a run of its step. */
export function webhookRows({ stackName, machines }: JobsStack): Rows {
  const machine = machines[delivery];
  if (machine === undefined) throw new Error(`The dashboard shows ${delivery}, which is no state machine`);
  const sending = { metric: 'Invocations', statistic: 'Sum', prefixes: [`${stackName}-${delivery}`] };
  return [
    heading(
      'Are webhooks delivered?',
      'A delivery tries for three days. Many requests for few settled deliveries: receivers are down or refuse. ' +
        'An execution that fails is a fault of ours.',
    ),
    row(
      [
        'Are deliveries settled?',
        'deliveries, requests',
        [
          executions(machine, 'ExecutionsStarted', 'started'),
          executions(machine, 'ExecutionsSucceeded', 'settled'),
          total(sending, 'requests sent'),
        ],
      ],
      ['Do deliveries fail?', 'executions', failures(delivery, machine)],
      [
        'How long do deliveries take?',
        'ms',
        ['p50', 'p99'].map((percentile) => executions(machine, 'ExecutionTime', percentile, percentile)),
      ],
    ),
  ];
}
