import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ClipFiles } from '../../../lambdas/clips/records/clip-files.ts';
import { MediaObjects, sourceKey } from '../../../platform/objects/media-objects.ts';
import { Usage } from '../../../platform/usage/metering.ts';
import type { AssetId } from '../../../shared/ids.ts';
import { h264, makeMedia, picture } from '../../fixtures/media.ts';
import { english } from '../../support/api.ts';
import { renderingOf } from '../../support/rendering.ts';
import { runStep } from '../../support/run-step.ts';
import { startTestApi } from '../../support/test-api.ts';
import { sentTo } from '../../support/uploads.ts';

const api = await startTestApi();
const tenant = await api.tenant('cutter');
const rendering = renderingOf(tenant);
const media = await readFile(await makeMedia('minute.mp4', [...picture(60, '96x54', '5'), ...h264]));

let asset: AssetId;
const at = () => `/v1/assets/${asset}/video_clips`;
const facts = {
  ...{ name: 'Größe/日本.mov', languages: [english], audio_channels: null },
  ...{ duration_ms: 60_000, frame_rate: 5, width: 96, height: 54 },
};
/** Another shape has to be rendered; a minute of it is two chunks. */
const square = { aspect_ratio_x: 1, aspect_ratio_y: 1 };

beforeEach(async () => {
  asset = await tenant.readyAsset(facts);
  await tenant.objects.write(sourceKey(tenant.id, asset), media, 'video/mp4');
});

const create = async (...video_clips: object[]): Promise<string[]> => {
  const { json } = await tenant.call('POST', at(), { video_clips });
  return json.data.map(({ video_clip_id }: { video_clip_id: string }) => video_clip_id);
};
const ask = async (...video_ids: string[]) =>
  (await tenant.call('POST', `${at()}/download_async`, { video_ids })).json;
const shown = async (id: string) => (await tenant.call('GET', `${at()}/${id}`)).json;
const download = (...video_ids: string[]) => tenant.call('POST', `${at()}/download`, { video_ids });
const objectsOf = (id: string) => tenant.objects.keys(`t/${tenant.id}/assets/${asset}/derived/clips/${id}/`);
const renderedMinutes = async () => (await tenant.used()).rendered_minutes!;

describe('a request to render clips', () => {
  it('starts a job with one item for each clip', async () => {
    const ids = await create({ end_ms: 1000 }, { start_ms: 1000 });
    const reply = await tenant.call('POST', `${at()}/download_async`, { video_ids: ids });
    expect(reply.status).toBe(202);
    expect(reply.headers.Location).toBe(`${at()}/download_async/${reply.json.job_id}`);
    expect(reply.json).toMatchObject({
      type: 'clips',
      status: 'queued',
      items: ids.map((video_clip_id) => ({ video_clip_id, status: 'queued', progress: 0, result: null })),
    });
    expect(api.machines.calls.at(-1)).toContain('CLIPS');
    expect((await tenant.call('GET', reply.headers.Location!)).json).toEqual(reply.json);
  });
});

describe('a job that renders clips', () => {
  it('stores a file with all frames for each clip, with a descriptive name and range requests', async () => {
    const [id] = await create({ start_ms: 1000, end_ms: 4000, ...square });
    expect(await shown(id!)).toMatchObject({
      status: 'created',
      progress: 0,
      job_id: null,
      size_bytes: null,
    });
    const job = await rendering.done(await ask(id!));
    expect(job).toMatchObject({
      status: 'succeeded',
      progress: 1,
      result: { video_clip_ids: [id] },
      items: [{ status: 'succeeded', progress: 1, result: { reused: 0 } }],
    });
    const clip = await shown(id!);
    expect(clip).toMatchObject({
      ...{ status: 'ready', progress: 1, stale: false, notes: [], error: null, job_id: job.job_id },
      ...{ width: 54, height: 54, duration_ms: 3000, frame_count: 15 },
    });
    const { data } = (await download(id!)).json;
    for (const { url } of [data[0], job.items[0].result]) {
      const whole = await fetch(url);
      expect((await whole.arrayBuffer()).byteLength).toBe(clip.size_bytes);
      expect(whole.headers.get('content-type')).toBe('video/mp4');
      expect(whole.headers.get('content-disposition')).toBe(
        `attachment; filename="Gr__e __ 0.01-0.04 1x1.mp4"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%E6%97%A5%E6%9C%AC%200.01-0.04%201x1.mp4`,
      );
    }
    const part = await fetch(data[0].url, { headers: { range: 'bytes=4-7' } });
    expect([part.status, await part.text()]).toEqual([206, 'ftyp']);
    const poster = Buffer.from(await (await fetch(clip.thumbnail_url)).arrayBuffer());
    expect(poster.readUInt16BE(0)).toBe(0xffd8);
  });

  it('renders nothing and is not metered if nothing has changed', async () => {
    const [id] = await create({ end_ms: 2000, ...square });
    const first = await rendering.done(await ask(id!));
    const minutes = await renderedMinutes();
    const clip = await shown(id!);
    const again = await rendering.done(await ask(id!));
    const { rendered } = first.items[0].result;
    expect(again.items[0].result).toMatchObject({ rendered: 0, reused: rendered });
    expect(await renderedMinutes()).toBe(minutes);
    const { job_id: _, thumbnail_url: __, updated_at: ___, ...same } = await shown(id!);
    expect(clip).toMatchObject(same);
  });

  it('renders only the chunks whose subtitles changed', async () => {
    const transcription = await tenant.transcribed(asset, ['one', 'two', 'three', 'four', 'five', 'six']);
    const [id] = await create({ subtitles_language_id: english });
    const first = await rendering.done(await ask(id!));
    const { rendered } = first.items[0].result;
    const path = `/v1/assets/${asset}/transcriptions/${transcription}`;
    const { segments } = (await tenant.call('GET', path)).json;
    await tenant.call('PATCH', `${path}/segments/${segments[5].segment_id}`, { text: 'half a dozen' });
    expect(await shown(id!)).toMatchObject({ status: 'ready', stale: true });
    const again = await rendering.done(await ask(id!));
    expect([rendered, again.items[0].result]).toMatchObject([2, { rendered: 1, reused: 1 }]);
    expect(await shown(id!)).toMatchObject({ status: 'ready', stale: false });
  });

  it('continues after a crash, without rendering or metering a piece twice', async () => {
    const [id] = await create(square);
    const job = await ask(id!);
    const [one] = await rendering.clipsOf(job);
    const before = await renderedMinutes();
    const planned = await rendering.plan(job, one!);
    await rendering.pieces(job, one!, planned, 1);
    const chunks = (await objectsOf(id!)).filter((key) => key.includes('/pieces/'));
    const written = await Promise.all(chunks.map((key) => tenant.objects.read(key)));
    await rendering.pieces(job, one!, planned);
    const end = await rendering.join(job, one!, planned);
    await rendering.join(job, one!, planned);
    await rendering.run('finish-clips', job, { ends: [end] });
    expect(await Promise.all(chunks.map((key) => tenant.objects.read(key)))).toEqual(written);
    expect((await renderedMinutes()) - before).toBeCloseTo(1);
    await rendering.run('finish-clips', job, { ends: [end] });
    expect((await shown(id!)).status).toBe('ready');
  });

  it('uses the pieces of a failed job again', async () => {
    const [id] = await create(square);
    const failed = await ask(id!);
    const [one] = await rendering.clipsOf(failed);
    const planned = await rendering.plan(failed, one!);
    await rendering.pieces(failed, one!, planned, 1);
    const failure = { Error: 'timed_out', Cause: '{"errorMessage":"Late."}' };
    await rendering.run('fail-clips', failed, { failure });
    expect(await shown(id!)).toMatchObject({ status: 'failed', error: { code: 'timed_out' } });
    const refused = await download(id!);
    expect([refused.status, refused.json.code]).toEqual([409, 'invalid_state']);
    expect(refused.json.detail).toContain('timed_out');
    const { result } = (await rendering.done(await ask(id!))).items[0];
    expect(result.reused).toBe(1);
    expect(await shown(id!)).toMatchObject({ status: 'ready', error: null });
  });

  it('waits for another job that renders the same clip, and takes over after its end', async () => {
    const [id] = await create({ end_ms: 2000, ...square });
    const [first, second] = [await ask(id!), await ask(id!)];
    const [one] = await rendering.clipsOf(first);
    const [same] = await rendering.clipsOf(second);
    const planned = await rendering.plan(first, one!);
    expect(await rendering.plan(second, same!)).toEqual({ state: 'awaited' });
    expect(await shown(id!)).toMatchObject({ status: 'rendering' });
    await rendering.pieces(first, one!, planned);
    const end = await rendering.join(first, one!, planned);
    const found = await rendering.plan(second, same!);
    expect(found).toMatchObject({ state: 'made', made: { rendered: 0 } });
    await rendering.run('finish-clips', first, { ends: [end] });
    expect((await shown(id!)).status).toBe('rendering');
    await rendering.run('finish-clips', second, { ends: [found.made!] });
    expect((await shown(id!)).status).toBe('ready');

    await tenant.call('POST', `/v1/assets/${asset}/centers_of_interest`, {
      ...{ start_ms: 0, end_ms: 60_000, x: 0.2, y: 0.5 },
    });
    const [framed] = await create({ end_ms: 2000, aspect_ratio_x: 1, aspect_ratio_y: 1, autoframing: true });
    const [dead, alive] = [await ask(framed!), await ask(framed!)];
    await rendering.plan(dead, { video_clip_id: framed! });
    await tenant.call('POST', `/v1/jobs/${dead.job_id}/cancel`);
    expect((await rendering.plan(alive, { video_clip_id: framed! })).state).toBe('missing');
  });

  it('leaves no object after a cancellation, and the clips return to their earlier state', async () => {
    const [id, ready] = await create(square, { end_ms: 1000, ...square });
    await rendering.done(await ask(ready!));
    const before = { objects: await objectsOf(ready!), clip: await shown(ready!) };
    const job = await ask(id!, ready!);
    const ends: object[] = [];
    for (const one of await rendering.clipsOf(job)) ends.push(await rendering.clip(job, one));
    await tenant.call('POST', `/v1/jobs/${job.job_id}/cancel`);
    const finishing = rendering.run('finish-clips', job, { ends });
    await expect(finishing).rejects.toMatchObject({ name: 'canceled' });
    for (let repeat = 0; repeat < 2; repeat += 1) await rendering.run('clear-clips', job);
    expect(await objectsOf(id!)).toEqual([]);
    expect(await shown(id!)).toMatchObject({ status: 'created', progress: 0, error: null, size_bytes: null });
    expect(await objectsOf(ready!)).toEqual(before.objects);
    const { rendered_at, status } = await shown(ready!);
    expect({ rendered_at, status }).toEqual({ rendered_at: before.clip.rendered_at, status: 'ready' });
  });

  it('keeps the files of other clips if one clip fails', async () => {
    const [good, bad] = await create({ end_ms: 1000 }, { subtitles_language_id: english });
    const job = await rendering.done(await ask(good!, bad!));
    expect(job).toMatchObject({
      status: 'partially_succeeded',
      result: { video_clip_ids: [good] },
      items: [{ status: 'succeeded' }, { status: 'failed', error: { code: 'language_unsupported' } }],
    });
    expect((await shown(good!)).status).toBe('ready');
    expect(await shown(bad!)).toMatchObject({ status: 'failed', error: { code: 'language_unsupported' } });
    const alone = await rendering.done(await ask(bad!));
    expect(alone).toMatchObject({ status: 'failed', error: { code: 'language_unsupported' } });
  });

  it('can render one frame, the last one, and the whole media', async () => {
    const ids = await create(
      { start_frame: 10, end_frame: 11 },
      { start_frame: 299, end_frame: 300 },
      { start_ms: 59_900 },
      {},
    );
    await rendering.done(await ask(...ids));
    const frames = await Promise.all(ids.map(async (id) => (await shown(id)).frame_count));
    expect(frames).toEqual([1, 1, 1, 300]);
  });

  it('copies media without re-encoding if nothing changes, and counts the copy, which takes storage', async () => {
    const before = await renderedMinutes();
    const [id] = await create({});
    const { result } = (await rendering.done(await ask(id!))).items[0];
    expect(result).toMatchObject({ rendered: 0, reused: 0 });
    expect((await renderedMinutes()) - before).toBeCloseTo(1);
    // The clip is as it was, so another job copies nothing.
    await rendering.done(await ask(id!));
    expect((await renderedMinutes()) - before).toBeCloseTo(1);
    expect(await shown(id!)).toMatchObject({ frame_count: 300, width: 96, height: 54 });
  });

  it('adds a note for requested data that does not exist', async () => {
    const framed = { aspect_ratio_x: 9, aspect_ratio_y: 16, autoframing: true, end_ms: 1000 };
    const branding = (await tenant.call('POST', '/v1/brandings', { name: 'B' })).json.branding_id;
    const [followed, branded] = await create(framed, { branding_id: branding, end_ms: 1000 });
    await tenant.call('DELETE', `/v1/brandings/${branding}`);
    await rendering.done(await ask(followed!, branded!));
    expect((await shown(followed!)).notes).toMatchObject([{ code: 'framing_unknown' }]);
    expect((await shown(branded!)).notes).toMatchObject([{ code: 'branding_deleted' }]);
  });

  it('shows whether its file has the current framing', async () => {
    const centers = `/v1/assets/${asset}/centers_of_interest`;
    const whole = { start_ms: 0, end_ms: 60_000, y: 0.5 };
    await tenant.call('POST', centers, { ...whole, x: 0.25 });
    const [framed] = await create({ end_ms: 1000, aspect_ratio_x: 1, aspect_ratio_y: 1, autoframing: true });
    const isRendered = async () =>
      (await tenant.call('GET', `/v1/assets/${asset}/video_clips/${framed}/framing`)).json.is_rendered;
    expect(await isRendered()).toBe(false);
    await rendering.done(await ask(framed!));
    expect(await isRendered()).toBe(true);
    await tenant.call('POST', centers, { ...whole, x: 0.75 });
    expect(await isRendered()).toBe(false);
  });

  it('fails if its branding uses a file that is not uploaded yet', async () => {
    const branding = (await tenant.call('POST', '/v1/brandings', { name: 'B' })).json.branding_id;
    const { clip_id } = (
      await tenant.call('POST', '/v1/branding_clips', { name: 'Opener', filename: 'o.mp4' })
    ).json;
    const variant = { aspect_ratio: '16:9', intro_id: clip_id };
    await tenant.call('POST', `/v1/brandings/${branding}/variants`, variant);
    const [id] = await create({ branding_id: branding });
    const { error } = (await rendering.done(await ask(id!))).items[0];
    expect(error.detail).toContain('“Opener”');
  });
});

describe('a clip with a branding that changes while a job renders it', () => {
  async function send(item: string, path: string): Promise<void> {
    const body = await sentTo(tenant, item, await readFile(path));
    const finished = await tenant.call('POST', `${item}/finish_upload`, body);
    const [, , type, file_id] = item.split('/');
    const input = { tenant: tenant.id, type, file_id, job_id: finished.json.job_id };
    await runStep('check-branding-file', input);
  }

  const logo = (colour: string) =>
    makeMedia(`${colour}.png`, ['-f', 'lavfi', '-i', `color=${colour}:s=16x16`, '-frames:v', '1']);

  async function branded() {
    const named = async (path: string, filename: string) =>
      (await tenant.call('POST', path, { name: 'One', filename })).json;
    const { overlay_id } = await named('/v1/branding_overlays', 'logo.png');
    const { clip_id } = await named('/v1/branding_clips', 'opener.mp4');
    const overlay = `/v1/branding_overlays/${overlay_id}`;
    const opener = `/v1/branding_clips/${clip_id}`;
    await send(overlay, await logo('red'));
    await send(opener, await makeMedia('opener.mp4', [...picture(1, '96x54', '5'), ...h264]));
    const branding = `/v1/brandings/${(await tenant.call('POST', '/v1/brandings', { name: 'B' })).json.branding_id}`;
    const variant = { aspect_ratio: '1:1', overlay_id, intro_id: clip_id };
    await tenant.call('POST', `${branding}/variants`, variant);
    const [id] = await create({ end_ms: 2000, ...square, branding_id: branding.split('/').at(-1) });
    return { id: id!, overlay, opener, branding };
  }

  it('is rendered with the files at its start, and keeps no copies', async () => {
    const { id, overlay, opener, branding } = await branded();
    const job = await ask(id);
    const [one] = await rendering.clipsOf(job);
    const planned = await rendering.plan(job, one!);
    await send(overlay, await logo('blue'));
    await tenant.call('DELETE', branding);
    expect((await tenant.call('DELETE', opener)).status).toBe(204);
    await rendering.pieces(job, one!, planned);
    const made = await rendering.join(job, one!, planned);
    await rendering.run('finish-clips', job, { ends: [made] });
    expect(await shown(id)).toMatchObject({ status: 'ready', stale: true, frame_count: 15 });
    expect((await objectsOf(id)).filter((key) => key.includes('/materials/'))).toEqual([]);
  });

  it('is planned with the new file if a file is replaced during planning', async () => {
    const { id, overlay } = await branded();
    const { copy } = MediaObjects.prototype;
    const copying = vi.spyOn(MediaObjects.prototype, 'copy').mockImplementationOnce(async function (
      this: MediaObjects,
      ...keys
    ) {
      await send(overlay, await logo('blue'));
      return copy.apply(this, keys);
    });
    expect((await rendering.done(await ask(id))).items[0].status).toBe('succeeded');
    copying.mockRestore();
    expect(await shown(id)).toMatchObject({ status: 'ready', stale: false });
  });

  it('keeps rendered pieces after a failure, without further cost, and nothing else', async () => {
    const { id } = await branded();
    const before = await renderedMinutes();
    const failed = await ask(id);
    const [one] = await rendering.clipsOf(failed);
    const planned = await rendering.plan(failed, one!);
    await rendering.pieces(failed, one!, planned, 1);
    const failure = { Error: 'timed_out', Cause: '{"errorMessage":"Late."}' };
    await rendering.run('finish-clips', failed, { ends: [{ video_clip_id: id, failure }] });
    expect((await objectsOf(id)).filter((key) => key.includes('/materials/'))).toEqual([]);
    const { result } = (await rendering.done(await ask(id))).items[0];
    expect(result).toMatchObject({ rendered: 1, reused: 1 });
    expect((await renderedMinutes()) - before).toBeCloseTo(3 / 60, 4);
  });

  it('is not metered for a chunk that was lost before it was stored, and metered once for a stored chunk', async () => {
    const [id] = await create({ end_ms: 3000, ...square });
    const before = await renderedMinutes();
    const job = await ask(id!);
    const [one] = await rendering.clipsOf(job);
    const planned = await rendering.plan(job, one!);
    const keeping = vi.spyOn(ClipFiles.prototype, 'writePiece').mockRejectedValueOnce(new Error('killed'));
    await expect(rendering.pieces(job, one!, planned, 1)).rejects.toThrow('killed');
    keeping.mockRestore();
    expect(await renderedMinutes()).toBe(before);
    const metering = vi.spyOn(Usage.prototype, 'record').mockRejectedValueOnce(new Error('killed'));
    await expect(rendering.pieces(job, one!, planned, 1)).rejects.toThrow('killed');
    metering.mockRestore();
    await rendering.pieces(job, one!, planned);
    expect((await renderedMinutes()) - before).toBeCloseTo(3 / 60, 4);
  });
});

describe('a tenant with a quota of rendered minutes', () => {
  it('fails a clip before planning if it has grown beyond the reserved quota', async () => {
    const thrifty = await api.limited('thrifty', { quotas: { rendered_minutes: 1 } });
    const own = await thrifty.readyAsset(facts);
    await thrifty.objects.write(sourceKey(thrifty.id, own), media, 'video/mp4');
    const path = `/v1/assets/${own}/video_clips`;
    const video_clips = [{ end_ms: 2000, ...square, autoframing: true }];
    const { json } = await thrifty.call('POST', path, { video_clips });
    const video_ids = [json.data[0].video_clip_id];
    const asked = async () => (await thrifty.call('POST', `${path}/download_async`, { video_ids })).json;
    const { done } = renderingOf(thrifty);
    expect((await done(await asked())).status).toBe('succeeded');
    // Nothing has to be rendered, so no quota is reserved.
    const again = await asked();
    const center = { start_ms: 0, end_ms: 60_000, x: 0.1, y: 0.5 };
    await thrifty.call('POST', `/v1/assets/${own}/centers_of_interest`, center);
    expect((await done(again)).items[0].error).toMatchObject({
      code: 'quota_exceeded',
      detail: expect.stringContaining('Create the job again'),
    });
    expect((await done(await asked())).items[0].result).toMatchObject({ rendered: 1 });
  });
});

describe('a clip', () => {
  it('is deleted with its files, but not while a job renders it', async () => {
    const [id] = await create({ end_ms: 1000 });
    await rendering.done(await ask(id!));
    const job = await ask(id!);
    const refused = async () => {
      const { status, json } = await tenant.call('DELETE', `${at()}/${id}`);
      expect([status, json.code, json.detail]).toEqual([
        409,
        'invalid_state',
        expect.stringContaining(job.job_id),
      ]);
    };
    await refused();
    const [one] = await rendering.clipsOf(job);
    const { made } = await rendering.plan(job, one!);
    await refused();
    await rendering.run('finish-clips', job, { ends: [made!] });
    expect((await tenant.call('DELETE', `${at()}/${id}`)).status).toBe(204);
    expect(await objectsOf(id!)).toEqual([]);
    expect((await tenant.call('GET', `${at()}/${id}`)).status).toBe(404);
  });
});
