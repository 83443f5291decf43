/**
 * Creates metric filters a few at a time. CloudWatch Logs accepts 5 PutMetricFilter calls a second from an account (AWS
 * General Reference, "CloudWatch Logs endpoints and quotas"; the quota cannot be raised). A stack of ours creates up to
 * 50, and others have failed at that number with "Rate exceeded"
 * (https://github.com/aws-solutions-library-samples/guidance-for-low-code-intelligent-document-processing-on-aws/issues/2).
 */
import { Stack } from 'aws-cdk-lib';
import type { CfnMetricFilter, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Lanes } from './lanes.ts';

const LANES = 4;

const ofStacks = new WeakMap<Stack, Lanes>();

/** Makes the filter depend on an earlier one of its stack. No other resource depends on filters, so this costs no time. */
export function inLane(filter: MetricFilter): void {
  const stack = Stack.of(filter);
  const lanes = ofStacks.get(stack) ?? new Lanes(LANES);
  ofStacks.set(stack, lanes);
  lanes.add(filter.node.defaultChild as CfnMetricFilter);
}
