/** Alarms. The text of each links to the heading of docs/runbooks.md that says what to do. */
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { Environment } from '../environments.ts';
import { stableId } from './logical-id.ts';

/** Anchors in docs/runbooks.md, in the order of the dashboard. A test finds a heading for each. */
export const runbooks = [
  'api-server-errors',
  'api-availability',
  'api-slow',
  'machine-failed',
  'job-waits',
  'function-errors',
  'function-throttled',
  'function-slow',
  'concurrency-near-its-quota',
  'provider-near-its-quota',
  'provider-errors',
  'schedule-silent',
  'canary',
  'event-undelivered',
  'table-throttled',
  'site-server-errors',
  'site-function-errors',
] as const;

export type Runbook = (typeof runbooks)[number];

export interface AlarmSpec {
  /** Logical id. The alarm's name is `kinora-<env>-<id>`. Both are unique among all stacks of an environment. */
  readonly id: string;
  /** The problem, as a sentence. */
  readonly title: string;
  readonly runbook: Runbook;
  /** The alarm uses the period of the metric. */
  readonly metric: IMetric;
  /** The alarm rings at this value or above, in the metric's unit. */
  readonly threshold: number;
  /** The alarm rings below the threshold instead, and if no data arrives: for work that must not stop. */
  readonly below?: true;
  /** How many periods in a row; 1 when absent. */
  readonly periods?: number;
}

/**
 * Missing data is good: metrics without events publish nothing. The name is fixed, so that the dashboard knows the ARN
 * of alarms in other regions.
 */
export function alarm(scope: Construct, environment: Environment, topic: ITopic, spec: AlarmSpec): Alarm {
  const made = new Alarm(scope, spec.id, {
    alarmName: `kinora-${environment.name}-${spec.id}`,
    alarmDescription: `${spec.title}. What to do: docs/runbooks.md#${spec.runbook}`,
    metric: spec.metric,
    threshold: spec.threshold,
    evaluationPeriods: spec.periods ?? 1,
    comparisonOperator: spec.below
      ? ComparisonOperator.LESS_THAN_THRESHOLD
      : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: spec.below ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
  });
  made.addAlarmAction(new SnsAction(topic));
  made.addOkAction(new SnsAction(topic));
  return stableId(made, spec.id);
}
