/** Deletes an environment: its stacks, and then the resources that the stacks retain. Finally checks that nothing remains. */
import { DeleteStackCommand, DescribeStackEventsCommand } from '@aws-sdk/client-cloudformation';
import { DeleteLogGroupCommand } from '@aws-sdk/client-cloudwatch-logs';
import { RemovalPolicy } from 'aws-cdk-lib';
import type { Aws } from '../deployment/clients.ts';
import { Failure } from '../deployment/failure.ts';
import { type DeployedStack, resourcesOf, stackNamed, stacksOf } from '../deployment/stacks.ts';
import type { Target } from '../deployment/targets.ts';
import { emptyBucket, removeBucket } from './empty-bucket.ts';
import { isNothing, type Remains, remainsOf } from './remains.ts';

interface Destroying {
  /** Milliseconds between two checks of a stack. */
  readonly everyMs: number;
  /** Milliseconds to wait while the Tagging API still lists deleted resources. */
  readonly patienceMs: number;
  line(text: string): void;
}

/**
 * @returns the resources that remain
 * @throws Failure if a stack is protected or cannot be deleted
 */
export async function destroy(
  target: Target,
  regions: readonly Aws[],
  options: Destroying,
): Promise<Remains> {
  const stacks = await stacksOf(target, regions);
  refuseProtected(target, stacks);
  await deleteStacks(stacks, options);
  await removeLeftovers(target, regions, options);
  return settled(target, regions, options);
}

function refuseProtected({ name, environment }: Target, stacks: readonly DeployedStack[]): void {
  const guarded = stacks.filter(({ isProtected }) => isProtected).map((stack) => stack.name);
  const isKept = environment.removal !== RemovalPolicy.DESTROY;
  if (guarded.length === 0 && !isKept) return;
  throw new Failure(
    isKept ? `${name} keeps its data` : `Protected from deletion: ${guarded.join(', ')}`,
    `To delete it, set deletionProtection to false and removal to 'destroy' in environments/${name}.ts, run npm run deploy -- ${name}, then run this command again.`,
  );
}

/** Deletes the stacks. A stack that another stack uses is deleted after the other stack. */
async function deleteStacks(stacks: readonly DeployedStack[], options: Destroying): Promise<void> {
  let open = stacks.toSorted((one, other) => rank(one) - rank(other));
  while (open.length > 0) {
    const failures = new Map<DeployedStack, unknown>();
    for (const stack of open) {
      options.line(`${stack.name} (${stack.aws.region})`);
      await deleteStack(stack, options).catch((error: unknown) => failures.set(stack, error));
    }
    const isStuck = failures.size === open.length;
    if (isStuck) throw [...failures.values()][0];
    open = [...failures.keys()];
  }
}

/** Deletes resources that stacks retain, such as the logs of CloudFront, and logs that services write after a stack is deleted. */
async function removeLeftovers(target: Target, regions: readonly Aws[], { line }: Destroying): Promise<void> {
  const { tagged, logGroups } = await remainsOf(target, regions);
  for (const { aws, arn } of tagged) {
    const [, , service, , , name] = arn.split(':');
    if (service !== 's3' || name === undefined || aws.region !== target.region) continue;
    const { versions } = await removeBucket(aws.s3, name);
    line(`  left behind: bucket ${name}, deleted with ${versions} versions`);
  }
  for (const { aws, name } of logGroups) {
    await aws.logs.send(new DeleteLogGroupCommand({ logGroupName: name })).catch(ignoreMissing);
    line(`  left behind: log group ${name}, deleted`);
  }
}

function ignoreMissing(error: Error): void {
  if (error.name !== 'ResourceNotFoundException') throw error;
}

/** Waits up to `patienceMs` until nothing remains: the Tagging API lists deleted resources for some minutes. */
async function settled(target: Target, regions: readonly Aws[], options: Destroying): Promise<Remains> {
  const giveUp = Date.now() + options.patienceMs;
  for (;;) {
    const remains = await remainsOf(target, regions);
    const { tagged, ...others } = remains;
    const isTagsAlone = tagged.length > 0 && isNothing({ ...others, tagged: [] });
    if (!isTagsAlone || Date.now() >= giveUp) return remains;
    options.line(`  ${tagged.length} resources are still listed by their tags; checking again …`);
    await new Promise((resolve) => setTimeout(resolve, options.everyMs * SLOWER));
  }
}

/** The wait for tags is this many times longer than the wait for stacks. Tags change more slowly, and their API allows fewer calls. */
const SLOWER = 5;

/**
 * Stacks that other stacks use, in the order of their deletion (lib/kinora.ts). The stack that most others use is last. No stack uses
 * the stacks that are missing here.
 */
const lastOnes = ['Api', 'Site', 'Jobs', 'Data', 'Firewall'];
const rank = ({ part }: DeployedStack) => lastOnes.indexOf(part);

const ATTEMPTS = 3;

/**
 * Deletes a stack. First empties its buckets, and empties them again if something is written to them in the meantime.
 * @throws Failure if the stack still exists after all attempts
 */
async function deleteStack(stack: DeployedStack, options: Destroying): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await emptyBucketsOf(stack, options);
    const failure = await deleteOnce(stack, options);
    if (failure === null) return;
    if (attempt < ATTEMPTS) continue;
    throw new Failure(
      `${stack.name} is not deleted: ${failure}`,
      'Run the command again. If it fails again, delete the resources that the message names in the console, then run it once more.',
    );
  }
}

const remainingOf = async (stack: DeployedStack) =>
  (await resourcesOf(stack)).filter(({ ResourceStatus }) => ResourceStatus !== 'DELETE_COMPLETE');

async function emptyBucketsOf(stack: DeployedStack, { line }: Destroying): Promise<void> {
  for (const { LogicalResourceId, PhysicalResourceId, ResourceType } of await remainingOf(stack)) {
    if (ResourceType !== 'AWS::S3::Bucket' || PhysicalResourceId === undefined) continue;
    const { versions, uploads } = await emptyBucket(stack.aws.s3, PhysicalResourceId);
    const unfinished = uploads === 0 ? '' : `, ${uploads} unfinished uploads`;
    line(`  ${stack.part}: bucket ${LogicalResourceId} emptied: ${versions} versions${unfinished}`);
  }
}

/** @returns null if the stack is deleted, otherwise the reason why not */
async function deleteOnce(stack: DeployedStack, { everyMs, line }: Destroying): Promise<string | null> {
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

/** Returns the reasons in the latest events. A failure of the stack itself only repeats those of its resources. */
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
