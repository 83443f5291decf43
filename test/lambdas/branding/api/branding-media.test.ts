import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Executions } from '../../../../platform/state-machines/executions.ts';
import { fixturePath, makeMedia, tools } from '../../../fixtures/media.ts';
import { runStep } from '../../../support/run-step.ts';
import { startTestApi } from '../../../support/test-api.ts';
import { sentTo } from '../../../support/uploads.ts';

/** Inputs of the executions that were started. */
let started: object[];

process.env.FFMPEG_PATH = tools.ffmpeg;
process.env.FFPROBE_PATH = tools.ffprobe;
const api = await startTestApi();
const own = await api.tenant('acme');

const check = (input: object) => runStep('check-branding-file', input);
const fail = (input: object) => runStep('fail-branding-upload', input);
const clear = (input: object) => runStep('clear-branding-upload', input);
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const watch = () => {
  started = [];
  vi.spyOn(Executions.prototype, 'start').mockImplementation(async (_, input) => {
    started.push(input);
  });
};

const create = async (path: string, filename = 'logo.png', tenant = own) =>
  (await tenant.call('POST', path, { name: 'Logo', filename })).json as Record<string, string>;

async function send(url: string, bytes: Uint8Array): Promise<string> {
  const reply = await fetch(url, { method: 'PUT', body: Buffer.from(bytes) });
  expect(reply.status).toBe(200);
  return reply.headers.get('etag')!;
}

/** Creates, uploads and finishes; what the state machine does is left to the test. */
async function uploaded(path: string, id: string, file: string, tenant = own) {
  watch();
  const made = await create(path, undefined, tenant);
  const item = `${path}/${made[id]}`;
  const body = await sentTo(tenant, item, await readFile(file));
  const finished = await tenant.call('POST', `${item}/finish_upload`, body);
  expect(finished.status).toBe(202);
  return { item, ...body, job: finished, input: started[0]! };
}

const picture = () => makeMedia('logo.png', ['-f', 'lavfi', '-i', 'color=red:s=320x180', '-frames:v', '1']);
const video = (name: string) =>
  makeMedia(name, ['-f', 'lavfi', '-i', 'testsrc=s=320x240:r=25:d=2', '-pix_fmt', 'yuv420p']);
const streamsOf = async (file: string) => {
  const probing = ['-v', 'error', '-show_streams', '-of', 'json', file];
  const { stdout } = await promisify(execFile)(tools.ffprobe, probing);
  return JSON.parse(stdout).streams;
};
const sound = () => makeMedia('sound.wav', ['-f', 'lavfi', '-i', 'sine=d=1']);

/** Runs the machine's path for a check that rejects the file. */
async function checkFails(input: object) {
  const error = await check(input).then(
    () => {
      throw new Error('The check accepted the file');
    },
    (refusal: Error) => refusal,
  );
  const failure = { Error: error.name, Cause: JSON.stringify({ errorMessage: error.message }) };
  await fail({ ...input, failure });
}

describe.each([
  ['/v1/branding_overlays', 'overlay_id', 'branding_overlays'],
  ['/v1/branding_clips', 'clip_id', 'branding_clips'],
])('the file of %s', (path, id, type) => {
  it('has the states created, uploading, and ready with its facts', async () => {
    const made = await create(path);
    expect(made).toMatchObject({ status: 'created', media_type: null, error: null, filename: 'logo.png' });
    const { item, job, input } = await uploaded(path, id, await video('clip.mp4'));
    expect((await own.call('GET', item)).json.status).toBe('uploading');
    const { job_id } = job.json;
    expect(job.headers.Location).toBe(`${item}/upload_jobs/${job_id}`);
    expect(input).toEqual({ tenant: 'acme', type, file_id: item.split('/').at(-1), job_id });
    expect(job.json).toMatchObject({
      type: 'branding_upload',
      [id]: item.split('/').at(-1),
      status: 'queued',
    });
    await check(input);
    const facts = { media_type: 'video', width: 320, height: 240, duration_ms: 2000 };
    expect((await own.call('GET', item)).json).toMatchObject({ ...facts, status: 'ready', error: null });
    const followed = await own.call('GET', `${item}/upload_jobs/${job_id}`);
    expect(followed.json).toMatchObject({ status: 'succeeded', progress: 1, result: facts });
    expect(followed.headers).not.toHaveProperty('Retry-After');
  });

  it('fails with the reason if it is not media, and can be uploaded again', async () => {
    const text = fixturePath('notes.txt');
    await writeFile(text, 'Just some notes.');
    const { item, job, input } = await uploaded(path, id, text);
    await checkFails(input);
    const failed = (await own.call('GET', item)).json;
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'media_unreadable', retryable: false } });
    const wanted = { overlay_id: 'Upload a picture', clip_id: 'Upload a video.' };
    expect(failed.error.detail).toContain(wanted[id as keyof typeof wanted]);
    const followed = (await own.call('GET', `${item}/upload_jobs/${job.json.job_id}`)).json;
    expect(followed).toMatchObject({ status: 'failed', error: failed.error });
    const body = await sentTo(own, item, await readFile(await video('better.mp4')));
    expect((await own.call('GET', item)).json).toMatchObject({ status: 'uploading', error: null });
    await own.call('POST', `${item}/finish_upload`, body);
    await check(started[1]!);
    expect((await own.call('GET', item)).json).toMatchObject({ status: 'ready', error: null });
  });

  it('returns the same job for the same parts, and refuses others', async () => {
    const { item, etags, job } = await uploaded(path, id, await video('same.mp4'));
    const again = await own.call('POST', `${item}/finish_upload`, { etags });
    expect([again.status, again.json.job_id]).toEqual([202, job.json.job_id]);
    const other = await own.call('POST', `${item}/finish_upload`, { etags: ['"0"'] });
    expect([other.status, other.json.code]).toEqual([409, 'invalid_state']);
  });

  it('is checked by its ETags, and loses no part if they differ', async () => {
    watch();
    const item = `${path}/${(await create(path))[id]}`;
    const early = await own.call('POST', `${item}/finish_upload`, { etags: ['"0"'] });
    expect(early.json.code).toBe('invalid_state');
    const ticket = (await own.call('POST', `${item}/start_upload`, { parts: 2 })).json;
    expect(ticket.parts.map((part: { part_number: number }) => part.part_number)).toEqual([1, 2]);
    const etag = await send(ticket.parts[0].url, Buffer.from('x'));
    const wrong = await own.call('POST', `${item}/finish_upload`, { etags: ['"wrong"'] });
    expect([wrong.status, wrong.json.code]).toEqual([422, 'upload_parts_mismatch']);
    expect(started).toEqual([]);
    const signedAgain = (await own.call('POST', `${item}/start_upload`)).json;
    expect(signedAgain.upload_id).toBe(ticket.upload_id);
    const finish = (more: object) => own.call('POST', `${item}/finish_upload`, { etags: [etag], ...more });
    const cut = (await finish({})).json;
    expect([cut.code, cut.detail]).toEqual([
      'upload_parts_mismatch',
      expect.stringMatching(/^Part 2 has not/),
    ]);
    expect((await finish({ size_bytes: 2 })).json.code).toBe('upload_parts_mismatch');
    expect((await finish({ size_bytes: 1 })).status).toBe(202);
  });

  it('opens one upload and one job for any number of concurrent calls', async () => {
    watch();
    const item = `${path}/${(await create(path))[id]}`;
    const tickets = await Promise.all(
      Array.from({ length: 4 }, () => own.call('POST', `${item}/start_upload`)),
    );
    expect(new Set(tickets.map(({ json }) => json.upload_id)).size).toBe(1);
    const etags = [await send(tickets[0]!.json.parts[0].url, Buffer.from('x'))];
    const jobs = await Promise.all(
      Array.from({ length: 4 }, () => own.call('POST', `${item}/finish_upload`, { etags })),
    );
    expect(new Set(jobs.map(({ json }) => json.job_id)).size).toBe(1);
  });

  it('is deleted with its record, even during the check', async () => {
    const { item, input } = await uploaded(path, id, await video('gone.mp4'));
    const key = `t/acme/branding/${type}/${item.split('/').at(-1)}/media`;
    await check(input);
    expect(await own.objects.size(key)).toBeGreaterThan(0);
    expect((await own.call('DELETE', item)).status).toBe(204);
    expect(await own.objects.size(key)).toBeNull();
    expect(await own.table.queryAll({ pk: `T#acme#BRF#${item.split('/').at(-1)}` })).toEqual([]);
    await expect(check(input)).rejects.toMatchObject({ name: 'canceled' });
    expect(await own.objects.size(key)).toBeNull();
  });
});

/** Sends another file to an item that has one; what the machine does is left to the test. */
async function sentAgain(item: string, file: string) {
  const body = await sentTo(own, item, await readFile(file));
  expect((await own.call('POST', `${item}/finish_upload`, body)).status).toBe(202);
  return started.at(-1)!;
}

const stored = async (item: string, type: string) => {
  const prefix = `t/acme/branding/${type}/${item.split('/').at(-1)}/`;
  return (await own.objects.keys(prefix)).map((key) => key.slice(prefix.length));
};

describe('a file that is ready', () => {
  const path = '/v1/branding_clips';
  const type = 'branding_clips';

  it('is stored in its converted form, and has a preview URL', async () => {
    const file = await makeMedia('portrait.mov', [
      ...['-f', 'lavfi', '-i', 'testsrc=s=321x241:r=12:d=1', '-f', 'lavfi', '-i', 'sine=d=1:r=44100'],
      ...['-vf', 'setsar=2/1', '-c:v', 'mjpeg', '-pix_fmt', 'yuvj422p', '-c:a', 'pcm_s16le'],
    ]);
    const { item, input, job } = await uploaded(path, 'clip_id', file);
    await check(input);
    expect(await stored(item, type)).toEqual([`${job.json.job_id}.mp4`, 'media']);
    const { json } = await own.call('GET', item);
    expect(json).toMatchObject({ width: 642, height: 241, frame_rate: 12, has_audio: true });
    expect(Date.parse(json.preview_expires_at)).toBeGreaterThan(Date.now());
    const seen = await fetch(json.preview_url);
    expect(seen.headers.get('content-type')).toBe('video/mp4');
    const normal = fixturePath('normal.mp4');
    await writeFile(normal, Buffer.from(await seen.arrayBuffer()));
    expect(await streamsOf(normal)).toMatchObject([
      { codec_name: 'h264', pix_fmt: 'yuv420p', width: 642, height: 242, sample_aspect_ratio: '1:1' },
      { codec_name: 'aac', sample_rate: '48000', channels: 2 },
    ]);
  });

  it('is replaced by a second upload, but stays if that one fails', async () => {
    const { item, input } = await uploaded(path, 'clip_id', await video('first.mp4'));
    await check(input);
    const [kept] = await stored(item, type);
    const before = (await own.used()).stored_bytes!;
    await checkFails(await sentAgain(item, await sound()));
    expect(await stored(item, type)).toEqual([kept]);
    const failed = (await own.call('GET', item)).json;
    expect(failed).toMatchObject({ status: 'ready', duration_ms: 2000, error: { code: 'media_unreadable' } });
    expect((await own.used()).stored_bytes).toBeLessThan(before);
    const better = await makeMedia('better.mp4', ['-f', 'lavfi', '-i', 'testsrc=s=64x48:r=25:d=1']);
    await check(await sentAgain(item, better));
    const names = await stored(item, type);
    expect(names).toHaveLength(2);
    expect(names).not.toContain(kept);
    expect((await own.call('GET', item)).json).toMatchObject({ status: 'ready', width: 64, error: null });
  });

  it('is metered once, even if the check is repeated, and not counted as stored after its deletion', async () => {
    const before = await own.used();
    const { item, input } = await uploaded(path, 'clip_id', await video('metered.mp4'));
    await check(input);
    await check(input);
    expect((await own.call('GET', item)).json.status).toBe('ready');
    const after = await own.used();
    const sizes = await Promise.all(
      (await stored(item, type)).map((name) =>
        own.objects.size(`t/acme/branding/${type}/${item.split('/').at(-1)}/${name}`),
      ),
    );
    const stored_bytes = before.stored_bytes! + sizes.reduce<number>((sum, size) => sum + size!, 0);
    expect(after).toMatchObject({ uploads: before.uploads! + 1, stored_bytes });
    expect(after.rendered_minutes! - before.rendered_minutes!).toBeCloseTo(2 / 60, 2);
    expect((await own.call('DELETE', item)).status).toBe(204);
    expect((await own.used()).stored_bytes).toBe(before.stored_bytes);
  });
});

describe('a file that is deleted during the check', () => {
  const endsOf = async (job: string) => {
    const { data } = (await own.call('GET', '/v1/events?items=100')).json;
    const ended = data.filter(({ type }: { type: string }) => /^job\.(?!created)/.test(type));
    return ended.filter((one: { data: { job: { job_id: string } } }) => one.data.job.job_id === job);
  };

  it('cancels its job, publishes the cancellation once, and removes the job', async () => {
    const { item, input, job } = await uploaded('/v1/branding_overlays', 'overlay_id', await picture());
    const { job_id } = job.json;
    expect((await own.call('DELETE', item)).status).toBe(204);
    await expect(check(input)).rejects.toMatchObject({ name: 'canceled' });
    await clear(input);
    expect((await own.call('GET', `/v1/jobs/${job_id}`)).status).toBe(404);
    // The log shows events after some seconds.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    expect(await endsOf(job_id)).toMatchObject([{ type: 'job.canceled' }]);
  });
});

describe("the operator's limits", () => {
  it.each([
    ['uploads', { quotas: { uploads: 1 } }, 'quota_exceeded'],
    ['bytes', { quotas: { stored_bytes: 1 } }, 'quota_exceeded'],
    ['jobs', { concurrent_jobs: 1 }, 'rate_limited'],
  ])('also apply to branding files: the number of %s', async (what, limits, code) => {
    const tenant = await api.limited(`limited-${what}`, limits);
    watch();
    const path = '/v1/branding_overlays';
    const begun = [];
    for (const each of ['one', 'two']) {
      const { json } = await tenant.call('POST', path, { name: each, filename: 'logo.png' });
      const item = `${path}/${json.overlay_id}`;
      const ticket = (await tenant.call('POST', `${item}/start_upload`)).json;
      begun.push({ item, ticket });
    }
    // Arrived parts count when an upload starts, so both start first.
    const two = [];
    for (const { item, ticket } of begun)
      two.push({ item, etags: [await send(ticket.parts[0].url, await readFile(await picture()))] });
    const answers = [];
    for (const { item, etags } of two)
      answers.push((await tenant.call('POST', `${item}/finish_upload`, { etags })).json.code);
    expect(answers.at(-1)).toBe(code);
  });
});

describe('a quota of rendered minutes', () => {
  const moving = () =>
    makeMedia('moving.gif', ['-f', 'lavfi', '-i', 'testsrc=s=64x48:r=5:d=2', '-pix_fmt', 'rgb8']);

  it.each([
    ['/v1/branding_clips', 'clip_id', () => video('held.mp4')],
    // It does not say how long it plays.
    ['/v1/branding_overlays', 'overlay_id', moving],
  ])('refuses concurrent files of %s that would together exceed it', async (path, id, file) => {
    // Each plays for two seconds.
    const tenant = await api.limited(`rendering-${id.replace('_id', '')}`, {
      quotas: { rendered_minutes: 0.05 },
    });
    const inputs = [];
    for (const _ of ['one', 'two']) inputs.push((await uploaded(path, id, await file(), tenant)).input);
    await check(inputs[0]!);
    expect((await tenant.used()).rendered_minutes).toBeCloseTo(2 / 60, 2);
    await expect(check(inputs[1]!)).rejects.toMatchObject({
      name: 'quota_exceeded',
      message: expect.stringContaining('rendered_minutes'),
    });
    // A repeat of the first holds nothing more.
    await check(inputs[0]!);
  });
});

async function firstHalf(file: string): Promise<string> {
  const whole = await readFile(file);
  const cut = fixturePath(`cut-${basename(file)}`);
  await writeFile(cut, whole.subarray(0, (whole.length >> 1) - 50));
  return cut;
}

const cutPicture = async () => firstHalf(await picture());
const cutVideo = async () => firstHalf(await video('cut.ts'));

describe('usable media', () => {
  it('includes a picture, for an overlay', async () => {
    const { item, input } = await uploaded('/v1/branding_overlays', 'overlay_id', await picture());
    await check(input);
    const facts = { media_type: 'image', width: 320, height: 180, duration_ms: null, status: 'ready' };
    expect((await own.call('GET', item)).json).toMatchObject(facts);
  });

  it.each([
    ['a sound', '/v1/branding_overlays', 'overlay_id', sound],
    ['a picture', '/v1/branding_clips', 'clip_id', picture],
    ['a truncated picture', '/v1/branding_overlays', 'overlay_id', cutPicture],
    ['a video without its end', '/v1/branding_clips', 'clip_id', cutVideo],
  ])('does not include %s for %s', async (_, path, id, file) => {
    const { item, input } = await uploaded(path, id, await file());
    await checkFails(input);
    expect((await own.call('GET', item)).json.error.code).toBe('media_unreadable');
  });
});
