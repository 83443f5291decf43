/** Reads the stacks of an environment from CloudFormation. */
import {
  DescribeStacksCommand,
  paginateDescribeStacks,
  paginateListStackResources,
  type Stack,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { defined } from '../../shared/checked-access.ts';
import { type Aws, awsIn, listed } from './clients.ts';
import { Failure } from './failure.ts';
import { partOf, type Target, targetNamed } from './targets.ts';

export interface DeployedStack {
  readonly aws: Aws;
  /** The part of the name without the environment: `Data` for `Kinora-dev-Data`. */
  readonly part: string;
  readonly name: string;
  readonly id: string;
  readonly status: string;
  readonly isProtected: boolean;
  readonly outputs: Readonly<Record<string, string>>;
}

export async function stacksOf(target: Target, regions: readonly Aws[]): Promise<DeployedStack[]> {
  return (await Promise.all(regions.map((aws) => stacksIn(target, aws)))).flat();
}

async function stacksIn(target: Target, aws: Aws): Promise<DeployedStack[]> {
  const pages = paginateDescribeStacks({ client: aws.cloudFormation }, {});
  const found = await listed(pages, (page) => page.Stacks);
  return found.flatMap((stack) => {
    const part = partOf(target, aws.region, defined(stack.StackName));
    return part === null ? [] : [deployed(aws, part, stack)];
  });
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
  const outputs = (stack.Outputs ?? []).map(({ OutputKey, OutputValue }) => [
    defined(OutputKey),
    defined(OutputValue),
  ]);
  return {
    aws,
    part,
    name: defined(stack.StackName),
    id: defined(stack.StackId),
    status: defined(stack.StackStatus),
    isProtected: stack.EnableTerminationProtection ?? false,
    outputs: Object.fromEntries(outputs),
  };
}

/** CloudFormation answers ValidationError for a stack that does not exist. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ValidationError' && /does not exist/.test(error.message);

export function resourcesOf({ aws, id }: DeployedStack): Promise<StackResourceSummary[]> {
  const pages = paginateListStackResources({ client: aws.cloudFormation }, { StackName: id });
  return listed(pages, (page) => page.StackResourceSummaries);
}

/** Returns the outputs of all stacks. Their names are unique within an environment. */
export const outputsOf = (stacks: readonly DeployedStack[]): Readonly<Record<string, string>> =>
  Object.assign({}, ...stacks.map(({ outputs }) => outputs));

/** The minimum bootstrap version that synthesized templates accept (`CheckBootstrapVersion`). */
export const NEEDED_BOOTSTRAP = 6;

export interface Bootstrap {
  /** Null if the region is not bootstrapped. */
  readonly version: number | null;
  readonly status: string | null;
}

/** Reads the version from the stack's output, as the CDK does. */
export async function bootstrapOf(aws: Aws): Promise<Bootstrap> {
  const stack = await stackNamed(aws, 'CDKToolkit', 'CDKToolkit');
  if (stack === null) return { version: null, status: null };
  return { version: Number(stack.outputs.BootstrapVersion ?? 0), status: stack.status };
}

export const isBootstrapped = ({ version, status }: Bootstrap): boolean =>
  version !== null &&
  version >= NEEDED_BOOTSTRAP &&
  /^(CREATE|UPDATE|UPDATE_ROLLBACK|IMPORT)_COMPLETE$/.test(defined(status));

/** @throws Failure if the environment is not deployed */
export async function authTableOf(name: string): Promise<{ client: DynamoDBClient; table: string }> {
  const target = await targetNamed(name, 'keys');
  const aws = awsIn(target.region);
  const { AuthTable: table } = outputsOf(await stacksOf(target, [aws]));
  if (table !== undefined) return { client: aws.dynamoDb, table };
  throw new Failure(
    `${name} has no table of API keys in ${target.region}`,
    `Deploy it first: npm run deploy -- ${name}`,
  );
}
