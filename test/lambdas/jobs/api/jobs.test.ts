import { describe, expect, it } from 'vitest';
import type { Tenant } from '../../../support/api.ts';
import { processed } from '../../../support/processed.ts';
import { runStep } from '../../../support/run-step.ts';
import { startTestApi } from '../../../support/test-api.ts';

const api = await startTestApi();

const idsOf = async (tenant: Tenant, query: string) => {
  const { json } = await tenant.call('GET', `/v1/jobs${query}`);
  return json.data.map(({ job_id }: { job_id: string }) => job_id);
};

describe('jobs of every kind', () => {
  it('are found only by id, with the same body as at their own path', async () => {
    const tenant = await api.tenant('finder');
    const { id, job } = await processed(tenant);
    const alone = await tenant.call('GET', `/v1/jobs/${job}`);
    const ofKind = await tenant.call('GET', `/v1/assets/${id}/ingest_jobs/${job}`);
    expect(alone.json).toEqual(ofKind.json);
    expect(alone.json).toMatchObject({ job_id: job, type: 'ingest', asset_id: id, items: [] });
  });

  it('are listed newest first, by kind, by asset, by both, and in pages', async () => {
    const tenant = await api.tenant('lister');
    const made = [];
    for (let at = 0; at < 3; at += 1) made.push(await processed(tenant));
    const newest = made.map(({ job }) => job).reverse();
    expect(await idsOf(tenant, '')).toEqual(newest);
    expect(await idsOf(tenant, '?type=ingest')).toEqual(newest);
    expect(await idsOf(tenant, '?type=translation')).toEqual([]);
    expect(await idsOf(tenant, `?asset_id=${made[1]!.id}&type=ingest`)).toEqual([made[1]!.job]);
    const { json } = await tenant.call('GET', '/v1/jobs?items=2');
    expect(json).toMatchObject({ total: 3, items: 2 });
    expect(await idsOf(tenant, `?items=2&cursor=${json.next_cursor}`)).toEqual(newest.slice(2));
    expect((await tenant.call('GET', `/v1/assets/${made[0]!.id}/ingest_jobs`)).json.data).toHaveLength(1);
  });

  it('are deleted with their asset', async () => {
    const tenant = await api.tenant('eraser');
    const { id, job, assets } = await processed(tenant);
    await assets.beginDeletion(id, new Date(), undefined);
    await assets.erase(id);
    expect((await tenant.call('GET', `/v1/jobs/${job}`)).status).toBe(404);
    expect(await idsOf(tenant, '')).toEqual([]);
  });
});

describe('canceling a job', () => {
  it('ends it immediately, with an event; a repeated request returns the same response', async () => {
    const tenant = await api.tenant('canceler');
    const { id, job, jobs } = await processed(tenant);
    const first = await tenant.call('POST', `/v1/jobs/${job}/cancel`);
    expect(first.json).toMatchObject({ status: 'canceled', error: { code: 'canceled', retryable: true } });
    expect(first.json.finished_at).not.toBeNull();
    expect(await jobs.settle(id, job, { now: new Date(), end: { result: { transcription_ids: [] } } })).toBe(
      false,
    );
    await jobs.advance(id, job, 0.9);
    const again = await tenant.call('POST', `/v1/jobs/${job}/cancel`);
    expect([again.status, again.json]).toEqual([200, first.json]);
  });

  it('fails the asset of an ingest immediately, and removes its results', async () => {
    const tenant = await api.tenant('waiter');
    const { id, job, assets } = await processed(tenant);
    await assets.advance(
      { asset_id: id, job_id: job },
      { progress: 0.2, stage: 'transcription' },
      new Date(),
    );
    await tenant.call('POST', `/v1/jobs/${job}/cancel`);
    const shown = async () => (await tenant.call('GET', `/v1/assets/${id}`)).json;
    expect(await shown()).toMatchObject({ status: 'failed', stage: null, error: { code: 'canceled' } });
    expect(api.machines.calls.at(-1)).toContain(`${job}-cancel`);
    expect(api.machines.calls.at(-1)).toContain('canceled');
    const { items } = await tenant.table.query({ pk: `T#${tenant.id}#EV` });
    expect(items.map(({ type }) => type)).toContain('asset.failed');

    const upload = () => tenant.call('POST', `/v1/assets/${id}/start_upload`, { parts: 1 });
    expect((await upload()).json).toMatchObject({
      code: 'invalid_state',
      detail: expect.stringContaining('seconds'),
    });
    const left = `t/${tenant.id}/assets/${id}/derived/audio/${job}/speech.wav`;
    await tenant.objects.write(left, 'speech', 'audio/wav');
    const clear = () => runStep('clear-ingest', { tenant: tenant.id, asset_id: id, job_id: job });
    await clear();
    expect(await tenant.objects.keys(`t/${tenant.id}/assets/${id}/`)).toEqual([]);
    expect((await upload()).status).toBe(200);
    // The machine of the job comes to it later.
    await clear();
    expect(await shown()).toMatchObject({ status: 'uploading', error: null });
  });

  it('has one winner if the job succeeds at the same moment', async () => {
    const tenant = await api.tenant('racer');
    for (let at = 0; at < 5; at += 1) {
      const { id, job, jobs } = await processed(tenant);
      const [canceled] = await Promise.all([
        tenant.call('POST', `/v1/jobs/${job}/cancel`),
        jobs.settle(id, job, { now: new Date(), end: { result: { transcription_ids: [] } } }),
      ]);
      const { json } = await tenant.call('GET', `/v1/jobs/${job}`);
      expect(json.status).toBe(canceled.status === 200 ? 'canceled' : 'succeeded');
    }
  });
});

describe('a job with items', () => {
  const failure = { code: 'engine_unavailable', title: 'No', detail: 'None.', retryable: false } as const;
  const item = (kind: 'ocr' | 'transcription', status: 'succeeded' | 'failed') => ({
    kind,
    status,
    progress: 1,
    error: status === 'failed' ? failure : null,
    result: null,
  });

  it.each([
    ['succeeded', 'succeeded'],
    ['failed', 'partially_succeeded'],
  ] as const)('that ends with one item %s has the status %s, also in its event', async (last, status) => {
    const tenant = await api.tenant(`items-${last}`);
    const { id, job, jobs } = await processed(tenant);
    const items = [item('transcription', 'succeeded'), item('ocr', last)];
    await jobs.settle(id, job, { now: new Date(), end: { result: { transcription_ids: [] }, items } });
    expect((await tenant.call('GET', `/v1/jobs/${job}`)).json).toMatchObject({ status, items });
    const { items: log } = await tenant.table.query({ pk: `T#${tenant.id}#EV` });
    expect(log.map(({ type }) => type)).toContain(`job.${status}`);
  });
});
