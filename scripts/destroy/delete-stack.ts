/** Deletes one stack. Empties its buckets first, and again if something is written to them meanwhile. */
import { DeleteStackCommand, DescribeStackEventsCommand } from '@aws-sdk/client-cloudformation';
import { Failure } from '../deployment/failure.ts';
import { type DeployedStack, resourcesOf, stackNamed } from '../deployment/stacks.ts';
import { emptyBucket } from './empty-bucket.ts';

export interface DeleteOptions {
  /** Milliseconds between two looks at the stack. */
  readonly everyMs: number;
  /** Receives each line of progress. */
  line(text: string): void;
}

const ATTEMPTS = 3;

/** @throws Failure if the stack still exists after all attempts */
export async function deleteStack(stack: DeployedStack, options: DeleteOptions): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await emptyBucketsOf(stack, options);
    const failure = await deleteOnce(stack, options);
    if (failure === null) return;
    if (attempt < ATTEMPTS) continue;
    throw new Failure({
      says: `${stack.name} is not deleted: ${failure}`,
      cure: 'Run the command again. If it fails again, delete the resources that the message names in the console, then run it once more.',
    });
  }
}

const remainingOf = async (stack: DeployedStack) =>
  (await resourcesOf(stack)).filter(({ ResourceStatus }) => ResourceStatus !== 'DELETE_COMPLETE');

async function emptyBucketsOf(stack: DeployedStack, { line }: DeleteOptions): Promise<void> {
  for (const { LogicalResourceId, PhysicalResourceId, ResourceType } of await remainingOf(stack)) {
    if (ResourceType !== 'AWS::S3::Bucket' || PhysicalResourceId === undefined) continue;
    const { versions, uploads } = await emptyBucket(stack.aws.s3, PhysicalResourceId);
    const unfinished = uploads === 0 ? '' : `, ${uploads} unfinished uploads`;
    line(`  ${stack.part}: bucket ${LogicalResourceId} emptied: ${versions} versions${unfinished}`);
  }
}

/** @returns null if the stack is gone, otherwise why it is not */
async function deleteOnce(stack: DeployedStack, { everyMs, line }: DeleteOptions): Promise<string | null> {
  const { aws, part, id } = stack;
  await aws.cloudFormation.send(new DeleteStackCommand({ StackName: id }));
  let shown = -1;
  for (;;) {
    const now = await stackNamed(aws, part, id);
    if (now === null || now.status === 'DELETE_COMPLETE') return null;
    if (now.status !== 'DELETE_IN_PROGRESS' && now.status.startsWith('DELETE_'))
      return (await failuresOf(stack)) || now.status;
    const left = (await remainingOf(stack)).length;
    if (left !== shown) line(`  ${part}: ${left} resources left`);
    shown = left;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

/** Reasons in the latest events. A failure of the stack itself only repeats those of its resources. */
async function failuresOf({ aws, id }: DeployedStack): Promise<string> {
  const { StackEvents = [] } = await aws.cloudFormation.send(
    new DescribeStackEventsCommand({ StackName: id }),
  );
  return StackEvents.filter(
    ({ ResourceStatus, PhysicalResourceId }) =>
      ResourceStatus === 'DELETE_FAILED' && PhysicalResourceId !== id,
  )
    .map(({ LogicalResourceId, ResourceStatusReason }) => `${LogicalResourceId}: ${ResourceStatusReason}`)
    .join('; ');
}
