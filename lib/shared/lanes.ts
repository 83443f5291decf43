/**
 * Makes CloudFormation create resources in a few sequences ("lanes"), because some services reject fast calls. API
 * Gateway accepts 10 calls a second from an account (API Gateway Developer Guide, "Quotas for creating, deploying and
 * managing an API"), and simultaneous changes of one API fail in its automatic deployment with ConflictException.
 */
import type { CfnResource } from 'aws-cdk-lib';

export class Lanes {
  /** The last resource of each lane. */
  readonly ends: CfnResource[] = [];
  private readonly count: number;
  private added = 0;

  /** @param count number of lanes, which is how many resources CloudFormation creates at a time */
  constructor(count: number) {
    this.count = count;
  }

  /** Makes the resource depend on the previous one of its lane. */
  add(resource: CfnResource): void {
    const lane = this.added % this.count;
    this.added += 1;
    const before = this.ends[lane];
    if (before !== undefined) resource.addResourceDependency(before);
    this.ends[lane] = resource;
  }
}
