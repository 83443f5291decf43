/** What a function may do, as data, and the IAM statements that follow from it. Nothing is granted elsewhere. */
import { type Acknowledgment, Aws } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { type ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { MediaAccess, MediaPolicies } from '../data/media-policies.ts';
import type { TableName } from '../data/tables.ts';

export type TableAccess = 'read' | 'write';
export type Service = 'transcribe';
/** `seal` encrypts what tenants entrust; `open` reads it again. */
export type SecretAccess = 'seal' | 'open';

export interface Permissions {
  /** `write` includes `read`. */
  readonly tables?: Readonly<Partial<Record<TableName, TableAccess>>>;
  readonly media?: readonly MediaAccess[];
  readonly services?: readonly Service[];
  readonly secrets?: readonly SecretAccess[];
}

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
  'dynamodb:BatchWriteItem',
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

export function statementsOf(
  { tables = {}, services = [], secrets = [] }: Permissions,
  resources: Resources,
): PolicyStatement[] {
  return [
    ...tableStatements(tables, resources),
    ...services.flatMap((service) => serviceStatements[service](resources)),
    ...secrets.map((access) => secretStatement(access, resources)),
  ];
}

const secretActions: Readonly<Record<SecretAccess, string>> = {
  seal: 'kms:GenerateDataKey',
  open: 'kms:Decrypt',
};

/** Only with the context that binds a data key to one thing of one tenant: engines/secrets/aws.ts. */
const secretStatement = (access: SecretAccess, { secretsKey }: Resources) =>
  new PolicyStatement({
    actions: [secretActions[access]],
    resources: [secretsKey.keyArn],
    conditions: {
      Null: { 'kms:EncryptionContext:tenant': 'false', 'kms:EncryptionContext:resource': 'false' },
    },
  });

function tableStatements(
  tables: NonNullable<Permissions['tables']>,
  resources: Resources,
): PolicyStatement[] {
  const statements = Object.entries(tables).map(
    ([name, access]) =>
      new PolicyStatement({
        actions: [...tableActions[access]],
        resources: [resources.tables[name as TableName].tableArn],
      }),
  );
  if (tables.Auth === undefined) return statements;
  return [
    ...statements,
    new PolicyStatement({ actions: [...keyActions[tables.Auth]], resources: [resources.authKey.keyArn] }),
  ];
}

/** Jobs carry the prefix, so that Kinora sees no other transcription of the account. */
const transcriptionJobs = (partition: string, region: string, account: string) =>
  `arn:${partition}:transcribe:${region}:${account}:transcription-job/kinora-*`;

const serviceStatements: Readonly<Record<Service, (resources: Resources) => PolicyStatement[]>> = {
  transcribe: ({ media }) => [
    // Transcribe has no resource for what is only being started, so the bucket of the results bounds it.
    new PolicyStatement({
      actions: ['transcribe:StartTranscriptionJob'],
      resources: ['*'],
      conditions: { StringEquals: { 'transcribe:OutputBucketName': media.bucketName } },
    }),
    new PolicyStatement({
      actions: ['transcribe:DeleteTranscriptionJob', 'transcribe:GetTranscriptionJob'],
      resources: [transcriptionJobs(Aws.PARTITION, Aws.REGION, Aws.ACCOUNT_ID)],
    }),
  ],
};

/** Why the wildcards in a service's statements cannot be narrower. */
const serviceWildcards: Readonly<Record<Service, readonly Acknowledgment[]>> = {
  transcribe: [
    {
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason:
        'StartTranscriptionJob has no resource to name; a condition binds its results to the media bucket.',
    },
    {
      id: `AwsSolutions-IAM5[Resource::${transcriptionJobs('<AWS::Partition>', '<AWS::Region>', '<AWS::AccountId>')}]`,
      reason: 'Jobs are named at run time; the prefix keeps to those of Kinora.',
    },
  ],
};

export function wildcardsOf({ services = [] }: Permissions): Acknowledgment[] {
  return services.flatMap((service) => serviceWildcards[service]);
}
