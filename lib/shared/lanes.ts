/**
 * Makes CloudFormation create resources in a few sequences ("lanes"), because some services reject fast calls. API
 * Gateway accepts 10 calls a second from an account (API Gateway Developer Guide, "Quotas for creating, deploying and
 * managing an API"), and simultaneous changes of one API fail in its automatic deployment with ConflictException.
 */
import { type CfnResource, Stack } from 'aws-cdk-lib';
import type { CfnMetricFilter, MetricFilter } from 'aws-cdk-lib/aws-logs';

export class Lanes {
  readonly ends: CfnResource[] = [];
  private readonly count: number;
  private added = 0;

  /** @param count the number of lanes: the number of resources that CloudFormation creates at the same time */
  constructor(count: number) {
    this.count = count;
  }

  add(resource: CfnResource): void {
    const lane = this.added % this.count;
    this.added += 1;
    const before = this.ends[lane];
    if (before !== undefined) resource.addResourceDependency(before);
    this.ends[lane] = resource;
  }
}

const FILTER_LANES = 4;

const ofStacks = new WeakMap<Stack, Lanes>();

/**
 * Adds a metric filter to a lane, so that CloudFormation creates only a few filters at a time. CloudWatch Logs accepts 5
 * PutMetricFilter calls a second from an account (AWS General Reference, "CloudWatch Logs endpoints and quotas"; the quota cannot be
 * raised). Our stacks have up to 50 filters; another project failed with "Rate exceeded" at this number
 * (https://github.com/aws-solutions-library-samples/guidance-for-low-code-intelligent-document-processing-on-aws/issues/2).
 * No other resource depends on a filter, so waiting costs no time.
 */
export function inLane(filter: MetricFilter): void {
  const stack = Stack.of(filter);
  const lanes = ofStacks.get(stack) ?? new Lanes(FILTER_LANES);
  ofStacks.set(stack, lanes);
  lanes.add(filter.node.defaultChild as CfnMetricFilter);
}
