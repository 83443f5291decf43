/** Alarms, each with the heading of docs/runbooks.md that tells whoever is called what to do. */
import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { IConstruct } from 'constructs';
import type { Environment } from '../environments.ts';
import { stableId } from './logical-id.ts';

/** Anchors in docs/runbooks.md, in the order in which the dashboard names them; a test finds a heading for each. */
export const runbooks = [
  'api-server-errors',
  'api-slow',
  'machine-failed',
  'machine-timed-out',
  'function-errors',
  'function-throttled',
  'function-slow',
  'schedule-silent',
  'event-undelivered',
  'table-throttled',
  'site-server-errors',
  'site-function-errors',
] as const;

export type Runbook = (typeof runbooks)[number];

export interface AlarmSpec {
  /** Logical id, and after `kinora-<env>-` the name: both are unique among all stacks of an environment. */
  readonly id: string;
  /** What is the matter, as a sentence. */
  readonly title: string;
  readonly runbook: Runbook;
  readonly metric: {
    readonly namespace: string;
    readonly name: string;
    /** `Sum`, `p99`, … over five minutes. */
    readonly statistic: string;
    readonly dimensions: Record<string, string>;
  };
  /** Alarming at or above this, in the metric's unit. */
  readonly threshold: number;
  /** Alarming below it instead, and where nothing was published: for what must not stop. */
  readonly below?: true;
  /** How many five-minute periods in a row it must last; 1 when absent. */
  readonly periods?: number;
}

const period = Duration.minutes(5);

/**
 * Quiet metrics publish nothing, so missing data is good news. The name is fixed so that the dashboard knows the ARN
 * without an output for each of far more than a hundred alarms.
 */
export function alarm(scope: IConstruct, environment: Environment, spec: AlarmSpec): Alarm {
  const { namespace, name, statistic, dimensions } = spec.metric;
  const made = new Alarm(scope as never, spec.id, {
    alarmName: `kinora-${environment.name}-${spec.id}`,
    alarmDescription: `${spec.title}. What to do: docs/runbooks.md#${spec.runbook}`,
    metric: new Metric({ namespace, metricName: name, statistic, dimensionsMap: dimensions, period }),
    threshold: spec.threshold,
    evaluationPeriods: spec.periods ?? 1,
    comparisonOperator: spec.below
      ? ComparisonOperator.LESS_THAN_THRESHOLD
      : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: spec.below ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
  });
  notify(made, environment);
  return stableId(made, spec.id);
}

function notify(made: Alarm, { alarmTopicArn }: Environment): void {
  if (alarmTopicArn === undefined) return;
  const topic = Topic.fromTopicArn(made, 'Topic', alarmTopicArn);
  made.addAlarmAction(new SnsAction(topic));
  made.addOkAction(new SnsAction(topic));
}
