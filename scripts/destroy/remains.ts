/** Finds and prints all resources of an environment that still exist, by name and by tag. A deletion is complete if it finds no resource. */
import { paginateDescribeLogGroups } from '@aws-sdk/client-cloudwatch-logs';
import { paginateListTables } from '@aws-sdk/client-dynamodb';
import { DescribeKeyCommand } from '@aws-sdk/client-kms';
import { paginateListFunctions } from '@aws-sdk/client-lambda';
import { paginateGetResources } from '@aws-sdk/client-resource-groups-tagging-api';
import { defined } from '../../shared/checked-access.ts';
import { type Aws, listed } from '../deployment/clients.ts';
import { stacksOf } from '../deployment/stacks.ts';
import { isLogGroupOf, isNameOf, partOf, type Target, tagsOf } from '../deployment/targets.ts';

export interface Remains {
  readonly stacks: readonly string[];
  readonly tables: readonly string[];
  readonly functions: readonly string[];
  readonly logGroups: readonly { readonly aws: Aws; readonly name: string }[];
  /** Resources with the environment's tags, except for keys that KMS is deleting. */
  readonly tagged: readonly Tagged[];
  /** Keys that KMS will delete after their waiting period. Until then, they are disabled and cost nothing. */
  readonly expiringKeys: readonly { readonly arn: string; readonly until: Date | undefined }[];
}

interface Tagged {
  readonly aws: Aws;
  readonly arn: string;
}

export async function remainsOf(target: Target, regions: readonly Aws[]): Promise<Remains> {
  const each = async <T>(read: (aws: Aws) => Promise<T[]>) => (await Promise.all(regions.map(read))).flat();
  const [stacks, tables, functions, logGroups, all] = await Promise.all([
    stacksOf(target, regions),
    each(async ({ dynamoDb: client, region }) => {
      const names = await listed(paginateListTables({ client }, {}), (page) => page.TableNames);
      return names.filter((name) => isNameOf(target, region, name));
    }),
    each(async ({ lambda: client, region }) => {
      const found = await listed(paginateListFunctions({ client }, {}), (page) => page.Functions);
      return found
        .map(({ FunctionName }) => defined(FunctionName))
        .filter((name) => isNameOf(target, region, name));
    }),
    each(async (aws) => {
      const pages = paginateDescribeLogGroups({ client: aws.logs }, {});
      const found = (await listed(pages, (page) => page.logGroups)).map((group) =>
        defined(group.logGroupName),
      );
      return found.filter((name) => isLogGroupOf(target, aws.region, name)).map((name) => ({ aws, name }));
    }),
    each((aws) => taggedIn(target, aws)),
  ]);
  const { tagged, expiringKeys } = await withoutExpiringKeys(all);
  return { stacks: stacks.map(({ name }) => name), tables, functions, logGroups, tagged, expiringKeys };
}

export const isNothing = ({ expiringKeys: _, ...remains }: Remains): boolean =>
  Object.values(remains).every((found) => found.length === 0);

/**
 * Lists the tagged resources of this environment's stacks. In us-east-1, the Tagging API also lists global services, such as
 * CloudFront, of an environment with the same name in another region. CloudFormation's tag with the stack's id shows the environment.
 */
async function taggedIn(target: Target, aws: Aws): Promise<Tagged[]> {
  const TagFilters = Object.entries(tagsOf(target)).map(([Key, value]) => ({ Key, Values: [value] }));
  const pages = paginateGetResources({ client: aws.tags }, { TagFilters });
  const found = await listed(pages, (page) => page.ResourceTagMappingList);
  return found.flatMap(({ ResourceARN, Tags = [] }) => {
    const stack = Tags.find(({ Key }) => Key === 'aws:cloudformation:stack-id')?.Value;
    return stack === undefined || isStackOf(target, stack) ? [{ aws, arn: defined(ResourceARN) }] : [];
  });
}

/** @param id arn:aws:cloudformation:eu-central-1:123456789012:stack/Kinora-dev-Data/… */
function isStackOf(target: Target, id: string): boolean {
  const [, , , region = '', , path = ''] = id.split(':');
  return partOf(target, region, path.split('/')[1] ?? '') !== null;
}

/** Leaves out keys whose deletion is scheduled. CloudFormation only schedules it, and KMS deletes keys after at least a week. */
async function withoutExpiringKeys(all: readonly Tagged[]) {
  const tagged: Tagged[] = [];
  const expiringKeys: { arn: string; until: Date | undefined }[] = [];
  for (const { aws, arn } of all) {
    const isKey = arn.split(':')[2] === 'kms';
    const answer = isKey ? await aws.kms.send(new DescribeKeyCommand({ KeyId: arn })) : undefined;
    const key = answer?.KeyMetadata;
    if (key?.KeyState === 'PendingDeletion') expiringKeys.push({ arn, until: key.DeletionDate });
    else tagged.push({ aws, arn });
  }
  return { tagged, expiringKeys };
}

export function reportOf(remains: Remains, environment: string): string[] {
  const { stacks, tables, functions, logGroups, tagged, expiringKeys } = remains;
  const kinds: readonly (readonly [name: string, found: readonly string[], cure: string])[] = [
    [
      'stacks',
      stacks,
      `Run npm run destroy -- ${environment} again. The console, CloudFormation, Events, shows why a stack remains.`,
    ],
    ['tables', tables, 'In the console, DynamoDB, switch off their deletion protection and delete them.'],
    ['functions', functions, 'In the console, Lambda, delete them.'],
    ['log groups', logGroups.map(({ name }) => name), `Run npm run destroy -- ${environment} again.`],
    [
      'resources with its tags',
      tagged.map(({ arn }) => arn),
      'AWS lists deleted resources for some hours. Run the command again later; delete by ARN what still remains.',
    ],
  ];
  const lines = kinds.flatMap(([name, found, cure]) =>
    found.length === 0
      ? [`✓ No ${name}`]
      : [`✗ ${found.length} ${name}:`, ...found.map((one) => `    ${one}`), `  → ${cure}`],
  );
  const keys = expiringKeys.map(({ arn, until }) => {
    const when = until === undefined ? '' : ` on ${until.toISOString().slice(0, 10)}`;
    return `  ${arn.split('/').at(-1)}: KMS deletes this key${when}; until then it is disabled and costs nothing`;
  });
  return [...lines, ...keys];
}
