/** Each local service judges the requests of a role by its policies, and answers a denial as AWS does. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import {
  CopyObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  PutObjectTaggingCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { DescribeExecutionCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DynamoDb, startDynamoDb } from '../../dynamodb/index.ts';
import { createAuthorizer, type IamView } from '../../iam/authorizer.ts';
import type { StatementDocument } from '../../iam/policy.ts';
import { issueSession } from '../../iam/principals.ts';
import { processRecords } from '../../processes.ts';
import { type StepFunctionsServer, startStepFunctions } from '../../stepfunctions/server.ts';
import { type RunningSts, startSts } from '../../sts/server.ts';
import { clientOf, startTestServer, type TestServer } from '../s3/harness.ts';
import { LAMBDA_INVOKE, machine } from '../stepfunctions/harness.ts';

const region = 'eu-central-1';
const account = '000000000000';
const operator = { accessKeyId: 'AKIDLOCALEXAMPLE', secretAccessKey: 'a/secret+of=this/test' };
const table = `arn:aws:dynamodb:${region}:${account}:table/Core`;
const machineArn = `arn:aws:states:${region}:${account}:stateMachine:calls`;
const functionArn = (name: string) => `arn:aws:lambda:${region}:${account}:function:${name}`;
const roleArn = (name: string) => `arn:aws:iam::${account}:role/${name}`;

const allow = (Action: string | string[], Resource: string, more: StatementDocument = {}) => ({
  ...{ Effect: 'Allow', Action, Resource },
  ...more,
});
const ofTenants = { Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['T#*'] } } };
const roles: Record<string, StatementDocument[]> = {
  Worker: [
    allow(['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'], table, ofTenants),
    allow(['s3:GetObject', 's3:PutObject'], 'arn:aws:s3:::media/t/*'),
    allow('s3:DeleteObject', 'arn:aws:s3:::media/t/free/*'),
    allow('states:StartExecution', machineArn),
    allow('sts:AssumeRole', 'arn:aws:iam::*:role/known-*'),
  ],
  Lister: [allow('s3:GetObject', 'arn:aws:s3:::media/*'), allow('s3:ListBucket', 'arn:aws:s3:::media')],
  Copier: [
    allow(['s3:GetObject', 's3:PutObject'], 'arn:aws:s3:::*'),
    allow(['s3:ListBucket', 's3:GetObjectTagging'], 'arn:aws:s3:::media*'),
    allow('s3:PutObjectTagging', 'arn:aws:s3:::*', {
      Condition: { StringEquals: { 's3:RequestObjectTag/kind': 'good' } },
    }),
  ],
  Machine: [allow('lambda:InvokeFunction', functionArn('permitted'))],
};
const iam: IamView = {
  account,
  roles: Object.entries(roles).map(([name, Statement]) => ({
    logicalId: name,
    arn: roleArn(name),
    trustPolicy: {},
    policies: [{ id: 'Own', document: { Statement } }],
  })),
  resourcePolicies: [
    {
      id: 'MediaPolicy',
      resource: 'arn:aws:s3:::media',
      document: {
        Statement: {
          ...allow('s3:PutObject', 'arn:aws:s3:::media/t/locked/*'),
          Effect: 'Deny',
          Principal: '*',
        },
      },
    },
  ],
};

const credentialsOf = (name: string, expires = Date.now() + 60_000) => {
  const options = { roleArn: roleArn(name), sessionName: 'one', expires };
  const { accessKeyId, secretAccessKey, token } = issueSession(operator.secretAccessKey, options);
  return { accessKeyId, secretAccessKey, sessionToken: token };
};
const user = (name: string) =>
  `User: arn:aws:sts::${account}:assumed-role/${name}/one is not authorized to perform:`;

let directory: string;
let dynamodb: DynamoDb;
let s3: TestServer;
let sts: RunningSts;
let stepFunctions: StepFunctionsServer;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'local-iam-'));
  mkdirSync(join(directory, 'logs'));
  const authorizer = createAuthorizer(iam);
  dynamodb = await startDynamoDb({
    directory,
    logDirectory: join(directory, 'logs'),
    port: 0,
    region,
    credentials: operator,
    tables: [
      {
        logicalId: 'Core',
        name: 'Core',
        keySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        attributes: [{ AttributeName: 'pk', AttributeType: 'S' }],
        globalIndexes: [],
        localIndexes: [],
      },
    ],
    records: processRecords(join(directory, 'run')),
    authorizer,
    accountId: account,
  });
  s3 = await startTestServer({
    region,
    credentials: operator,
    buckets: [{ name: 'media' }, { name: 'hidden' }],
    iam,
  });
  sts = await startSts({
    port: 0,
    region,
    accountId: account,
    credentials: operator,
    roles: directory,
    authorizer,
  });
  stepFunctions = await startStepFunctions({
    dir: join(directory, 'stepfunctions'),
    port: 0,
    region,
    credentials: operator,
    authorizer,
    stateMachines: [
      {
        name: 'calls',
        arn: machineArn,
        roleArn: roleArn('Machine'),
        definition: machine({
          A: {
            Type: 'Task',
            Resource: LAMBDA_INVOKE,
            Arguments: { FunctionName: '{% $states.input.name %}' },
            Output: 'done',
            End: true,
          },
        }),
      },
    ],
    invoke: async () => ({ payload: null }),
  });
});
afterAll(async () => {
  await stepFunctions.close();
  await sts.close();
  await s3.close();
  await dynamodb.stop();
  rmSync(directory, { recursive: true });
});

describe('DynamoDB', () => {
  const client = (credentials: object) =>
    new DynamoDBClient({ endpoint: dynamodb.url, region, credentials: credentials as never, maxAttempts: 1 });
  const put = (pk: string) => new PutItemCommand({ TableName: 'Core', Item: { pk: { S: pk } } });
  const get = (pk: string) => new GetItemCommand({ TableName: 'Core', Key: { pk: { S: pk } } });
  const worker = () => client(credentialsOf('Worker'));

  it('serves the actions that the role allows, in the partitions that it allows', async () => {
    await worker().send(put('T#a'));
    expect(await worker().send(get('T#a'))).toHaveProperty('Item');
    const query = (pk: string) =>
      new QueryCommand({
        TableName: 'Core',
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: pk } },
      });
    expect((await worker().send(query('T#a'))).Count).toBe(1);
    await expect(worker().send(query('ADMIN#'))).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: `${user('Worker')} dynamodb:Query on resource: ${table} because no identity-based policy allows the dynamodb:Query action`,
      $metadata: { httpStatusCode: 400 },
    });
  });

  it('refuses a transaction if the role does not allow one of its actions', async () => {
    const TransactItems = [
      { Put: { TableName: 'Core', Item: { pk: { S: 'T#b' } } } },
      { Delete: { TableName: 'Core', Key: { pk: { S: 'T#a' } } } },
    ];
    const denied = worker().send(new TransactWriteItemsCommand({ TransactItems }));
    await expect(denied).rejects.toThrow('dynamodb:DeleteItem on resource');
    expect(await worker().send(get('T#b'))).not.toHaveProperty('Item');
  });

  it('allows the operator everything, and an expired or forged session nothing', async () => {
    await client(operator).send(put('ADMIN#'));
    const expired = client(credentialsOf('Worker', Date.now() - 1)).send(put('T#a'));
    await expect(expired).rejects.toMatchObject({ name: 'ExpiredTokenException' });
    const forged = client({ ...credentialsOf('Worker'), sessionToken: 'x.y' }).send(put('T#a'));
    await expect(forged).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
  });
});

describe('S3', () => {
  const client = (name: string): S3Client => clientOf(s3.url, { region, credentials: credentialsOf(name) });
  const put = (Key: string) => new PutObjectCommand({ Bucket: 'media', Key, Body: 'x' });
  const denied = (name: string, action: string, resource: string) => ({
    name: 'AccessDenied',
    message: `${user(name)} ${action} on resource: "${resource}" because no identity-based policy allows the ${action} action`,
    $metadata: { httpStatusCode: 403 },
  });

  it('serves the actions that the role allows, and answers AccessDenied to others', async () => {
    await client('Worker').send(put('t/a'));
    await expect(client('Worker').send(put('other'))).rejects.toMatchObject(
      denied('Worker', 's3:PutObject', 'arn:aws:s3:::media/other'),
    );
    await expect(client('Worker').send(new ListObjectsV2Command({ Bucket: 'media' }))).rejects.toMatchObject(
      denied('Worker', 's3:ListBucket', 'arn:aws:s3:::media'),
    );
  });

  it('does not show whether an object exists to a role that may not list the bucket', async () => {
    const missing = { Bucket: 'media', Key: 't/missing' };
    await expect(client('Worker').send(new GetObjectCommand(missing))).rejects.toMatchObject(
      denied('Worker', 's3:ListBucket', 'arn:aws:s3:::media'),
    );
    await expect(client('Worker').send(new HeadObjectCommand(missing))).rejects.toMatchObject({
      $metadata: { httpStatusCode: 403 },
    });
    await expect(client('Lister').send(new GetObjectCommand(missing))).rejects.toMatchObject({
      name: 'NoSuchKey',
    });
  });

  it('checks a presigned URL with the permissions of its signer', async () => {
    const permitted = await getSignedUrl(client('Worker'), put('t/a'), { expiresIn: 60 });
    expect((await fetch(permitted, { method: 'PUT', body: 'x' })).status).toBe(200);
    const other = await getSignedUrl(client('Lister'), put('t/a'), { expiresIn: 60 });
    const reply = await fetch(other, { method: 'PUT', body: 'x' });
    expect([reply.status, await reply.text()]).toEqual([403, expect.stringContaining('s3:PutObject')]);
  });

  it('deletes only those objects of a request that the role may delete, and lists the others as errors', async () => {
    for (const key of ['t/free/a', 't/kept']) await s3.client.send(put(key));
    const Objects = [{ Key: 't/free/a' }, { Key: 't/kept' }];
    const { Deleted, Errors } = await client('Worker').send(
      new DeleteObjectsCommand({ Bucket: 'media', Delete: { Objects } }),
    );
    expect(Deleted).toMatchObject([{ Key: 't/free/a' }]);
    expect(Errors).toMatchObject([{ Key: 't/kept', Code: 'AccessDenied' }]);
  });

  it('checks the tags and the source of a copy, and the tags in a body', async () => {
    for (const Bucket of ['media', 'hidden'])
      for (const kind of ['good', 'bad'])
        await s3.client.send(new PutObjectCommand({ Bucket, Key: kind, Body: 'x', Tagging: `kind=${kind}` }));
    const copier = client('Copier');
    const answer = (sent: Promise<unknown>) =>
      sent.then(
        () => 'done',
        ({ message }: Error) => /s3:\w+ on resource: "[^"]+"/.exec(message)?.[0],
      );
    const copy = (CopySource: string) =>
      answer(copier.send(new CopyObjectCommand({ Bucket: 'media', Key: 'copy', CopySource })));
    const tag = (Value: string) => {
      const Tagging = { TagSet: [{ Key: 'kind', Value }] };
      return answer(copier.send(new PutObjectTaggingCommand({ Bucket: 'media', Key: 'good', Tagging })));
    };
    expect([await copy('media/good'), await tag('good')]).toEqual(['done', 'done']);
    expect(await copy('media/bad')).toBe('s3:PutObjectTagging on resource: "arn:aws:s3:::media/copy"');
    expect(await copy('hidden/good')).toBe('s3:GetObjectTagging on resource: "arn:aws:s3:::hidden/good"');
    expect(await copy('hidden/missing')).toBe('s3:ListBucket on resource: "arn:aws:s3:::hidden"');
    expect(await tag('bad')).toBe('s3:PutObjectTagging on resource: "arn:aws:s3:::media/good"');
  });

  it('also applies the policy of the bucket', async () => {
    await expect(client('Worker').send(put('t/locked/a'))).rejects.toThrow(
      'with an explicit deny in a resource-based policy',
    );
  });
});

describe('Step Functions', () => {
  const client = (credentials: object) =>
    new SFNClient({ endpoint: stepFunctions.url, region, credentials: credentials as never, maxAttempts: 1 });
  const ended = async (name: string) => {
    const input = JSON.stringify({ name });
    const { executionArn } = await client(credentialsOf('Worker')).send(
      new StartExecutionCommand({ stateMachineArn: machineArn, input }),
    );
    for (;;) {
      const found = await client(operator).send(new DescribeExecutionCommand({ executionArn }));
      if (found.status !== 'RUNNING') return found;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };

  it('starts executions for a role that may start them but not read them', async () => {
    const { executionArn } = await ended('permitted');
    await expect(
      client(credentialsOf('Worker')).send(new DescribeExecutionCommand({ executionArn })),
    ).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringContaining(`states:DescribeExecution on resource: ${executionArn}`),
    });
  });

  it('invokes only the functions that the role of the machine may invoke', async () => {
    expect(await ended('permitted')).toMatchObject({ status: 'SUCCEEDED' });
    expect(await ended('other')).toMatchObject({
      status: 'FAILED',
      error: 'States.Permissions',
      cause: expect.stringContaining(`lambda:InvokeFunction on resource: ${functionArn('other')}`),
    });
  });
});

it('STS refuses a caller who may not assume the role', async () => {
  const client = new STSClient({
    endpoint: sts.url,
    region,
    credentials: credentialsOf('Worker'),
    maxAttempts: 1,
  });
  const assume = (name: string) =>
    client.send(
      new AssumeRoleCommand({ RoleArn: `arn:aws:iam::111111111111:role/${name}`, RoleSessionName: 'two' }),
    );
  await expect(assume('other')).rejects.toMatchObject({
    name: 'AccessDenied',
    message: expect.stringContaining('because no identity-based policy allows the sts:AssumeRole action'),
  });
  // The policy of the caller allows this one, and its trust policy is missing.
  await expect(assume('known-role')).rejects.toThrow(`${user('Worker')} sts:AssumeRole`);
});
