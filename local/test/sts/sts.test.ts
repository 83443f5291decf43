import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSts, startSts } from '../../sts/server.ts';
import { BUCKET, CREDENTIALS, clientOf, REGION, startTestServer, type TestServer } from '../s3/harness.ts';

const account = '123456789012';
const denied = { name: 'AccessDenied' };
const arnOf = (name: string) => `arn:aws:iam::${account}:role/${name}`;
const trusting = (condition?: object) => ({
  Statement: [
    {
      Effect: 'Allow',
      Principal: { AWS: 'arn:aws:iam::000000000000:root' },
      Action: 'sts:AssumeRole',
      ...(condition && { Condition: condition }),
    },
  ],
});
const allowing = (Action: string | string[], Resource: string) => ({
  Statement: [{ Effect: 'Allow', Action, Resource }],
});
const withId = trusting({ StringEquals: { 'sts:ExternalId': 'one' } });

let s3: TestServer;
let sts: RunningSts;
let roles: string;
let now = Date.now();

beforeAll(async () => {
  roles = await mkdtemp(join(tmpdir(), 'roles-'));
  await mkdir(join(roles, account));
  s3 = await startTestServer({ now: () => now });
  await s3.client.send(new CreateBucketCommand({ Bucket: 'theirs' }));
  sts = await startSts({
    port: 0,
    region: REGION,
    accountId: '000000000000',
    credentials: CREDENTIALS,
    roles,
    now: () => now,
  });
});
afterAll(async () => {
  await sts.close();
  await s3.close();
  await rm(roles, { recursive: true });
});

const role = (name: string, trust_policy: object, permission_policy: object) =>
  writeFile(join(roles, account, `${name}.json`), JSON.stringify({ trust_policy, permission_policy }));
const client = () => new STSClient({ endpoint: sts.url, region: REGION, credentials: CREDENTIALS });
const assume = async (name: string, more: object = { ExternalId: 'one' }) => {
  const command = new AssumeRoleCommand({ RoleArn: arnOf(name), RoleSessionName: 'test', ...more });
  const { Credentials: made } = await client().send(command);
  const { AccessKeyId, SecretAccessKey, SessionToken } = made!;
  return { accessKeyId: AccessKeyId!, secretAccessKey: SecretAccessKey!, sessionToken: SessionToken! };
};
const put = (credentials: object, Bucket: string, Key = 'a', more: object = {}) =>
  clientOf(s3.url, { credentials, ...more } as never).send(new PutObjectCommand({ Bucket, Key, Body: 'x' }));

describe('a role of the local cloud', () => {
  it('is assumed only with the external id of its trust policy', async () => {
    await role('one', withId, allowing('s3:PutObject', 'arn:aws:s3:::theirs/*'));
    expect((await assume('one')).accessKeyId).toMatch(/^ASIA/);
    for (const [name, more] of [
      ['one', {}],
      ['one', { ExternalId: 'two' }],
      ['absent', undefined],
    ] as const) {
      await expect(assume(name, more)).rejects.toMatchObject(denied);
    }
    await role('open', trusting(), allowing('s3:*', '*'));
    expect(await assume('open', {})).toBeTruthy();
    const isRoot = { ArnEquals: { 'aws:PrincipalArn': 'arn:aws:iam::000000000000:root' } };
    await role('root', trusting(isRoot), allowing('s3:*', '*'));
    expect(await assume('root', {})).toBeTruthy();
    const { Statement } = trusting();
    const Deny = { Effect: 'Deny', NotPrincipal: { AWS: '000000000000' }, Action: 'sts:AssumeRole' };
    await role('denying', { Statement: [...Statement, Deny] }, allowing('s3:*', '*'));
    await expect(assume('denying', {})).rejects.toMatchObject(denied);
    await role('other', trusting({ Bool: { 'aws:MultiFactorAuthPresent': 'true' } }), allowing('s3:*', '*'));
    await expect(assume('other')).rejects.toMatchObject(denied);
  });

  it('allows only what both its policy and the session policy allow', async () => {
    await role('two', withId, allowing(['s3:PutObject', 's3:GetObject'], 'arn:aws:s3:::theirs/ours/*'));
    const whole = await assume('two');
    await put(whole, 'theirs', 'ours/a');
    await expect(put(whole, 'theirs', 'elsewhere')).rejects.toMatchObject(denied);
    const list = new ListObjectsV2Command({ Bucket: 'theirs' });
    const s3Client = clientOf(s3.url, { credentials: whole });
    await expect(s3Client.send(list)).rejects.toMatchObject(denied);
    const missing = new GetObjectCommand({ Bucket: 'theirs', Key: 'ours/missing' });
    await expect(s3Client.send(missing)).rejects.toMatchObject(denied);
    const Policy = JSON.stringify(allowing('s3:PutObject', 'arn:aws:s3:::theirs/ours/one'));
    const narrow = await assume('two', { ExternalId: 'one', Policy });
    await put(narrow, 'theirs', 'ours/one');
    await expect(put(narrow, 'theirs', 'ours/two')).rejects.toMatchObject(denied);
  });

  it.each<[string, object]>([
    ['ValidationError', { PolicyArns: [{ arn: 'arn:aws:iam::aws:policy/AWSDenyAll' }] }],
    ['ValidationError', { Tags: [{ Key: 'a', Value: 'b' }] }],
    ['ValidationError', { SourceIdentity: 'me' }],
    ...['null', '[]', '"x"', '{', '{}'].map((Policy): [string, object] => [
      'MalformedPolicyDocumentException',
      { Policy },
    ]),
  ])('is refused with %s for %j', async (name, more) => {
    await role('three', trusting(), allowing('s3:*', '*'));
    await expect(assume('three', more)).rejects.toMatchObject({ name });
  });

  it('never has access to the buckets of the local cloud itself', async () => {
    await role('all', withId, allowing('s3:PutObject', '*'));
    await expect(put(await assume('all'), BUCKET)).rejects.toMatchObject(denied);
  });

  it('has credentials that expire and cannot be forged', async () => {
    const credentials = await assume('one');
    const [claims, seal] = credentials.sessionToken.split('.') as [string, string];
    const forged = Buffer.from(claims, 'base64url').toString().replace('theirs', BUCKET);
    const sessionToken = `${Buffer.from(forged).toString('base64url')}.${seal}`;
    const otherToken = put({ ...credentials, sessionToken }, 'theirs');
    await expect(otherToken).rejects.toMatchObject({ name: 'InvalidToken' });
    const otherSecret = put({ ...credentials, secretAccessKey: 'x' }, 'theirs');
    await expect(otherSecret).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' });
    now += 3_601_000;
    const late = put(credentials, 'theirs', 'a', { systemClockOffset: 3_601_000 });
    await expect(late).rejects.toMatchObject({ name: 'ExpiredToken' });
  });

  it('is not given to a caller without a signature', async () => {
    const parameters = { Action: 'AssumeRole', RoleArn: arnOf('open'), RoleSessionName: 'test' };
    const body = new URLSearchParams(parameters);
    const reply = await fetch(sts.url, { method: 'POST', body });
    expect(reply.status).toBe(403);
    expect(await reply.text()).toContain('MissingAuthenticationToken');
  });
});
