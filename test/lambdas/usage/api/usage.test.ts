import { uuidv7 } from 'uuidv7';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openUpload } from '../../../../lambdas/uploads/actions/multipart-upload.ts';
import { Jobs } from '../../../../platform/jobs/job-records.ts';
import { sourceKey } from '../../../../platform/objects/media-objects.ts';
import { assetKey } from '../../../../platform/table/keys.ts';
import { Usage } from '../../../../platform/usage/metering.ts';
import type { IngestOwn } from '../../../../shared/ingest-jobs.ts';
import { NotFound } from '../../../../shared/problems.ts';
import type { Limits } from '../../../../shared/usage.ts';
import { type Answer, english, spanish, type Tenant } from '../../../support/api.ts';
import { begunUpload } from '../../../support/begun-upload.ts';
import { newAssetId, newJobId } from '../../../support/ids.ts';
import { runStep } from '../../../support/run-step.ts';
import { startTestApi } from '../../../support/test-api.ts';

let tenants = 0;

const api = await startTestApi();
afterEach(() => vi.useRealTimers());

async function tenantWith(limits: Partial<Limits> = {}): Promise<Tenant & { usage: Usage }> {
  tenants += 1;
  const tenant = await api.limited(`tenant-${tenants}`, limits);
  return { ...tenant, usage: new Usage(tenant.table, tenant.id) };
}

const amounts = (report: { readonly metrics: readonly { metric: string; quantity: number }[] }) =>
  Object.fromEntries(report.metrics.map(({ metric, quantity }) => [metric, quantity]));

/** Common members of the metered uses. */
const used = (at: string, use_id = uuidv7()) => ({ use_id, at, job_id: newJobId(), by: null });

const units = {
  uploads: 'count',
  uploaded_bytes: 'bytes',
  transcription_minutes: 'minutes',
  translated_characters: 'characters',
  spoken_characters: 'characters',
  analyzed_pictures: 'count',
  analyzed_characters: 'characters',
  rendered_minutes: 'minutes',
  cost: 'usd',
  stored_bytes: 'bytes',
};
const nothing = Object.fromEntries(Object.keys(units).map((metric) => [metric, 0]));
const november = new Date('2026-11-21T09:00:00Z');

describe('GET /v1/usages/current_month', () => {
  it('returns every metric with its unit, and zero without use', async () => {
    const { call } = await tenantWith();
    const { status, json } = await call('GET', '/v1/usages/current_month');
    expect(status).toBe(200);
    expect(json.period).toMatch(/^\d{4}-\d{2}$/);
    const metrics = Object.entries(units).map(([metric, unit]) => ({ metric, unit, quantity: 0 }));
    expect(json.metrics).toEqual(metrics);
  });

  it('counts the use that steps recorded, times in minutes', async () => {
    const { used: shown, usage } = await tenantWith();
    const at = new Date().toISOString();
    for (const use_id of [uuidv7(), uuidv7()]) {
      await usage.record({ ...used(at, use_id), meter: 'uploads', quantity: 1 });
      await usage.record({ ...used(at, use_id), meter: 'transcribed_ms', quantity: 45_000 });
    }
    expect(await shown()).toMatchObject({ uploads: 2, transcription_minutes: 1.5 });
  });

  it('shows nothing of another tenant', async () => {
    const { usage } = await tenantWith();
    const by = { engine: 'polly', microusd: 1000 };
    await usage.record({ ...used(new Date().toISOString()), meter: 'uploads', quantity: 1, by });
    const other = await tenantWith();
    expect(await other.used()).toEqual(nothing);
  });
});

describe('metering', () => {
  it('counts a step once, despite late retries', async () => {
    const { usage } = await tenantWith();
    const event = { ...used('2026-10-31T23:59:59.000Z'), meter: 'uploads', quantity: 1 } as const;
    await Promise.all(Array.from({ length: 10 }, () => usage.record(event)));
    expect(amounts(await usage.current(new Date('2026-10-31T23:59:59Z'))).uploads).toBe(1);
    expect(amounts(await usage.current(november)).uploads).toBe(0);
    expect(amounts((await usage.history(november, 1))[0]!).uploads).toBe(1);
  });

  it('counts the use of many jobs that end at the same time', async () => {
    const { usage } = await tenantWith();
    const at = november.toISOString();
    await Promise.all(
      Array.from({ length: 60 }, () => usage.record({ ...used(at), meter: 'uploads', quantity: 1 })),
    );
    expect(amounts(await usage.current(november)).uploads).toBe(60);
  });

  it('counts stored bytes at their current level: a second upload replaces them, a deletion removes them', async () => {
    const tenant = await tenantWith();
    const { usage } = tenant;
    const asset = await tenant.readyAsset();
    const [first, second] = [newJobId(), newJobId()];
    const stored = async () => amounts(await usage.current(november)).stored_bytes;
    await usage.recordStored(asset, first, { bytes: 1000, now: november });
    await usage.recordStored(asset, first, { bytes: 1000, now: november });
    expect(await stored()).toBe(1000);
    await usage.recordStored(asset, second, { bytes: 400, now: november });
    expect(await stored()).toBe(400);
    await usage.recordRemoved(asset, november);
    await usage.recordRemoved(asset, november);
    expect(await stored()).toBe(0);
  });

  it('reports for past months the storage at their ends', async () => {
    const tenant = await tenantWith();
    const [kept, removed] = [await tenant.readyAsset(), await tenant.readyAsset()];
    await tenant.usage.recordStored(kept, newJobId(), { bytes: 100, now: new Date('2026-08-05T00:00:00Z') });
    await tenant.usage.recordStored(removed, newJobId(), {
      bytes: 50,
      now: new Date('2026-09-05T00:00:00Z'),
    });
    await tenant.usage.recordRemoved(removed, new Date('2026-11-05T00:00:00Z'));
    const history = await tenant.usage.history(november, 4);
    expect(history.map((report) => [report.period, amounts(report).stored_bytes])).toEqual([
      ['2026-10', 150],
      ['2026-09', 150],
      ['2026-08', 100],
      ['2026-07', 0],
    ]);
  });
});

describe('GET /v1/usages/historical', () => {
  it('returns twelve months before the current one, or the requested number, the latest first', async () => {
    const { call } = await tenantWith();
    const { json } = await call('GET', '/v1/usages/historical');
    expect(json.data).toHaveLength(12);
    const periods = json.data.map(({ period }: { period: string }) => period);
    expect(periods).toEqual([...periods].sort().reverse());
    expect(periods[0] < new Date().toISOString().slice(0, 7)).toBe(true);
    expect((await call('GET', '/v1/usages/historical?months=2')).json.data).toHaveLength(2);
    expect((await call('GET', '/v1/usages/historical?months=37')).status).toBe(400);
  });
});

describe('the steps of an upload', () => {
  it('meter uploads, bytes and storage once, even if they run twice', async () => {
    const tenant = await tenantWith();
    const { path, asset_id, etags } = await sentUpload(tenant, '12345');
    const { job_id } = (await tenant.call('POST', `${path}/finish_upload`, { etags })).json;
    const input = { tenant: tenant.id, asset_id, job_id };
    await runStep('complete-upload', input);
    await runStep('complete-upload', input);
    const jobs = new Jobs<'ingest', IngestOwn>(tenant.table, tenant.id, 'ingest');
    const { transcription_id } = (await jobs.get(asset_id, job_id)).own;
    await tenant.transcribed(asset_id, ['hello'], { transcription_id });
    await tenant.table.update({
      key: assetKey(tenant.id, asset_id),
      expression: 'SET duration_ms = :ms',
      values: { ms: 90_000 },
    });
    await runStep('finish-ingest', input);
    await runStep('finish-ingest', input);
    expect(await tenant.used()).toEqual({ ...nothing, uploads: 1, uploaded_bytes: 5, stored_bytes: 5 });
    expect((await tenant.call('GET', `/v1/assets/${asset_id}`)).json.status).toBe('ready');
  });
});

describe('an unfinished upload', () => {
  it('counts against the quota of stored bytes when another upload starts, for an asset or a branding file', async () => {
    const tenant = await tenantWith({ quotas: { stored_bytes: 8 } });
    const [one, other] = [await begunUpload(tenant), await begunUpload(tenant)];
    await one.send('12345');
    expect((await tenant.call('POST', `${other.path}/start_upload`)).status).toBe(200);
    await other.send('67890');
    const overlay = (
      await tenant.call('POST', '/v1/branding_overlays', { name: 'Logo', filename: 'logo.png' })
    ).json.overlay_id;
    for (const path of [one.path, `/v1/branding_overlays/${overlay}`]) {
      const { status, json } = await tenant.call('POST', `${path}/start_upload`);
      expect([status, json.code, json.detail]).toEqual([
        403,
        'quota_exceeded',
        expect.stringContaining('2 unfinished uploads with 10 bytes'),
      ]);
    }
  });

  it('leaves no data if its owner is deleted while it starts', async () => {
    const { objects, ...tenant } = await tenantWith();
    const key = sourceKey(tenant.id, newAssetId());
    const begin = async () => {
      throw new NotFound('asset', key);
    };
    await expect(openUpload({ key, uploadId: null, begin, promise: begin }, objects)).rejects.toThrow(
      NotFound,
    );
    expect(await objects.unfinished()).toEqual({ uploads: 0, bytes: 0 });
  });
});

describe('quotas of characters', () => {
  const ask = async (tenant: Tenant, kind: string, language = english) => {
    const asset = await tenant.readyAsset();
    await tenant.transcribed(asset, ['The house is red.']);
    if (language !== english)
      await tenant.transcribed(asset, ['La casa es roja.'], { source: 'translated', language_id: language });
    return () => tenant.call('POST', `/v1/assets/${asset}/${kind}`, { language_ids: [spanish] });
  };

  it.each([
    ['translated_characters', 'translation_jobs', english],
    ['spoken_characters', 'process_voice_over_jobs', spanish],
  ] as const)('of %s refuse the jobs that would together exceed them', async (metric, kind, language) => {
    const tenant = await tenantWith({ quotas: { [metric]: 40 } });
    const requests = [];
    for (let nth = 0; nth < 4; nth += 1) requests.push(await ask(tenant, kind, language));
    const answers = await Promise.all(requests.map((request) => request()));
    const codes = answers.map(({ status, json }) => (status === 202 ? 'begun' : json.code));
    expect(codes.toSorted()).toEqual(['begun', 'begun', 'quota_exceeded', 'quota_exceeded']);
    const refused = answers.find(({ status }) => status === 403)!;
    expect(refused.json.detail).toContain(metric);
    // A failed job releases its reservation.
    const { job_id } = answers.find(({ status }) => status === 202)!.json;
    expect((await tenant.call('POST', `/v1/jobs/${job_id}/cancel`)).status).toBe(200);
    expect((await requests[codes.indexOf('quota_exceeded')]!()).status).toBe(202);
  });
});

describe('finish_upload for many uploads at the same time', () => {
  const finishAll = (tenant: Tenant, uploads: readonly { path: string; etags: string[] }[]) =>
    Promise.all(uploads.map(({ path, etags }) => tenant.call('POST', `${path}/finish_upload`, { etags })));
  // Arrived parts count when an upload starts, so all start first.
  const sent = async (tenant: Tenant, count: number) => {
    const begun = await Promise.all(Array.from({ length: count }, () => begunUpload(tenant)));
    return Promise.all(begun.map(({ send }) => send('12345')));
  };
  /** Runs the step that joins and meters, for every upload that was accepted. */
  const joined = async (tenant: Tenant, answers: readonly Answer[]) => {
    for (const { json } of answers.filter(({ status }) => status === 202)) {
      await runStep('complete-upload', { tenant: tenant.id, asset_id: json.asset_id, job_id: json.job_id });
    }
  };
  const tally = (answers: readonly Answer[]) => ({
    accepted: answers.filter(({ status }) => status === 202).length,
    refused: answers.filter(({ status, json }) => status === 403 && json.code === 'quota_exceeded').length,
  });

  it.each([
    ['uploads', 7, 7],
    ['uploaded_bytes', 37, 7],
    ['stored_bytes', 39, 7],
  ] as const)(
    'accepts only as many of 20 uploads as the quota of %s allows (%i)',
    async (metric, quota, fitting) => {
      const tenant = await tenantWith({ quotas: { [metric]: quota } });
      const answers = await finishAll(tenant, await sent(tenant, 20));
      expect(tally(answers)).toEqual({ accepted: fitting, refused: 20 - fitting });
      const refusal = answers.find(({ status }) => status === 403)!;
      expect(refusal.json.detail).toContain(metric);
      await joined(tenant, answers);
      expect((await tenant.used())[metric]).toBeLessThanOrEqual(quota);
    },
  );

  it('counts metered and running uploads, each once', async () => {
    const tenant = await tenantWith({ quotas: { uploads: 5 } });
    const [first, second, third] = [await sent(tenant, 2), await sent(tenant, 2), await sent(tenant, 20)];
    await joined(tenant, await finishAll(tenant, first));
    expect(tally(await finishAll(tenant, second))).toEqual({ accepted: 2, refused: 0 });
    expect(tally(await finishAll(tenant, third))).toEqual({ accepted: 1, refused: 19 });
  });

  it('releases the reservation of a job that ended before it was metered', async () => {
    const tenant = await tenantWith({ quotas: { uploads: 1 } });
    const [one, other] = await sent(tenant, 2);
    const [{ json }] = (await finishAll(tenant, [one!])) as [Answer];
    expect(tally(await finishAll(tenant, [other!]))).toEqual({ accepted: 0, refused: 1 });
    const jobs = new Jobs(tenant.table, tenant.id, 'ingest');
    const error = { code: 'internal_error', title: '', detail: '', retryable: true } as const;
    await jobs.settle(json.asset_id, json.job_id, { now: new Date(), end: { status: 'failed', error } });
    expect(tally(await finishAll(tenant, [other!]))).toEqual({ accepted: 1, refused: 0 });
  });

  it('accepts an upload once, regardless of the number of concurrent requests', async () => {
    const tenant = await tenantWith({ quotas: { uploads: 2 } });
    const [one, other] = await sent(tenant, 2);
    const answers = await finishAll(
      tenant,
      Array.from({ length: 10 }, () => one!),
    );
    const jobs = new Set(answers.filter(({ status }) => status === 202).map(({ json }) => json.job_id));
    expect(jobs.size).toBe(1);
    expect(tally(await finishAll(tenant, [one!, other!]))).toEqual({ accepted: 2, refused: 0 });
  });

  it('accepts only as many of 20 uploads as the tenant can process at the same time', async () => {
    const tenant = await tenantWith({ concurrent_jobs: 3 });
    const answers = await finishAll(tenant, await sent(tenant, 20));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([...Array(3).fill(202), ...Array(17).fill(429)]);
  });
});

describe('the limit of concurrent jobs', () => {
  it('answers 429 while others run, keeps the parts, and accepts the next job when one has ended', async () => {
    const tenant = await tenantWith({ concurrent_jobs: 1 });
    const first = await sentUpload(tenant, 'one');
    const second = await sentUpload(tenant, 'two');
    const finish = ({ path, etags }: { path: string; etags: string[] }) =>
      tenant.call('POST', `${path}/finish_upload`, { etags });
    expect((await finish(first)).status).toBe(202);
    expect((await finish(first)).status).toBe(202);
    const refused = await finish(second);
    expect([refused.status, refused.json.code, refused.headers['Retry-After']]).toEqual([
      429,
      'rate_limited',
      '30',
    ]);
    expect((await tenant.call('GET', second.path)).json.status).toBe('uploading');
    const jobs = new Jobs(tenant.table, tenant.id, 'ingest');
    const [job] = await jobs.list(first.asset_id);
    await jobs.settle(first.asset_id, job!.job_id, {
      now: new Date(),
      end: { result: { transcription_ids: [] } },
    });
    expect((await finish(second)).status).toBe(202);
    expect((await tenant.call('GET', second.path)).json.status).toBe('processing');
  });

  it('counts translations and ingests together, and a repeated request only once', async () => {
    const tenant = await tenantWith({ concurrent_jobs: 1 });
    const asset = await tenant.readyAsset();
    await tenant.transcribed(asset, ['The house is red.']);
    const translate = (key: string) =>
      tenant.call(
        'POST',
        `/v1/assets/${asset}/translation_jobs`,
        { language_ids: [spanish] },
        { 'idempotency-key': key },
      );
    const first = await translate('first-request-1');
    expect(first.status).toBe(202);
    expect((await translate('first-request-1')).json.job_id).toBe(first.json.job_id);
    expect((await translate('other-request-2')).status).toBe(429);
    const { path, etags } = await sentUpload(tenant, 'one');
    expect((await tenant.call('POST', `${path}/finish_upload`, { etags })).status).toBe(429);
    expect((await tenant.call('POST', `/v1/jobs/${first.json.job_id}/cancel`)).status).toBe(200);
    expect((await tenant.call('POST', `${path}/finish_upload`, { etags })).status).toBe(202);
    expect((await translate('other-request-3')).status).toBe(429);
  });
});

describe('the limit of requests', () => {
  it('is shown in every response; requests above it get 429 with Retry-After', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: november });
    const { call } = await tenantWith({ requests_per_minute: 3 });
    const answers = [];
    for (let at = 0; at < 4; at += 1) answers.push(await call('GET', '/v1/languages'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers.map(({ headers }) => headers.RateLimit)).toEqual([
      '"requests";r=2;t=60',
      '"requests";r=1;t=60',
      '"requests";r=0;t=60',
      '"requests";r=0;t=60',
    ]);
    expect(answers[0]!.headers['RateLimit-Policy']).toBe('"requests";q=3;w=60');
    expect(answers[3]).toMatchObject({ headers: { 'Retry-After': '60' }, json: { code: 'rate_limited' } });
    vi.setSystemTime(november.getTime() + 60_000);
    expect((await call('GET', '/v1/languages')).status).toBe(200);
  });

  it('counts all keys of a tenant together, and not other tenants', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: november });
    const limited = await tenantWith({ requests_per_minute: 1 });
    const sameTenant = await api.tenant(limited.id);
    const other = await tenantWith({ requests_per_minute: 1 });
    expect((await limited.call('GET', '/v1/languages')).status).toBe(200);
    expect((await sameTenant.call('GET', '/v1/languages')).status).toBe(429);
    expect((await other.call('GET', '/v1/languages')).status).toBe(200);
  });

  it('adds no headers for a tenant without a limit', async () => {
    const { call } = await tenantWith();
    const { headers } = await call('GET', '/v1/languages');
    expect(Object.keys(headers).filter((name) => name.startsWith('RateLimit'))).toEqual([]);
  });
});

const sentUpload = async (tenant: Tenant, bytes: string) => (await begunUpload(tenant)).send(bytes);
