/** Deploys an environment: bootstraps what is not, synthesizes, then has all stacks made in the order that they need. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { UpdateTerminationProtectionCommand } from '@aws-sdk/client-cloudformation';
import { stacksIn } from '../deployment/assembly.ts';
import { bootstrapOf, isBootstrapped } from '../deployment/bootstrap.ts';
import { pinnedCdk, runCdk } from '../deployment/cdk.ts';
import type { Aws } from '../deployment/clients.ts';
import { Follower } from '../deployment/follow.ts';
import type { StackProgress } from '../deployment/progress.ts';
import { type DeployedStack, stacksOf } from '../deployment/stacks.ts';
import type { Target } from '../deployment/target.ts';

export interface Deploying {
  /** The CDK's command line; `pinnedCdk` when absent. */
  readonly program?: string;
  /** Folder for the assembly, the outputs and the log. */
  readonly folder: string;
  readonly account: string;
  readonly everyMs: number;
  line(text: string): void;
  show(all: readonly StackProgress[]): void;
}

/** Outputs of all stacks by their names. */
export type Outputs = Readonly<Record<string, string>>;

/** Stacks that do not wait for each other are made at the same time: the site beside the rest. */
const AT_ONCE = 3;

/** @throws Failure with the last words of the CDK */
export async function deploy(target: Target, regions: readonly Aws[], options: Deploying): Promise<Outputs> {
  const { folder, line } = options;
  const cdk = {
    program: options.program ?? pinnedCdk,
    log: join(folder, 'cdk.log'),
    region: target.region,
  };
  rmSync(folder, { recursive: true, force: true });
  for (const aws of regions) {
    if (isBootstrapped(await bootstrapOf(aws))) continue;
    line(`Bootstrap of ${aws.region}: the stack CDKToolkit, which all CDK apps of the account share …`);
    await runCdk(cdk, ['bootstrap', `aws://${options.account}/${aws.region}`]);
  }
  line('Synthesis …');
  const assembly = join(folder, 'assembly');
  await runCdk(cdk, ['synth', '--quiet', '--output', assembly, '--context', `env=${target.name}`]);
  await deployStacks(target, regions, { ...options, cdk, assembly });
  return outputsIn(join(folder, 'outputs.json'));
}

interface Stacks extends Deploying {
  readonly cdk: Parameters<typeof runCdk>[0];
  readonly assembly: string;
}

async function deployStacks(target: Target, regions: readonly Aws[], options: Stacks): Promise<void> {
  const { cdk, assembly, folder, everyMs, show } = options;
  const there = await stacksOf(target, regions);
  await releaseUnmade(there);
  const stacks = stacksIn(assembly, target).map(({ part, name, region, resources }) => ({
    client: (regions.find((aws) => aws.region === region) ?? regions[0]!).cloudFormation,
    stack: name,
    part,
    // What an update changes, CloudFormation alone finds out.
    total: there.some((stack) => stack.name === name && !isUnmade(stack.status)) ? null : resources,
  }));
  const follower = new Follower(stacks, show);
  await follower.begin();
  // Without --force a stack whose template is as before is left alone, with what it once read of others (docs/decisions/0055).
  const args = ['deploy', '--all', '--force', '--app', assembly, '--require-approval', 'never'];
  const outputs = ['--outputs-file', join(folder, 'outputs.json')];
  await follower.during(runCdk(cdk, [...args, ...outputs, '--concurrency', String(AT_ONCE)]), everyMs);
}

/**
 * The CDK protects a stack before it makes it, deletes one whose first creation failed, and is refused that where it is
 * protected: production could not be deployed again after a first failure.
 */
async function releaseUnmade(stacks: readonly DeployedStack[]): Promise<void> {
  for (const { aws, name, status, isProtected } of stacks) {
    if (!isProtected || !isUnmade(status)) continue;
    const input = { StackName: name, EnableTerminationProtection: false };
    await aws.cloudFormation.send(new UpdateTerminationProtectionCommand(input));
  }
}

/** A stack whose first creation failed is deleted and made anew by the CDK. */
const isUnmade = (status: string) => /^(ROLLBACK_COMPLETE|ROLLBACK_FAILED|REVIEW_IN_PROGRESS)$/.test(status);

function outputsIn(file: string): Outputs {
  if (!existsSync(file)) return {};
  const byStack = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, Outputs>>;
  return Object.assign({}, ...Object.values(byStack));
}
