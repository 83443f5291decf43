/** Runs `npm run keys -- limits` on a real table. Limits that the command does not name stay. */
import { execFile } from 'node:child_process';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { ApiKeys } from '../../platform/records/api-keys.ts';
import { changedLimits, firstLimits } from '../../scripts/keys/limits.ts';
import { asTenantId } from '../../shared/ids.ts';
import { startDynamoDb } from '../support/dynamodb.ts';

const acme = asTenantId('acme');
const dynamodb = await startDynamoDb();
const keys = new ApiKeys(dynamodb.client, 'Auth');
afterAll(() => dynamodb.close());

const before = { requests_per_minute: 60, concurrent_jobs: 2, quotas: { cost: 50, uploads: 100 } };

describe('the limits of a tenant', () => {
  beforeEach(() => keys.setLimits(acme, before));

  const limits = (...args: string[]) => run('limits', acme, ...args);

  const run = (command: string, tenant: string, ...args: string[]) =>
    new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      const env = {
        ...process.env,
        AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: 'test',
      };
      const place = ['--tenant', tenant, '--table', 'Auth', '--region', 'us-east-1'];
      execFile('node', ['scripts/keys.ts', command, ...place, ...args], { env }, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, stdout, stderr }),
      );
    });

  it('are only shown if no option is given', async () => {
    const { code, stdout } = await limits();
    expect([code, JSON.parse(stdout)]).toEqual([0, { tenant: acme, ...before }]);
    expect(await keys.limitsOf(acme)).toEqual(before);
  });

  it('are set with the first key of a tenant, and not with later keys', async () => {
    const created = async (tenant: string, ...args: string[]) =>
      JSON.parse((await run('create', tenant, ...args)).stdout).limits;
    expect(await created('fresh')).toEqual(firstLimits);
    expect(await keys.limitsOf(asTenantId('fresh'))).toEqual(firstLimits);
    expect(await created('rich', '--quotas', 'cost=900')).toEqual({ ...firstLimits, quotas: { cost: 900 } });
    expect(await created('free', '--quotas', 'none', '--concurrent-jobs', 'none')).toMatchObject({
      ...{ requests_per_minute: 600, concurrent_jobs: null, quotas: {} },
    });
    expect(await created(acme)).toEqual(before);
    const old = asTenantId('old');
    await keys.create({ tenant: old, scopes: [], mode: 'test' });
    expect(await created(old)).toMatchObject({ requests_per_minute: null, quotas: {} });
  });

  it('change only if an option names them, also in the keys of the tenant', async () => {
    const { key } = await keys.create({ tenant: acme, scopes: [], mode: 'test' });
    const after = { ...before, requests_per_minute: 5 };
    expect(JSON.parse((await limits('--requests-per-minute', '5')).stdout)).toEqual({
      tenant: acme,
      ...after,
    });
    expect(await keys.limitsOf(acme)).toEqual(after);
    expect((await keys.find(key.id))?.limits).toEqual(after);
  });
});

describe('an option of the limits', () => {
  it('changes one quota and keeps the others', () => {
    expect(changedLimits(before, { quotas: 'cost=75.5, stored_bytes=1e9' })).toEqual({
      ...before,
      quotas: { cost: 75.5, uploads: 100, stored_bytes: 1e9 },
    });
  });

  it('removes one limit, one quota or all quotas with `none`', () => {
    expect(changedLimits(before, { 'requests-per-minute': 'none', quotas: 'cost=none' })).toEqual({
      ...before,
      requests_per_minute: null,
      quotas: { uploads: 100 },
    });
    expect(changedLimits(before, { 'concurrent-jobs': 'none', quotas: 'none' })).toEqual({
      ...before,
      concurrent_jobs: null,
      quotas: {},
    });
  });

  it.each([
    { 'requests-per-minute': '0' },
    { 'concurrent-jobs': '' },
    { quotas: 'money=5' },
    { quotas: 'cost' },
    { quotas: '' },
  ])('is refused with a correct example: %j', (named) => {
    expect(() => changedLimits(before, named)).toThrow(
      expect.objectContaining({ cure: expect.stringMatching(/none/) }),
    );
  });
});
