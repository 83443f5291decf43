import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Kinora } from '../../../client/index.ts';
import { canaryFile, canaryTenant, runCanary } from '../../../lambdas/canary/actions/run-canary.ts';
import { runReport } from '../../../lambdas/canary/rules/outcome.ts';
import {
  type CanaryStage,
  canaryStages,
  limitsMs,
  mainStages,
} from '../../../lambdas/canary/rules/stages.ts';
import type { NewKey } from '../../../platform/records/api-keys.ts';
import { hashOfKey } from '../../../shared/api-keys.ts';
import { FakeService, problem } from './service.ts';

const limited = (limits: Partial<Record<CanaryStage, number>>) => ({ ...limitsMs, ...limits });
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

class FakeKeys {
  readonly kept = new Map<string, { id: string; tenant: NewKey['tenant']; expires_at: string | null }>();
  readonly made: (NewKey & { text: string })[] = [];
  fault: 'create' | 'remove' | undefined;

  async create(given: NewKey) {
    if (this.fault === 'create') throw new Error('The table does not answer');
    const { tenant, scopes, mode, expiresAt = null } = given;
    const id = `key${this.made.length}`;
    const text = `text-of-${id}`;
    this.made.push({ ...given, text });
    const key = { id, tenant, scopes, name: '', expires_at: expiresAt, created_at: minutesAgo(0) };
    this.kept.set(id, key);
    const limits = { requests_per_minute: null, concurrent_jobs: null, quotas: {} } as never;
    return { key: { ...key, mode, hash: hashOfKey(text), status: 'active' as const, limits }, text };
  }

  async list() {
    return [...this.kept.values()] as never;
  }

  async remove({ id }: { id: string }) {
    if (this.fault === 'remove') throw new Error('The table does not answer');
    this.kept.delete(id);
  }
}

let service: FakeService;
let keys: FakeKeys;
beforeEach(async () => {
  service = await new FakeService().start();
  keys = new FakeKeys();
});
afterEach(() => service.close());

const run = (limits: Partial<Record<CanaryStage, number>> = {}) =>
  runCanary({
    keys,
    kinoraWith: (apiKey) => new Kinora({ url: service.url, apiKey, retries: 0 }),
    media: new Blob(['speech']),
    partBytes: 5 * 1024 * 1024,
    lookMs: 5,
    now: () => new Date(),
    limits: limited(limits),
  });

const deletions = () => service.requests.filter((name) => name.startsWith('DELETE ')).length;

describe('a run of the canary', () => {
  it('runs every stage, measures each, and leaves no asset and no key', async () => {
    const { failed, took, ids } = await run();
    expect(failed).toBeNull();
    expect(Object.keys(took)).toEqual([...canaryStages]);
    expect(ids).toEqual({ asset_id: expect.any(String), job_id: expect.any(String) });
    expect(service.assets.size).toBe(0);
    expect(keys.kept.size).toBe(0);
  });

  it('uses a key of its own tenant with minimal scopes and lifetime', async () => {
    await run();
    const [{ tenant, scopes, expiresAt, text }] = keys.made as [(typeof keys.made)[0]];
    expect(tenant).toBe(canaryTenant);
    expect([...scopes].sort()).toEqual(['assets:read', 'assets:write', 'jobs:read', 'transcripts:read']);
    const lives = Date.parse(expiresAt!) - Date.now();
    expect(lives).toBeGreaterThan(15 * 60_000);
    expect(lives).toBeLessThan(30 * 60_000);
    expect([...service.keys]).toEqual([text]);
  });

  it.each<[string, CanaryStage, string, FakeService['faults'][string], RegExp]>([
    [
      'an asset that cannot be made',
      'Create',
      'POST /v1/assets',
      problem(500, 'internal_error'),
      /internal_error.+500, request request-1/,
    ],
    ['a part that is refused', 'Upload', 'PUT /part', [403, 'SignatureDoesNotMatch'], /refused: 403/],
    [
      'an upload that cannot be finished',
      'Upload',
      'POST /v1/assets/:id/finish_upload',
      problem(409, 'invalid_state'),
      /invalid_state/,
    ],
    [
      'a job that fails',
      'Processing',
      'GET /v1/assets/:id/ingest_jobs/:id',
      [200, { status: 'failed', progress: 0.4, error: { code: 'engine_failed', detail: 'No answer' } }],
      /is failed: engine_failed: No answer/,
    ],
    [
      'no transcription',
      'Subtitles',
      'GET /v1/assets/:id/transcriptions',
      [200, { data: [], next_cursor: null }],
      /no transcription/,
    ],
    ['no cues', 'Subtitles', 'GET /v1/assets/:id/transcriptions/:id/vtt', [200, 'WEBVTT\n'], /no cues/],
    [
      'a deletion that is refused',
      'Delete',
      'DELETE /v1/assets/:id',
      problem(500, 'internal_error'),
      /internal_error/,
    ],
  ])('reports %s as %s', async (_, stage, request, fault, says) => {
    service.faults[request] = fault;
    const { failed, took } = await run();
    expect(failed).toEqual({ stage, says: expect.stringMatching(says) });
    const before = canaryStages.slice(0, canaryStages.indexOf(stage));
    expect(Object.keys(took).sort()).toEqual([...before].sort());
    // It also removes its asset, unless the deletion fails, and its key.
    expect(service.assets.size).toBe(stage === 'Delete' ? 1 : 0);
    expect(keys.kept.size).toBe(0);
  });

  it('limits the time of a stuck job, and reports its progress', async () => {
    service.faults['GET /v1/assets/:id/ingest_jobs/:id'] = [200, { status: 'running', progress: 0.4 }];
    const { failed } = await run({ Processing: 60 });
    expect(failed).toEqual({ stage: 'Processing', says: expect.stringMatching(/still running, at 40 %/) });
    expect(service.assets.size).toBe(0);
  });

  it('reports a deletion that never ends, and does not request it again', async () => {
    service.faults['GET /v1/assets/:id'] = [200, { status: 'deleting' }];
    const { failed } = await run({ Delete: 60 });
    expect(failed).toEqual({ stage: 'Delete', says: expect.stringMatching(/deleted and is still there/) });
    expect(deletions()).toBe(1);
  });

  it.each<[CanaryStage, string]>([
    ['Leftovers', 'GET /v1/assets'],
    ['Create', 'POST /v1/assets'],
    ['Upload', 'PUT /part'],
    ['Processing', 'GET /v1/assets/:id/ingest_jobs/:id'],
    ['Subtitles', 'GET /v1/assets/:id/transcriptions/:id/vtt'],
    ['Delete', 'GET /v1/assets/:id'],
  ])('stops waiting for a request without an answer: %s', async (stage, request) => {
    service.faults[request] = null;
    expect((await run({ [stage]: 60 })).failed?.stage).toBe(stage);
    expect(keys.kept.size).toBe(0);
  });

  it('reports that the API cannot be reached', async () => {
    service.close();
    expect((await run()).failed).toEqual({ stage: 'Leftovers', says: expect.stringMatching(/ECONNREFUSED/) });
    expect(keys.kept.size).toBe(0);
  });

  it('sends no request without a key, and reports a key that could not be removed', async () => {
    keys.fault = 'create';
    expect((await run()).failed?.stage).toBe('Key');
    expect(service.requests).toEqual([]);
    keys.fault = 'remove';
    expect((await run()).failed?.stage).toBe('Key');
  });

  it('reports the first failure if the key cannot be removed either', async () => {
    keys.fault = 'remove';
    service.faults['PUT /part'] = [403, 'no'];
    expect((await run()).failed?.stage).toBe('Upload');
  });
});

describe('leftovers of earlier runs', () => {
  it('are removed: assets that no running test can use, and expired keys', async () => {
    const dead = service.add(canaryFile, minutesAgo(16));
    const working = service.add(canaryFile, minutesAgo(14));
    const foreign = service.add('holiday.mp4', minutesAgo(600));
    keys.kept.set('dead', { id: 'dead', tenant: canaryTenant, expires_at: minutesAgo(1) });
    keys.kept.set('other', { id: 'other', tenant: canaryTenant, expires_at: minutesAgo(-10) });
    expect(await run()).toMatchObject({ failed: null, leftovers: 1 });
    expect([...service.assets.keys()]).toEqual([working, foreign]);
    expect(service.assets.has(dead)).toBe(false);
    expect([...keys.kept.keys()]).toEqual(['other']);
  });

  it('can be removed by two runs at once', async () => {
    service.add(canaryFile, minutesAgo(60));
    const both = await Promise.all([run(), run()]);
    expect(both.map(({ failed }) => failed)).toEqual([null, null]);
    expect(new Set(both.map(({ ids }) => ids.asset_id)).size).toBe(2);
    expect(service.assets.size).toBe(0);
    expect(keys.kept.size).toBe(0);
  });

  it('may already be removed by another run', async () => {
    service.add(canaryFile, minutesAgo(60));
    service.faults['DELETE /v1/assets/:id'] = problem(404, 'resource_not_found');
    // Its own asset cannot be deleted either: that is the stage that fails, not the leftover.
    expect((await run()).failed?.stage).toBe('Delete');
  });
});

describe('the report of a run', () => {
  it('states the success and the duration of each stage', async () => {
    const { metrics, fields } = runReport(await run());
    expect(metrics.map(({ name }) => name)).toEqual([
      'CanarySucceeded',
      ...mainStages.map((stage) => `Canary${stage}`),
    ]);
    expect(fields).not.toHaveProperty('failed_stage');
  });

  it('states the failed stage, the reason, and the stages that succeeded', async () => {
    service.faults['PUT /part'] = [403, 'no'];
    const { metrics, fields } = runReport(await run());
    expect(metrics.map(({ name }) => name)).toEqual(['CanaryFailed', 'CanaryCreate']);
    expect(fields).toMatchObject({
      failed_stage: 'Upload',
      failed_with: expect.stringContaining('403'),
      asset_id: expect.any(String),
    });
  });
});
