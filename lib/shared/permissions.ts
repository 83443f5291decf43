/** Converts the permissions that a function declares to IAM statements. No other code grants permissions. */
import type { Acknowledgment } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { ItemAction, Permissions, TableName } from '../../platform/steps/permissions.ts';
import { mediaStatements, mediaWildcard } from '../data/media-bucket.ts';
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
    ...mediaStatements(media, resources.media),
    ...engineStatements(engines, environment, resources),
  ];
}

/** Reasons for the wildcards in a function's statements. */
export const wildcardsOf = (
  { media = [], engines = {} }: Permissions,
  environment: Environment,
): Acknowledgment[] => [
  // The bucket is in another stack, so findings of cdk-nag contain the name of its export.
  ...(media.length > 0
    ? [mediaWildcard(`Kinora-${environment.name}-Data:ExportsOutputFnGetAttMediaArn17EA67CD`)]
    : []),
  ...engineWildcards(engines, environment),
];

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
 * Returns prefixes of partition keys. The tenant in a key is known only at run time (docs/decisions/0061). Only functions that
 * write API keys may list the keys of a tenant.
 */
function partitionsOf(name: TableName, actions: readonly ItemAction[], isAdmin: boolean): string[] {
  if (name === 'Auth') return isWriting(actions) ? ['KEY#*', 'TENANT#*'] : ['KEY#*'];
  return name === 'Core' && isAdmin ? ['ADMIN#*', 'T#*'] : ['T#*'];
}

const isWriting = (actions: readonly ItemAction[]): boolean =>
  actions.some((action) => action === 'put' || action === 'update' || action === 'delete');

/** Lets the function use the encryption key of Auth through DynamoDB. */
function authKeyStatement(actions: readonly ItemAction[], { authKey }: Resources): PolicyStatement {
  const reads = ['kms:Decrypt', 'kms:DescribeKey'];
  const writes = ['kms:Encrypt', 'kms:GenerateDataKey'];
  return new PolicyStatement({
    actions: isWriting(actions) ? [...reads, ...writes] : reads,
    resources: [authKey.keyArn],
  });
}
