/** Reads the stacks of an environment from CloudFormation. */
import {
  DescribeStacksCommand,
  paginateDescribeStacks,
  paginateListStackResources,
  type Stack,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import type { Aws } from './clients.ts';
import { partOf, type Target } from './targets.ts';

export interface DeployedStack {
  readonly aws: Aws;
  /** `Data` of `Kinora-dev-Data`. */
  readonly part: string;
  readonly name: string;
  readonly id: string;
  readonly status: string;
  readonly isProtected: boolean;
  readonly outputs: Readonly<Record<string, string>>;
}

/** All stacks of an environment in all of its regions. */
export async function stacksOf(target: Target, regions: readonly Aws[]): Promise<DeployedStack[]> {
  return (await Promise.all(regions.map((aws) => stacksIn(target, aws)))).flat();
}

async function stacksIn(target: Target, aws: Aws): Promise<DeployedStack[]> {
  const found: DeployedStack[] = [];
  for await (const { Stacks = [] } of paginateDescribeStacks({ client: aws.cloudFormation }, {}))
    for (const stack of Stacks) {
      const part = partOf(target, aws.region, stack.StackName!);
      if (part !== null) found.push(deployed(aws, part, stack));
    }
  return found;
}

/** Null if no stack has that name or id. */
export async function stackNamed(aws: Aws, part: string, nameOrId: string): Promise<DeployedStack | null> {
  try {
    const { Stacks = [] } = await aws.cloudFormation.send(new DescribeStacksCommand({ StackName: nameOrId }));
    return Stacks[0] === undefined ? null : deployed(aws, part, Stacks[0]);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function deployed(aws: Aws, part: string, stack: Stack): DeployedStack {
  const outputs = (stack.Outputs ?? []).map(({ OutputKey, OutputValue }) => [OutputKey!, OutputValue!]);
  return {
    aws,
    part,
    name: stack.StackName!,
    id: stack.StackId!,
    status: stack.StackStatus!,
    isProtected: stack.EnableTerminationProtection ?? false,
    outputs: Object.fromEntries(outputs),
  };
}

/** CloudFormation answers ValidationError for a stack that does not exist. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ValidationError' && /does not exist/.test(error.message);

export async function resourcesOf({ aws, id }: DeployedStack): Promise<StackResourceSummary[]> {
  const found: StackResourceSummary[] = [];
  const pages = paginateListStackResources({ client: aws.cloudFormation }, { StackName: id });
  for await (const { StackResourceSummaries = [] } of pages) found.push(...StackResourceSummaries);
  return found;
}

/** Outputs of all stacks. Their names are unique within an environment. */
export const outputsOf = (stacks: readonly DeployedStack[]): Readonly<Record<string, string>> =>
  Object.assign({}, ...stacks.map(({ outputs }) => outputs));
