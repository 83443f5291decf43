/** Makes IAM statements of the permissions that a function declares. No other code grants permissions. */
import type { Acknowledgment } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { ItemAction, MediaAccess, Permissions, TableName } from '../../platform/steps/permissions.ts';
import { type MediaActions, mediaActions } from '../data/media-policies.ts';
import type { Environment } from '../environments.ts';
import { engineStatements, engineWildcards } from './engines.ts';

const itemActions: Readonly<Record<ItemAction, string>> = {
  batchGet: 'dynamodb:BatchGetItem',
  check: 'dynamodb:ConditionCheckItem',
  delete: 'dynamodb:DeleteItem',
  get: 'dynamodb:GetItem',
  put: 'dynamodb:PutItem',
  query: 'dynamodb:Query',
  update: 'dynamodb:UpdateItem',
};

/** The resources that permissions refer to. */
export interface Resources {
  readonly tables: Readonly<Record<TableName, Table>>;
  readonly authKey: Key;
  readonly secretsKey: Key;
  readonly media: Bucket;
}

export function statementsOf(
  { tables = {}, admin, media = [], engines = {} }: Permissions,
  environment: Environment,
  resources: Resources,
): PolicyStatement[] {
  const onTables = Object.entries(tables).map(([name, actions]) =>
    tableStatement(name as TableName, actions, admin === true, resources),
  );
  return [
    ...onTables,
    ...(tables.Auth ? [authKeyStatement(tables.Auth, resources)] : []),
    ...mediaStatements(media, resources),
    ...engineStatements(engines, environment, resources),
  ];
}

/** Why the wildcards in those statements cannot be narrower. */
export const wildcardsOf = (
  { media = [], engines = {} }: Permissions,
  environment: Environment,
): Acknowledgment[] => [
  ...(media.length > 0 ? [mediaWildcard(environment)] : []),
  ...engineWildcards(engines, environment),
];

/** The bucket is in another stack, so cdk-nag names it by its export. */
const mediaWildcard = ({ name }: Environment): Acknowledgment => ({
  id: `AwsSolutions-IAM5[Resource::Kinora-${name}-Data:ExportsOutputFnGetAttMediaArn17EA67CD/t/*]`,
  reason: 'Keys of objects are made at run time; all lie below t/ of this one bucket.',
});

/** One statement for objects and one for the bucket, so that no two statements of a role allow the same. */
function mediaStatements(media: readonly MediaAccess[], { media: bucket }: Resources): PolicyStatement[] {
  const union = (level: keyof MediaActions) => [
    ...new Set(media.flatMap((access) => mediaActions[access][level] ?? [])),
  ];
  const [onObjects, onBucket] = [union('objects'), union('bucket')];
  return [
    ...(onObjects.length > 0
      ? [new PolicyStatement({ actions: onObjects, resources: [bucket.arnForObjects('t/*')] })]
      : []),
    ...(onBucket.length > 0
      ? [new PolicyStatement({ actions: onBucket, resources: [bucket.bucketArn] })]
      : []),
  ];
}

function tableStatement(
  name: TableName,
  actions: readonly ItemAction[],
  isAdmin: boolean,
  { tables }: Resources,
): PolicyStatement {
  return new PolicyStatement({
    actions: actions.map((action) => itemActions[action]),
    resources: [tables[name].tableArn],
    conditions: {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitionsOf(name, actions, isAdmin) },
    },
  });
}

/**
 * Prefixes of partition keys. The tenant in a key is known only at run time (docs/decisions/0061). Only functions that
 * write API keys list the keys of a tenant.
 */
function partitionsOf(name: TableName, actions: readonly ItemAction[], isAdmin: boolean): string[] {
  if (name === 'Auth') return isWriting(actions) ? ['KEY#*', 'TENANT#*'] : ['KEY#*'];
  return name === 'Core' && isAdmin ? ['ADMIN#*', 'T#*'] : ['T#*'];
}

const isWriting = (actions: readonly ItemAction[]): boolean =>
  actions.some((action) => action === 'put' || action === 'update' || action === 'delete');

/** The key that encrypts Auth. DynamoDB uses it in the name of the function. */
function authKeyStatement(actions: readonly ItemAction[], { authKey }: Resources): PolicyStatement {
  const reads = ['kms:Decrypt', 'kms:DescribeKey'];
  const writes = ['kms:Encrypt', 'kms:GenerateDataKey'];
  return new PolicyStatement({
    actions: isWriting(actions) ? [...reads, ...writes] : reads,
    resources: [authKey.keyArn],
  });
}
