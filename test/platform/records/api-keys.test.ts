import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, it } from 'vitest';
import { ApiKeys } from '../../../platform/records/api-keys.ts';
import { asTenantId } from '../../../shared/ids.ts';
import { startDynamoDb } from '../../support/dynamodb.ts';

const acme = asTenantId('acme');
const other = asTenantId('other');

const dynamodb = await startDynamoDb();
const keys = new ApiKeys(dynamodb.client, 'Auth');
afterAll(() => dynamodb.close());

const newKey = async (tenant = acme) => (await keys.create({ tenant, scopes: [], mode: 'test' })).key.id;
const statusOf = async (id: string) => (await keys.find(id))?.status;

it('suspends and resumes all keys of a tenant, except revoked keys and keys of other tenants', async () => {
  const [one, another, revoked] = [await newKey(), await newKey(), await newKey()];
  const all = [one, another, revoked, await newKey(other)];
  await keys.revoke(revoked);
  expect((await keys.suspend(acme)).sort()).toEqual([one, another].sort());
  const suspended = ['suspended', 'suspended', 'revoked', 'active'];
  expect(await Promise.all(all.map(statusOf))).toEqual(suspended);
  expect((await keys.resume(acme)).sort()).toEqual([one, another].sort());
  const resumed = ['active', 'active', 'revoked', 'active'];
  expect(await Promise.all(all.map(statusOf))).toEqual(resumed);
});

it('rotates no key of a suspended tenant', async () => {
  const id = await newKey();
  await keys.suspend(acme);
  expect(await keys.rotate(id, 'test', new Date())).toBeNull();
});

it('suspends a new key of a suspended tenant, with or without other keys, until the tenant is resumed', async () => {
  const tenant = asTenantId('keyless');
  expect(await keys.suspend(tenant)).toEqual([]);
  const id = await newKey(tenant);
  expect(await statusOf(id)).toBe('suspended');
  expect(await keys.resume(tenant)).toEqual([id]);
  expect(await statusOf(id)).toBe('active');
  expect(await statusOf(await newKey(tenant))).toBe('active');
});

it('removes a key and its entry under its tenant', async () => {
  const tenant = asTenantId('short-lived');
  const { key } = await keys.create({ tenant, scopes: [], mode: 'test' });
  const stays = await newKey(tenant);
  await keys.remove(key);
  expect(await keys.find(key.id)).toBeNull();
  expect((await keys.list(tenant)).map(({ id }) => id)).toEqual([stays]);
  const { Count } = await dynamodb.client.send(
    new QueryCommand({
      TableName: 'Auth',
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: `TENANT#${tenant}` } },
    }),
  );
  expect(Count).toBe(1);
});
