/** Deploys an environment: bootstraps regions that are not bootstrapped, and then deploys all stacks with the CDK. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { UpdateTerminationProtectionCommand } from '@aws-sdk/client-cloudformation';
import type { Aws } from '../deployment/clients.ts';
import { pinnedCdk, runCdk } from '../deployment/run-cdk.ts';
import { bootstrapOf, type DeployedStack, isBootstrapped, stacksOf } from '../deployment/stacks.ts';
import type { Target } from '../deployment/targets.ts';

interface DeployOptions {
  /** The command line of the CDK. Default: `pinnedCdk`. */
  readonly program?: string;
  readonly folder: string;
  readonly account: string;
  show(text: string): void;
}

export type Outputs = Readonly<Record<string, string>>;

/** The number of stacks that are deployed at the same time. Some do not depend on each other, such as the site and the API. */
const CONCURRENCY = 3;

/** @throws Failure if the CDK fails, with the last lines of its output */
export async function deployEnvironment(
  target: Target,
  regions: readonly Aws[],
  { program = pinnedCdk, folder, account, show }: DeployOptions,
): Promise<Outputs> {
  const log = join(folder, 'cdk.log');
  const cdk = { program, log, show, region: target.region, environment: target.name };
  rmSync(folder, { recursive: true, force: true });
  for (const aws of regions)
    if (!isBootstrapped(await bootstrapOf(aws)))
      await runCdk(cdk, ['bootstrap', `aws://${account}/${aws.region}`]);
  await unprotectFailedCreations(await stacksOf(target, regions));
  const outputs = join(folder, 'outputs.json');
  await runCdk(cdk, [
    // Without --force, the CDK skips a stack whose template did not change, even if its values from other stacks are outdated (docs/decisions/0055).
    ...[
      'deploy',
      '--all',
      '--force',
      '--context',
      `env=${target.name}`,
      '--output',
      join(folder, 'assembly'),
    ],
    ...['--require-approval', 'never', '--outputs-file', outputs, '--concurrency', String(CONCURRENCY)],
    ...['--progress', 'events'],
  ]);
  if (!existsSync(outputs)) return {};
  const byStack: Readonly<Record<string, Outputs>> = JSON.parse(readFileSync(outputs, 'utf8'));
  return Object.assign({}, ...Object.values(byStack));
}

/**
 * Removes the termination protection of stacks whose first creation failed. The CDK deletes such a stack and creates it again. With
 * the protection, CloudFormation would refuse the deletion, and all later deployments would fail.
 */
async function unprotectFailedCreations(stacks: readonly DeployedStack[]): Promise<void> {
  for (const { aws, name, status, isProtected } of stacks) {
    if (!isProtected || !isFailedCreation(status)) continue;
    const input = { StackName: name, EnableTerminationProtection: false };
    await aws.cloudFormation.send(new UpdateTerminationProtectionCommand(input));
  }
}

const isFailedCreation = (status: string) =>
  /^(ROLLBACK_COMPLETE|ROLLBACK_FAILED|REVIEW_IN_PROGRESS)$/.test(status);
