/** What a function may do, as data, and the IAM statements that follow from it. Nothing is granted elsewhere. */
import type { Acknowledgment } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { type ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Permissions, TableAccess, TableName } from '../../platform/kernel/permissions.ts';
import type { MediaPolicies } from '../data/media-policies.ts';

import type { Environment } from '../environments.ts';
import calls from './calls.json' with { type: 'json' };
import { engineStatements, engineWildcards } from './engines.ts';

/** What permissions are given on. */
export interface Resources {
  readonly tables: Readonly<Record<TableName, Table>>;
  readonly authKey: Key;
  readonly secretsKey: Key;
  readonly media: Bucket;
  readonly mediaPolicies: MediaPolicies;
}

const readActions = ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query'];
// A transaction needs the permission of each of its actions, and ConditionCheckItem for its bare conditions.
const writeActions = [
  'dynamodb:ConditionCheckItem',
  'dynamodb:DeleteItem',
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
];
const tableActions: Readonly<Record<TableAccess, readonly string[]>> = {
  read: readActions,
  write: [...readActions, ...writeActions],
};
const keyActions: Readonly<Record<TableAccess, readonly string[]>> = {
  read: ['kms:Decrypt', 'kms:DescribeKey'],
  write: ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey'],
};

export function managedPoliciesOf(
  { media = [] }: Permissions,
  { mediaPolicies }: Resources,
): ManagedPolicy[] {
  return media.map((access) => mediaPolicies[access]);
}

/** @param id logical id of the function */
export function statementsOf(
  id: string,
  { tables = {}, engines = {} }: Permissions,
  environment: Environment,
  resources: Resources,
): PolicyStatement[] {
  return [...tableStatements(id, tables, resources), ...engineStatements(engines, environment, resources)];
}

/** Why the wildcards in those statements cannot be narrower. */
export const wildcardsOf = ({ engines = {} }: Permissions, environment: Environment): Acknowledgment[] =>
  engineWildcards(engines, environment);

type Reached = Readonly<Record<string, { tables: Readonly<Record<string, TableCalls | undefined>> }>>;
interface TableCalls {
  readonly actions: readonly string[];
  readonly keys: readonly string[];
}

function tableStatements(
  id: string,
  tables: NonNullable<Permissions['tables']>,
  resources: Resources,
): PolicyStatement[] {
  const statements = Object.entries(tables).flatMap(([name, access]) => {
    const reached = (calls as Reached)[id]?.tables[name];
    const actions = tableActions[access].filter((action) => reached?.actions.includes(action) ?? true);
    if (actions.length === 0) return [];
    return [
      new PolicyStatement({
        actions,
        resources: [resources.tables[name as TableName].tableArn],
        ...(reached && { conditions: inPartitions(reached.keys) }),
      }),
    ];
  });
  if (tables.Auth === undefined) return statements;
  return [
    ...statements,
    new PolicyStatement({ actions: [...keyActions[tables.Auth]], resources: [resources.authKey.keyArn] }),
  ];
}

/**
 * Whose partition it is only the code knows; of what kind is known beforehand (docs/decisions/0061). Each of the actions
 * tells its partition keys.
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html
 */
const inPartitions = (keys: readonly string[]) => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...keys] },
});
