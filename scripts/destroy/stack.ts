/** Deletes one stack: its buckets are emptied first, and again as often as somebody writes into them meanwhile. */
import { DeleteStackCommand } from '@aws-sdk/client-cloudformation';
import { Follower } from '../deployment/follow.ts';
import type { StackProgress } from '../deployment/progress.ts';
import { type DeployedStack, resourcesOf, stackNamed } from '../deployment/stacks.ts';
import { Failure } from '../deployment/trouble.ts';
import { emptyBucket } from './buckets.ts';

export interface Deleting {
  readonly everyMs: number;
  line(text: string): void;
  show(all: readonly StackProgress[]): void;
}

/** How often a deletion that failed is tried anew. */
const ATTEMPTS = 3;

/** @throws Failure where it is not gone in the end */
export async function deleteStack(stack: DeployedStack, screen: Deleting): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await emptyBucketsOf(stack, screen);
    const failures = await deletedOnce(stack, screen);
    if (failures === null) return;
    if (attempt < ATTEMPTS) continue;
    throw new Failure({
      says: `${stack.name} is not deleted: ${failures}`,
      cure: 'Run the command again; if it stays, delete in the console what the message names, then run it again.',
    });
  }
}

async function emptyBucketsOf(stack: DeployedStack, { line }: Deleting): Promise<void> {
  const resources = await resourcesOf(stack);
  const buckets = resources.filter(
    ({ ResourceType, ResourceStatus }) =>
      ResourceType === 'AWS::S3::Bucket' && ResourceStatus !== 'DELETE_COMPLETE',
  );
  for (const { LogicalResourceId, PhysicalResourceId } of buckets) {
    if (PhysicalResourceId === undefined) continue;
    const { versions, uploads } = await emptyBucket(stack.aws.s3, PhysicalResourceId);
    const unfinished = uploads === 0 ? '' : `, ${uploads} unfinished uploads`;
    line(`  ${stack.part}: bucket ${LogicalResourceId} emptied: ${versions} versions${unfinished}`);
  }
}

/** @returns null where it is gone, else what stayed */
async function deletedOnce(stack: DeployedStack, { everyMs, show }: Deleting): Promise<string | null> {
  const { aws, part, id } = stack;
  const total = (await resourcesOf(stack)).filter(
    ({ ResourceStatus }) => ResourceStatus !== 'DELETE_COMPLETE',
  ).length;
  const client = aws.cloudFormation;
  const follower = new Follower([{ client, stack: id, part, total }], show);
  await follower.begin();
  await client.send(new DeleteStackCommand({ StackName: id }));
  const status = await follower.during(ended(stack, everyMs), everyMs);
  if (status === 'DELETE_COMPLETE') return null;
  const reasons = follower.progress[0]!.failures.map(({ resource, reason }) => `${resource}: ${reason}`);
  return reasons.join('; ') || status;
}

/** The state in which the deletion came to rest. */
async function ended({ aws, part, id }: DeployedStack, everyMs: number): Promise<string> {
  for (;;) {
    const now = await stackNamed(aws, part, id);
    if (now === null) return 'DELETE_COMPLETE';
    if (now.status !== 'DELETE_IN_PROGRESS' && /^DELETE_/.test(now.status)) return now.status;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
