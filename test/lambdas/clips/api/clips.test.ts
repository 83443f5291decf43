import { describe, expect, it } from 'vitest';
import { Assets } from '../../../../lambdas/assets/records/assets.ts';
import { clipKey, clipPointerKey } from '../../../../platform/table/keys.ts';
import type { StoredAsset } from '../../../../shared/assets.ts';
import { english, spanish } from '../../../support/api.ts';
import { startTestApi } from '../../../support/test-api.ts';

const missing = '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11';

const api = await startTestApi();
const acme = await api.tenant('acme');
const clips = `/v1/assets/${await acme.readyAsset({ languages: [english] })}/video_clips`;

const create = (...video_clips: object[]) => acme.call('POST', clips, { video_clips });

describe('POST …/video_clips', () => {
  it('creates clips, which are listed and read one by one', async () => {
    const own = `/v1/assets/${await acme.readyAsset()}/video_clips`;
    const made = await acme.call('POST', own, {
      video_clips: [
        { start_ms: 1000, end_ms: 5000, aspect_ratio_x: 9, aspect_ratio_y: 16, autoframing: true },
        {},
      ],
    });
    expect([made.status, made.headers.Location]).toEqual([201, own]);
    expect(made.json.data).toMatchObject([
      {
        status: 'created',
        start_ms: 1000,
        end_ms: 5000,
        aspect_ratio_x: 9,
        autoframing: true,
        start_frame: null,
      },
      { status: 'created', start_ms: 0, end_ms: 60_000, aspect_ratio_x: null, autoframing: false },
    ]);
    expect((await acme.call('GET', own)).json.data).toEqual(made.json.data);
    const [first] = made.json.data;
    expect((await acme.call('GET', `${own}/${first.video_clip_id}`)).json).toEqual(first);
  });

  it('converts frames with the frame rate of the media; the last frame may end with the media', async () => {
    const reply = await create({ start_frame: 25, end_frame: 50 }, { start_frame: 1490, end_frame: 1500 });
    expect(reply.json.data).toMatchObject([
      { start_ms: 1000, end_ms: 2000, start_frame: 25, end_frame: 50 },
      { start_ms: 59_600, end_ms: 60_000 },
    ]);
  });

  it.each([
    ['times and frames at once', { start_ms: 0, end_frame: 50 }, '/video_clips/0/start_frame'],
    ['an end before the start', { start_ms: 5000, end_ms: 5000 }, '/video_clips/0/start_ms'],
    ['a start after the end of the media', { start_ms: 60_000 }, '/video_clips/0/start_ms'],
    ['an end after the end of the media', { end_ms: 60_001 }, '/video_clips/0/end_ms'],
    ['one part of an aspect ratio', { aspect_ratio_x: 9 }, '/video_clips/0/aspect_ratio_y'],
    [
      'an aspect ratio that is a line',
      { aspect_ratio_x: 10_000, aspect_ratio_y: 1 },
      '/video_clips/0/aspect_ratio_x',
    ],
    ['one that is upright', { aspect_ratio_x: 10, aspect_ratio_y: 101 }, '/video_clips/0/aspect_ratio_x'],
    ['a member that it does not know', { crop: true }, '/video_clips/0/crop'],
  ])('refuses %s', async (_, clip, pointer) => {
    const reply = await create(clip);
    expect([reply.status, reply.json.code, reply.json.errors[0].pointer]).toEqual([
      422,
      'validation_failed',
      pointer,
    ]);
  });

  it.each<[string, Partial<StoredAsset>, string]>([
    ['without a picture', { width: null, height: null, frame_rate: null }, 'picture'],
    ['that is not ready', { status: 'processing' }, 'processing'],
  ])('answers 409 for an asset %s, and says so', async (_, facts, reason) => {
    const path = `/v1/assets/${await acme.readyAsset(facts)}/video_clips`;
    const { status, json } = await acme.call('POST', path, { video_clips: [{}] });
    expect([status, json.code, json.detail]).toEqual([409, 'invalid_state', expect.stringContaining(reason)]);
  });

  it('names the last possible frame if the request uses frames', async () => {
    const reply = await create({ start_frame: 1490, end_frame: 1502 });
    expect(reply.json.errors[0]).toMatchObject({
      pointer: '/video_clips/0/end_frame',
      detail: 'The media ends at 60000 ms: end_frame is at most 1500.',
    });
  });

  it('refuses frames if the media has no frame rate', async () => {
    const audio = `/v1/assets/${await acme.readyAsset({ frame_rate: null })}/video_clips`;
    const reply = await acme.call('POST', audio, { video_clips: [{ start_frame: 3 }] });
    expect(reply.json.errors[0]).toMatchObject({
      pointer: '/video_clips/0/start_frame',
      code: 'not_allowed',
    });
  });

  it('answers 422 unknown_reference for unknown brandings and languages', async () => {
    const reply = await create(
      { branding_id: missing },
      { branding_id: missing, subtitles_language_id: missing },
    );
    expect(reply.json.code).toBe('unknown_reference');
    expect(reply.json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/video_clips/0/branding_id',
      '/video_clips/1/branding_id',
      '/video_clips/1/subtitles_language_id',
    ]);
    expect((await create({ subtitles_language_id: spanish })).json.code).toBe('unknown_reference');
    expect((await create({ subtitles_language_id: english })).status).toBe(201);
  });

  it('accepts a branding if it has a variant for the aspect ratio, or no variant', async () => {
    const { branding_id } = (await acme.call('POST', '/v1/brandings', { name: 'B' })).json;
    const square = { branding_id, aspect_ratio_x: 1, aspect_ratio_y: 1 };
    expect((await create(square)).status).toBe(201);
    for (const aspect_ratio of ['9:16', '16:9']) {
      await acme.call('POST', `/v1/brandings/${branding_id}/variants`, { aspect_ratio });
    }
    const tall = { branding_id, aspect_ratio_x: 1080, aspect_ratio_y: 1920 };
    const refused = await create(tall, square);
    expect(refused.status).toBe(422);
    expect(refused.json.errors).toEqual([
      {
        pointer: '/video_clips/1/aspect_ratio_x',
        code: 'not_allowed',
        detail:
          'The branding has variants for 16:9, 9:16, none for 1:1. Choose another aspect ratio, or upload a variant for 1:1.',
      },
    ]);
    // The media is 1920 × 1080.
    expect((await create(tall, { branding_id })).status).toBe(201);
    const cinema = `/v1/assets/${await acme.readyAsset({ width: 2048, height: 858 })}/video_clips`;
    const kept = await acme.call('POST', cinema, { video_clips: [{ branding_id }] });
    expect(kept.json.errors[0]).toMatchObject({ pointer: '/video_clips/0/branding_id' });
    expect(kept.json.detail).toContain('none for the 2048 × 858 of the media');
  });
});

describe('downloads', () => {
  it('answer 409 if a clip is not rendered, and 422 for clips of another asset', async () => {
    const [clip] = (await create({})).json.data;
    const unfinished = await acme.call('POST', `${clips}/download`, { video_ids: [clip.video_clip_id] });
    expect([unfinished.status, unfinished.json.code]).toEqual([409, 'invalid_state']);
    for (const kind of ['download', 'download_async']) {
      const foreign = await acme.call('POST', `/v1/assets/${await acme.readyAsset()}/video_clips/${kind}`, {
        video_ids: [clip.video_clip_id],
      });
      expect([foreign.status, foreign.json.errors[0].pointer]).toEqual([422, '/video_ids/0']);
    }
  });
});

describe('the deletion of an asset', () => {
  it('removes its clips and their entries in lists', async () => {
    const own = await acme.readyAsset();
    const made = await acme.call('POST', `/v1/assets/${own}/video_clips`, { video_clips: [{}] });
    const id = made.json.data[0].video_clip_id;
    const assets = new Assets(acme.table, acme.id);
    await assets.beginDeletion(own, new Date(), undefined);
    await assets.erase(own);
    expect(await acme.table.get(clipKey(acme.id, own, id))).toBeNull();
    expect(await acme.table.get(clipPointerKey(acme.id, id))).toBeNull();
  });
});

describe('POST /v1/clips/{clip_id}/publish', () => {
  it('checks the platform, and that the time is in the future', async () => {
    const [clip] = (await create({})).json.data;
    const path = `/v1/clips/${clip.video_clip_id}/publish`;
    for (const schedule_at of ['2020-01-01T00:00:00Z', '2099-02-31T00:00:00Z']) {
      const { status, json } = await acme.call('POST', path, { platform: 'x', schedule_at });
      expect([status, json.errors[0].pointer]).toEqual([422, '/schedule_at']);
    }
    expect((await acme.call('POST', path, { platform: 'myspace' })).status).toBe(422);
  });
});
