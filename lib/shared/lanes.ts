/**
 * Resources that CloudFormation makes one after the other, in a few lanes side by side, where a service takes few calls a second
 * and fails what comes faster. All of an API's routes at once are more than the 10 calls a second that API Gateway takes from an
 * account (API Gateway Developer Guide, "Quotas for creating, deploying and managing an API"), and changes of one API that meet in
 * its automatic deployment fail with ConflictException.
 */
import type { CfnResource } from 'aws-cdk-lib';

export class Lanes {
  /** The last resource of each lane. */
  readonly ends: CfnResource[] = [];
  private readonly count: number;
  private added = 0;

  /** @param count of lanes, which is how many resources are made at a time */
  constructor(count: number) {
    this.count = count;
  }

  /** The resource waits for the one before it in its lane. */
  add(resource: CfnResource): void {
    const lane = this.added % this.count;
    this.added += 1;
    const before = this.ends[lane];
    if (before !== undefined) resource.addResourceDependency(before);
    this.ends[lane] = resource;
  }
}
