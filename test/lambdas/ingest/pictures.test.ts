import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { AnalysisResults } from '../../../lambdas/analyses/records/analysis-results.ts';
import { isWithin, type PictureSpan, planSpans } from '../../../lambdas/ingest/rules/picture-spans.ts';
import { joinShots, type SpanFindings } from '../../../lambdas/ingest/rules/span-findings.ts';
import { posterOf, tilesOf } from '../../../lambdas/ingest/rules/storyboard.ts';
import { assetPrefix, sourceKey } from '../../../platform/objects/media-objects.ts';
import { processed } from '../../support/processed.ts';
import { runStep } from '../../support/run-step.ts';
import { startTestApi } from '../../support/test-api.ts';
import { makeTestVideo } from '../../support/test-videos.ts';

const api = await startTestApi();
const tenant = await api.tenant('pictures');

const folder = await mkdtemp(join(tmpdir(), 'pictures-'));
const course = { through: [[0, 0.2] as const, [74, 0.8] as const] };
const subject = { seed: 4, size: 0.4, x: course, y: { through: [[0, 0.5] as const] } };
const video = await makeTestVideo(
  {
    ...{ width: 320, height: 180, rate: '25' },
    scenes: [
      { picture: { kind: 'texture', seed: 1 }, frames: 40 },
      { picture: { kind: 'bars', seed: 2 }, frames: 60 },
      { picture: { kind: 'texture', seed: 3 }, frames: 75, subjects: [subject] },
    ],
  },
  folder,
);
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const span = (index: number, start_ms: number, end_ms: number, is_last: boolean): PictureSpan => ({
  ...{ index, start_ms, end_ms, is_last },
  ...{ sample_ms: 1000, tile_ms: 1000, is_sparse: false },
});

/** Analyzes the video in these spans, as the machine does, and merges the findings. */
async function looked(spans: readonly PictureSpan[]) {
  const { id, job, assets } = await processed(tenant);
  const running = { status: 'running', error: null } as const;
  const { width, height, duration_ms } = video;
  const facts = { width, height, duration_ms, analyses: { camera_shoots: running, autocenter: running } };
  await assets.advance({ asset_id: id, job_id: job }, { stage: 'probe', progress: 0.1 }, new Date(), facts);
  await tenant.objects.write(sourceKey(tenant.id, id), await readFile(video.file), 'video/mp4');
  const step = (name: string, more: object) =>
    runStep(name, { tenant: tenant.id, asset_id: id, job_id: job, ...more });
  for (const one of spans) await step('look-at-pictures', { span: one });
  const results = new AnalysisResults(tenant.table, tenant.objects, tenant.id);
  return { id, job, step, results, merged: await step('merge-pictures', { spans }) };
}

const tone = () =>
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'sine=duration=1', '-f', 'flac', '-']);

describe('the pictures of an ingest', () => {
  it('are split into shots, framed, and put on storyboard sheets', async () => {
    const { id, job, results, merged } = await looked([span(0, 0, video.duration_ms, true)]);
    expect(merged).toEqual({
      analyses: {
        camera_shoots: { status: 'ready', error: null },
        autocenter: { status: 'ready', error: null },
      },
    });
    const shots = await results.list(id, 'camera_shoots');
    expect(shots.map(({ start_frame, end_frame }) => [start_frame, end_frame])).toEqual([
      [0, 40],
      [40, 100],
      [100, 175],
    ]);
    expect(shots.map(({ start_ms, end_ms }) => [start_ms, end_ms])).toEqual([
      [0, 1600],
      [1600, 4000],
      [4000, 7000],
    ]);
    const tiles = await results.list(id, 'storyboard');
    expect(tiles.map(({ start_ms }) => start_ms)).toEqual([0, 1000, 2000, 3000, 4000, 5000, 6000]);
    const sheet = Buffer.from((await tenant.objects.read(tiles[0]!.key))!);
    expect(sheet.subarray(0, 3).toString('hex')).toBe('ffd8ff');
    const [poster] = await results.list(id, 'posters');
    expect(poster).toMatchObject({ width: 320, height: 180 });
    const [, , followed] = await results.list(id, 'autocenter');
    expect(followed).toMatchObject({ source: 'motion' });
    const { jobPrefixes } = await import('../../../lambdas/ingest/actions/ingest-objects.ts');
    const own = jobPrefixes(tenant.id, { tenant: tenant.id, asset_id: id, job_id: job });
    const keys = await tenant.objects.keys(`${assetPrefix(tenant.id, id)}derived/`);
    expect(keys.filter((key) => !own.some((prefix) => key.startsWith(prefix)))).toEqual([]);
  });

  it('give the same findings for any spans, which can end within a shot or at a cut', async () => {
    const whole = await looked([span(0, 0, video.duration_ms, true)]);
    const inSpans = await looked([
      span(0, 0, 1600, false),
      span(1, 1600, 3210, false),
      span(2, 3210, video.duration_ms, true),
    ]);
    for (const name of ['camera_shoots', 'autocenter'] as const) {
      expect(await inSpans.results.list(inSpans.id, name)).toEqual(await whole.results.list(whole.id, name));
    }
  });

  it('are not analyzed again if a step is retried', async () => {
    const { step, id } = await looked([span(0, 0, video.duration_ms, true)]);
    await tenant.objects.write(sourceKey(tenant.id, id), 'no video any more', 'video/mp4');
    await expect(step('look-at-pictures', { span: span(0, 0, video.duration_ms, true) })).resolves.toEqual(
      {},
    );
  });
});

describe('the probe of the media', () => {
  it('stores the start time code, and removes it if the next file has none', async () => {
    const { id, job } = await processed(tenant);
    const begins = async (...args: string[]) => {
      const output = join(folder, 'timecode.mov');
      execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', video.file, '-c', 'copy', ...args, output]);
      await tenant.objects.write(sourceKey(tenant.id, id), await readFile(output), 'video/quicktime');
      await runStep('probe-media', { tenant: tenant.id, asset_id: id, job_id: job });
      return (await tenant.call('GET', `/v1/assets/${id}`)).json.start_timecode;
    };
    expect(await begins('-timecode', '10:00:00:00')).toBe('10:00:00:00');
    expect(await begins()).toBeNull();
  });
});

describe('findings of media whose processing failed', () => {
  const seen = ['camera_shoots', 'autocenter', 'storyboard', 'posters'] as const;

  it('are removed when the next file of the asset is probed', async () => {
    const { id, step, results } = await looked([span(0, 0, video.duration_ms, true)]);
    await tenant.objects.write(sourceKey(tenant.id, id), tone(), 'audio/flac');
    await step('probe-media', {});
    for (const name of seen) expect(await results.list(id, name)).toEqual([]);
  });

  it('are removed after a cancellation, so that no item refers to a removed object', async () => {
    const { id, job, step, results } = await looked([span(0, 0, video.duration_ms, true)]);
    const silence = await results.waveform(id);
    await results.writeWaveform(id, job, { ...silence, length: 1, data: [-1, 1] });
    expect((await tenant.call('POST', `/v1/jobs/${job}/cancel`)).status).toBeLessThan(300);
    await step('clear-ingest', {});
    expect(await tenant.objects.keys(assetPrefix(tenant.id, id))).toEqual([]);
    for (const name of seen) expect(await results.list(id, name)).toEqual([]);
    expect(await results.waveform(id)).toEqual(silence);
  });
});

describe('the spans of a video', () => {
  const hd = { width: 1920, height: 1080, frame_rate: 30, mc_model: 'normal' } as const;

  it('cover it without gap or overlap, and last at most two minutes each', () => {
    const spans = planSpans(hd, 3_600_000);
    expect(spans).toHaveLength(30);
    for (const at_ms of [0, 119_999, 120_000, 3_599_999, 4_000_000]) {
      expect(spans.filter((one) => isWithin(one, at_ms))).toHaveLength(1);
    }
  });

  it('are shorter for larger pictures, and at most as many as an execution has room for', () => {
    expect(planSpans({ ...hd, width: 3840, height: 2160, frame_rate: 60 }, 600_000)).toHaveLength(40);
    expect(planSpans({ ...hd, width: 7680, height: 4320, frame_rate: 60 }, 43_200_000)).toHaveLength(700);
  });

  it('are sampled less often with turbo', () => {
    const [turbo] = planSpans({ ...hd, mc_model: 'turbo' }, 60_000);
    expect(turbo).toMatchObject({ sample_ms: 3000, is_sparse: true });
  });

  it('contain as many pictures an hour as the documentation of costs states', () => {
    const hour_ms = 3_600_000;
    const pictures = (['normal', 'turbo'] as const).map(
      (mc_model) => hour_ms / planSpans({ ...hd, mc_model }, hour_ms)[0]!.sample_ms,
    );
    const documented = readFileSync('docs/analyses.md', 'utf8');
    const [, normal, turbo] = /\| Faces in ([\d,]+) pictures; ([\d,]+) with turbo/.exec(documented)!;
    expect([normal, turbo].map((count) => Number(count!.replace(',', '')))).toEqual(pictures);
  });
});

describe('shots of several spans', () => {
  const boundary = (frame: number, at_ms: number) => ({
    ...{ frame, at_ms, transition: 'cut' as const, confidence: 1 },
  });
  const seen = (frames: number, ...boundaries: ReturnType<typeof boundary>[]): SpanFindings => ({
    ...{ frames, boundaries, motion: [], pictures: [], failures: {} },
  });

  it('continue frame numbers across spans, and count a cut at a border once', () => {
    const spans = [seen(100, boundary(50, 2000), boundary(99, 3960)), seen(100, boundary(0, 4000))];
    const shots = joinShots(spans, 8000, true);
    expect(shots.map(({ start_frame, end_frame }) => [start_frame, end_frame])).toEqual([
      [0, 50],
      [50, 99],
      [99, 200],
    ]);
  });

  it('have no frame numbers if frames were skipped', () => {
    const [, second] = joinShots([seen(100, boundary(50, 2000))], 4000, false);
    expect(second).toMatchObject({ start_ms: 2000, start_frame: null, end_frame: null });
  });
});

describe('a poster', () => {
  const picture = (at_ms: number, spread: number) => ({ at_ms, mean: 100, spread });

  it('is not black if the video starts in black', () => {
    const chosen = posterOf([picture(0, 0), picture(1000, 1), picture(2000, 40), picture(9000, 42)], 10_000);
    expect(chosen?.at_ms).toBe(2000);
  });

  it('exists even if all pictures are black, but not without pictures', () => {
    expect(posterOf([picture(0, 0)], 1000)?.at_ms).toBe(0);
    expect(posterOf([], 1000)).toBeNull();
  });
});

describe('a storyboard', () => {
  it('fills sheets row by row', () => {
    const times = Array.from({ length: 101 }, (_, at) => at * 1000);
    const tiles = tilesOf(times, 101_000, { width: 160, height: 90 });
    expect(tiles[11]).toMatchObject({ sheet: 0, x: 160, y: 90, start_ms: 11_000, end_ms: 12_000 });
    expect(tiles[100]).toMatchObject({ sheet: 1, x: 0, y: 0, end_ms: 101_000 });
  });
});
