/** Finds all resources that remain of an environment, by name and by tag. A deletion is complete when there are none. */
import { paginateDescribeLogGroups } from '@aws-sdk/client-cloudwatch-logs';
import { paginateListTables } from '@aws-sdk/client-dynamodb';
import { DescribeKeyCommand } from '@aws-sdk/client-kms';
import { paginateListFunctions } from '@aws-sdk/client-lambda';
import { paginateGetResources } from '@aws-sdk/client-resource-groups-tagging-api';
import type { Aws } from '../deployment/clients.ts';
import { stacksOf } from '../deployment/stacks.ts';
import { isLogGroupOf, isNameOf, partOf, type Target, tagsOf } from '../deployment/targets.ts';

export interface Remains {
  readonly stacks: readonly string[];
  readonly tables: readonly string[];
  readonly functions: readonly string[];
  readonly logGroups: readonly LogGroupThere[];
  /** Resources with the environment's tags, except for keys that KMS is deleting. */
  readonly tagged: readonly TaggedThere[];
  /** Keys that KMS deletes after their waiting period. Until then they are disabled and cost nothing. */
  readonly expiringKeys: readonly ExpiringKey[];
}

export interface LogGroupThere {
  readonly aws: Aws;
  readonly name: string;
}

export interface TaggedThere {
  readonly aws: Aws;
  readonly arn: string;
}

export interface ExpiringKey {
  readonly arn: string;
  readonly until: Date | undefined;
}

export async function remainsOf(target: Target, regions: readonly Aws[]): Promise<Remains> {
  const each = async <T>(read: (aws: Aws) => Promise<T[]>) => (await Promise.all(regions.map(read))).flat();
  const [stacks, tables, functions, logGroups, all] = await Promise.all([
    stacksOf(target, regions),
    each((aws) => tablesIn(target, aws)),
    each((aws) => functionsIn(target, aws)),
    each((aws) => logGroupsIn(target, aws)),
    each((aws) => taggedIn(target, aws)),
  ]);
  const { tagged, expiringKeys } = await withoutExpiringKeys(all);
  return { stacks: stacks.map(({ name }) => name), tables, functions, logGroups, tagged, expiringKeys };
}

export const isNothing = ({ expiringKeys: _, ...remains }: Remains): boolean =>
  Object.values(remains).every((found) => found.length === 0);

async function tablesIn(target: Target, aws: Aws): Promise<string[]> {
  const found: string[] = [];
  for await (const { TableNames = [] } of paginateListTables({ client: aws.dynamoDb }, {}))
    found.push(...TableNames.filter((name) => isNameOf(target, aws.region, name)));
  return found;
}

async function functionsIn(target: Target, aws: Aws): Promise<string[]> {
  const found: string[] = [];
  for await (const { Functions = [] } of paginateListFunctions({ client: aws.lambda }, {}))
    found.push(
      ...Functions.map(({ FunctionName }) => FunctionName!).filter((name) =>
        isNameOf(target, aws.region, name),
      ),
    );
  return found;
}

async function logGroupsIn(target: Target, aws: Aws): Promise<LogGroupThere[]> {
  const found: LogGroupThere[] = [];
  for await (const { logGroups = [] } of paginateDescribeLogGroups({ client: aws.logs }, {}))
    for (const { logGroupName: name } of logGroups)
      if (isLogGroupOf(target, aws.region, name!)) found.push({ aws, name: name! });
  return found;
}

/**
 * The Tagging API lists global services, such as CloudFront, in us-east-1. An environment with the same name in another region may
 * have resources there too. CloudFormation's own tag names the stack of each resource.
 */
async function taggedIn(target: Target, aws: Aws): Promise<TaggedThere[]> {
  const TagFilters = Object.entries(tagsOf(target)).map(([Key, value]) => ({ Key, Values: [value] }));
  const found: TaggedThere[] = [];
  for await (const { ResourceTagMappingList = [] } of paginateGetResources(
    { client: aws.tags },
    { TagFilters },
  ))
    for (const { ResourceARN, Tags = [] } of ResourceTagMappingList) {
      const stack = Tags.find(({ Key }) => Key === 'aws:cloudformation:stack-id')?.Value;
      if (stack === undefined || isStackOf(target, stack)) found.push({ aws, arn: ResourceARN! });
    }
  return found;
}

/** @param id arn:aws:cloudformation:eu-central-1:123456789012:stack/Kinora-dev-Data/… */
function isStackOf(target: Target, id: string): boolean {
  const [, , , region = '', , path = ''] = id.split(':');
  return partOf(target, region, path.split('/')[1] ?? '') !== null;
}

/** KMS deletes keys after at least a week; CloudFormation only schedules their deletion. */
async function withoutExpiringKeys(all: readonly TaggedThere[]) {
  const tagged: TaggedThere[] = [];
  const expiringKeys: ExpiringKey[] = [];
  for (const { aws, arn } of all) {
    const key = arn.split(':')[2] === 'kms' ? await keyOf(aws, arn) : undefined;
    if (key?.KeyState === 'PendingDeletion') expiringKeys.push({ arn, until: key.DeletionDate });
    else tagged.push({ aws, arn });
  }
  return { tagged, expiringKeys };
}

async function keyOf(aws: Aws, KeyId: string) {
  const { KeyMetadata } = await aws.kms.send(new DescribeKeyCommand({ KeyId }));
  return KeyMetadata;
}
