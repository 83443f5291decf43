/** Deletes an environment: its stacks, then the resources that the stacks leave, then checks that nothing remains. */
import { DeleteLogGroupCommand } from '@aws-sdk/client-cloudwatch-logs';
import { RemovalPolicy } from 'aws-cdk-lib';
import type { Aws } from '../deployment/clients.ts';
import { Failure } from '../deployment/failure.ts';
import { type DeployedStack, stacksOf } from '../deployment/stacks.ts';
import type { Target } from '../deployment/targets.ts';
import { type DeleteOptions, deleteStack } from './delete-stack.ts';
import { deletionOrder } from './deletion-order.ts';
import { removeBucket } from './empty-bucket.ts';
import { isNothing, type Remains, remainsOf } from './remains.ts';

export interface Destroying extends DeleteOptions {
  /** Milliseconds to wait while the Tagging API still lists deleted resources. */
  readonly patienceMs: number;
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
  throw new Failure({
    says: isKept ? `${name} keeps its data` : `Protected from deletion: ${guarded.join(', ')}`,
    cure: `To delete it, set deletionProtection to false and removal to 'destroy' in environments/${name}.ts, run npm run deploy -- ${name}, then run this command again.`,
  });
}

/** A stack that another stack still uses fails; it is tried again after the other is deleted. */
async function deleteStacks(stacks: readonly DeployedStack[], options: Destroying): Promise<void> {
  let open = deletionOrder(stacks);
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

/** The Tagging API lists deleted resources for some minutes. */
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

/** Tags change more slowly than stacks, and their API allows fewer calls. */
const SLOWER = 5;
