import { afterEach, describe, expect, it, vi } from 'vitest';
import { clock } from '../../../../platform/runtime/clock.ts';
import { eventKey } from '../../../../platform/table/keys.ts';
import type { Tenant } from '../../../support/api.ts';
import { processed } from '../../../support/processed.ts';
import { startTestApi } from '../../../support/test-api.ts';

const api = await startTestApi();
afterEach(() => vi.restoreAllMocks());

const real = clock.now;
/** From now on the API's clock is ahead by so many seconds. */
const ahead = (seconds: number) =>
  vi.spyOn(clock, 'now').mockImplementation(() => new Date(real().getTime() + seconds * 1000));

interface Event {
  readonly event_id: string;
  readonly type: string;
  readonly timestamp: string;
  // biome-ignore lint/suspicious/noExplicitAny: data differ by type
  readonly data: any;
}

/** The whole log, read forwards in pages. */
async function logOf(tenant: Tenant, query = '', items = 100): Promise<Event[]> {
  const events: Event[] = [];
  for (let after = ''; ; ) {
    const { status, json } = await tenant.call('GET', `/v1/events?items=${items}${query}${after}`);
    expect(status).toBe(200);
    events.push(...json.data);
    if (!json.has_more) return events;
    after = `&after=${json.next_after}`;
  }
}

const typesOf = (events: readonly Event[]) => events.map(({ type }) => type);

const done = { result: { transcription_ids: [] } };
const failure = { code: 'media_unreadable', title: 'No', detail: 'It is a text.', retryable: false } as const;
const failed = { status: 'failed', error: failure } as const;

describe('the event log', () => {
  it('omits an event that cannot be read, and logs its key as an error', async () => {
    const acme = await api.tenant('unreadable');
    await processed(acme);
    ahead(6);
    const [unreadable, ...others] = await logOf(acme);
    const key = eventKey(acme.id, unreadable!.event_id);
    await acme.table.put({ ...key, event_id: unreadable!.event_id, type: unreadable!.type });
    const lines: string[] = [];
    vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
    expect(await logOf(acme, '', 1)).toEqual(others);
    const errors = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error');
    expect(errors[0]).toMatchObject({ message: 'event left out', event: `${key.pk} ${key.sk}` });
  });

  it('adds fields that assets did not have when the event was written', async () => {
    const acme = await api.tenant('upgraded');
    const { id } = await processed(acme);
    ahead(6);
    const [created] = await logOf(acme, '&type=asset.created');
    const { start_timecode, source_tracks, ...asset } = created!.data.asset;
    await acme.table.put({ ...created!, ...eventKey(acme.id, created!.event_id), data: { asset } });
    const { json } = await acme.call('GET', `/v1/events/${created!.event_id}`);
    expect(json.data.asset).toMatchObject({ asset_id: id, start_timecode: null, source_tracks: [] });
  });

  it('shows the events of an asset and its job, with their state at that time', async () => {
    const acme = await api.tenant('acme');
    const { id, job, assets, jobs } = await processed(acme);
    await assets.settle(
      { asset_id: id, job_id: job },
      { status: 'ready', stage: null, progress: 1 },
      new Date(),
    );
    await jobs.settle(id, job, { now: new Date(), end: done });
    await acme.call('DELETE', `/v1/assets/${id}`);
    ahead(6);
    const events = await logOf(acme);
    expect(new Set(typesOf(events))).toEqual(
      new Set([
        'asset.created',
        'asset.processing',
        'job.created',
        'asset.ready',
        'job.succeeded',
        'asset.deleted',
      ]),
    );
    for (const { type, data } of events.filter(({ data }) => data.asset)) {
      expect(data.asset).toMatchObject({
        asset_id: id,
        status: type.slice('asset.'.length).replace('deleted', 'deleting'),
      });
    }
    const ended = events.find(({ type }) => type === 'job.succeeded')!;
    expect(ended.data.job).toMatchObject({ job_id: job, status: 'succeeded', progress: 1 });
    expect(ended.data.job.finished_at).not.toBeNull();
    expect(ended.data.job).not.toHaveProperty('upload_id');
  });

  it('states why an asset failed', async () => {
    const own = await api.tenant('failing');
    const { id, job, assets, jobs } = await processed(own);
    await assets.settle(
      { asset_id: id, job_id: job },
      { status: 'failed', error: failure, upload_id: null },
      new Date(),
    );
    await jobs.settle(id, job, { now: new Date(), end: failed });
    ahead(6);
    const events = await logOf(own);
    expect(events.find(({ type }) => type === 'asset.failed')!.data.asset.error).toEqual(failure);
    expect(events.find(({ type }) => type === 'job.failed')!.data.job.error).toEqual(failure);
  });

  it('contains each event once, even if steps are retried', async () => {
    const own = await api.tenant('repeating');
    const { id, job, assets, jobs } = await processed(own);
    const ready = { status: 'ready', stage: null, progress: 1 } as const;
    await Promise.all(
      Array.from({ length: 5 }, () => assets.settle({ asset_id: id, job_id: job }, ready, new Date())),
    );
    await Promise.all(Array.from({ length: 5 }, () => jobs.settle(id, job, { now: new Date(), end: done })));
    await jobs.settle(id, job, { now: new Date(), end: failed });
    await Promise.all(Array.from({ length: 5 }, () => own.call('DELETE', `/v1/assets/${id}`)));
    ahead(6);
    expect(typesOf(await logOf(own)).sort()).toEqual([
      'asset.created',
      'asset.deleted',
      'asset.processing',
      'asset.ready',
      'job.created',
      'job.succeeded',
    ]);
  });

  it('can be read forwards without gaps or repetitions, in pages of any size', async () => {
    const own = await api.tenant('reader');
    for (let at = 0; at < 23; at += 1) await own.call('POST', '/v1/assets', { filename: `${at}.mp4` });
    ahead(6);
    for (const items of [1, 7, 22, 23, 100]) {
      const names = (await logOf(own, '', items)).map(({ data }) => data.asset.filename);
      expect(names).toEqual(Array.from({ length: 23 }, (_, at) => `${at}.mp4`));
    }
  });

  it('continues after the last event that was read', async () => {
    const own = await api.tenant('tailing');
    await own.call('POST', '/v1/assets', { filename: 'first.mp4' });
    ahead(6);
    const { json: first } = await own.call('GET', '/v1/events');
    const { json: nothing } = await own.call('GET', `/v1/events?after=${first.next_after}`);
    expect(nothing).toEqual({ data: [], next_after: first.next_after, has_more: false });
    await own.call('POST', '/v1/assets', { filename: 'second.mp4' });
    ahead(12);
    const { json: second } = await own.call('GET', `/v1/events?after=${first.next_after}`);
    expect(second.data).toMatchObject([{ data: { asset: { filename: 'second.mp4' } } }]);
  });

  it('shows an event only after no earlier one can still appear', async () => {
    const own = await api.tenant('settling');
    await own.call('POST', '/v1/assets', { filename: 'a.mp4' });
    expect(await logOf(own)).toEqual([]);
    ahead(6);
    expect(await logOf(own)).toHaveLength(1);
  });

  it('can be filtered by a type, an asset with its jobs, or a time', async () => {
    const own = await api.tenant('filtering');
    const { id, job, jobs } = await processed(own);
    await jobs.settle(id, job, { now: new Date(), end: done });
    await own.call('POST', '/v1/assets', { filename: 'other.mp4' });
    ahead(6);
    expect(typesOf(await logOf(own, '&type=asset.created', 1))).toEqual(['asset.created', 'asset.created']);
    const about = typesOf(await logOf(own, `&asset_id=${id.toUpperCase()}`, 2));
    expect(about.sort()).toEqual(['asset.created', 'asset.processing', 'job.created', 'job.succeeded']);
    const all = await logOf(own);
    const since = await logOf(own, `&since=${all.at(-1)!.timestamp}`);
    expect(since).toEqual(all.filter(({ timestamp }) => timestamp >= all.at(-1)!.timestamp));
  });

  it('contains the last thirty days', async () => {
    const own = await api.tenant('forgetting');
    await own.call('POST', '/v1/assets', { filename: 'a.mp4' });
    ahead(29.9 * 86_400);
    const [event] = await logOf(own);
    const path = `/v1/events/${event!.event_id}`;
    expect((await own.call('GET', path)).json).toEqual(event);
    ahead(30.1 * 86_400);
    expect(await logOf(own)).toEqual([]);
    expect((await own.call('GET', path)).status).toBe(404);
  });

  it('shows only the events of one tenant', async () => {
    const own = await api.tenant('owner');
    const other = await api.tenant('stranger');
    await own.call('POST', '/v1/assets', { filename: 'a.mp4' });
    ahead(6);
    expect(await logOf(own)).toHaveLength(1);
    expect(await logOf(other)).toEqual([]);
  });
});
