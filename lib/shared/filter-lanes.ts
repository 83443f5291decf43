/**
 * Filters of logs are made a few at a time. CloudWatch Logs takes 5 PutMetricFilter a second from an account (AWS General
 * Reference, "CloudWatch Logs endpoints and quotas"; no quota that can be raised), a stack of ours makes up to 50, and stacks with as many
 * have failed with "Rate exceeded"
 * (https://github.com/aws-solutions-library-samples/guidance-for-low-code-intelligent-document-processing-on-aws/issues/2).
 */
import { Stack } from 'aws-cdk-lib';
import type { CfnMetricFilter, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Lanes } from './lanes.ts';

const LANES = 4;

const ofStacks = new WeakMap<Stack, Lanes>();

/** The filter waits for one that its stack has already. Nothing waits for filters, so that it costs no time. */
export function inLane(filter: MetricFilter): void {
  const stack = Stack.of(filter);
  const lanes = ofStacks.get(stack) ?? new Lanes(LANES);
  ofStacks.set(stack, lanes);
  lanes.add(filter.node.defaultChild as CfnMetricFilter);
}
