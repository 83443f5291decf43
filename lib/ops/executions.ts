/** Metrics of state machines (Step Functions Developer Guide, "Metrics that report"): times in ms. */
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { metric } from '../shared/metrics.ts';

export const namespace = 'AWS/States';

export const executions = (machine: IStateMachine, name: string, label: string, statistic = 'Sum'): Metric =>
  metric({
    namespace,
    name,
    statistic,
    dimensions: { StateMachineArn: machine.stateMachineArn },
    label,
  });

/** @param name of the machine's definition */
export const failures = (name: string, machine: IStateMachine): Metric[] => [
  executions(machine, 'ExecutionsFailed', `${name} failed`),
  executions(machine, 'ExecutionsTimedOut', `${name} timed out`),
];
