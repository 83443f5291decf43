import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, describe, expect } from 'vitest';
import type { IngestJob } from '../../client/index.ts';
import { canaryTenant } from '../../lambdas/canary/actions/run-canary.ts';
import type { Outcome } from '../../lambdas/canary/rules/outcome.ts';
import { canaryStages } from '../../lambdas/canary/rules/stages.ts';
import type { Finding } from '../../scripts/doctor/check.ts';
import { localPlace, type Place, smokeTest, withSpace } from '../../scripts/doctor/smoke.ts';
import { asTenantId } from '../../shared/ids.ts';
import { makeMedia } from '../fixtures/media.ts';
import { judgeVtt } from '../lambdas/subtitles/webvtt-judge.ts';
import type { LocalCloud } from '../support/local-cloud.ts';
import { wordErrorRate } from '../support/talk-scores.ts';
import { ended, finish, firstSeconds, it, upload } from './support.ts';

const video = readFileSync('content/demo/kinora-demo.mp4');
/** A part is enough here. The tests of the engine transcribe the whole film. */
const beginning = firstSeconds(16);
const wordsIn = (text: string) => text.trim().split(/\s+/);
const reference = wordsIn(readFileSync('content/demo/kinora-demo.txt', 'utf8'));

let cloud: LocalCloud;
it.beforeAll(async ({ cloud: running }) => {
  cloud = running;
});

describe('an uploaded video', () => {
  let assetId: string;
  let transcription: string;
  let job: IngestJob;
  const progress: number[] = [];

  beforeAll(async () => {
    const sent = await upload(cloud, beginning);
    assetId = sent.assetId;
    job = await ended(cloud, assetId, await finish(cloud, assetId, sent.etags), (seen) =>
      progress.push(seen),
    );
    const [made] = job.result!.transcription_ids as string[];
    transcription = `/v1/assets/${assetId}/transcriptions/${made}`;
  });

  it('succeeds, and the asset is ready with the facts about its media', async () => {
    expect(job.status).toBe('succeeded');
    expect((await cloud.call('GET', `/v1/assets/${assetId}`)).json).toMatchObject({
      status: 'ready',
      progress: 1,
      stage: null,
      error: null,
      size_bytes: beginning.length,
      audio_channels: expect.any(Number),
      width: expect.any(Number),
      duration_ms: expect.any(Number),
      languages: [expect.any(String)],
    });
  });

  it('reports progress that never decreases', () => {
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(progress.at(-1)).toBe(1);
  });

  it("adds the upload, its bytes and the transcribed minutes to the month's usage", async () => {
    const { json } = await cloud.call('GET', '/v1/usages/current_month');
    const used = Object.fromEntries(
      json.metrics.map(({ metric, quantity }: { metric: string; quantity: number }) => [metric, quantity]),
    );
    expect(used).toMatchObject({
      uploads: 1,
      uploaded_bytes: beginning.length,
      stored_bytes: beginning.length,
    });
    expect(used.transcription_minutes).toBeGreaterThan(0);
  });

  it('is transcribed with a word error rate below 15 %', async () => {
    const { json } = await cloud.call('GET', transcription);
    const text = json.segments.map((segment: { text: string }) => segment.text).join(' ');
    const said = reference.slice(0, wordsIn(text).length).join(' ');
    expect(wordErrorRate(said, text)).toBeLessThan(0.15);
  });

  it.each(['standard', 'simplified'])('writes %s WebVTT that the W3C parser accepts', async (flavor) => {
    const { text, status } = await cloud.call('GET', `${transcription}/vtt?flavor=${flavor}`);
    expect(status).toBe(200);
    const { cues, errors } = judgeVtt(text);
    expect(errors).toEqual([]);
    expect(cues.length).toBeGreaterThan(2);
  });

  it('returns the same job for a repeated finish_upload, and 409 for other parts', async () => {
    const { json: asset } = await cloud.call('POST', '/v1/assets', { filename: 'x.mp4' });
    const { json: ticket } = await cloud.call('POST', `/v1/assets/${asset.asset_id}/start_upload`);
    const sent = await fetch(ticket.parts[0].url, { method: 'PUT', body: 'not media' });
    const path = `/v1/assets/${asset.asset_id}/finish_upload`;
    const etags = [sent.headers.get('etag')];
    const [first, second] = await Promise.all([
      cloud.call('POST', path, { etags }),
      cloud.call('POST', path, { etags }),
    ]);
    expect(second!.json.job_id).toBe(first!.json.job_id);
    const other = await cloud.call('POST', path, { etags: ['"other"'] });
    expect([other.status, other.json.code]).toEqual([409, 'invalid_state']);
  });
});

describe('npm run doctor after a deployment', () => {
  /** On AWS, `npm run doctor -- dev --after` runs the same test. */
  const tried = async (film: Blob, changes: Partial<Place> = {}) =>
    smokeTest({
      ...{ ...localPlace(cloud.ready), film, ...changes },
      onFinding: () => {},
      onProgress: () => {},
    });
  const levels = (findings: readonly Finding[]) => findings.map(({ title, level }) => `${title} ${level}`);

  it('reads the site, uploads a film in parts, reads its subtitles, deletes it, and revokes its key', async () => {
    const findings = await tried(withSpace(Buffer.from(firstSeconds(6))));
    expect(levels(findings)).toEqual([
      ...['Site well', 'Site for programs well', 'Errors well', 'Key well', 'Create well', 'Upload well'],
      ...['Processing well', 'Subtitles well', 'Delete well', 'Key well'],
    ]);
    expect(findings.map(({ says }) => says).join()).toContain('in 2 parts');
    const { keys } = localPlace(cloud.ready);
    const left = await keys.list(asTenantId('kinora-doctor'));
    expect(left.map(({ status }) => status)).toEqual(['revoked']);
  });

  it('reports a failure and how to fix it, deletes its asset, and revokes its key', async () => {
    const findings = await tried(new Blob(['nothing to see']));
    expect(levels(findings).slice(-3)).toEqual(['Upload well', 'Processing failing', 'Key well']);
    const failed = findings.find(({ level }) => level === 'failing');
    expect(failed).toMatchObject({
      says: expect.stringContaining('media_unreadable'),
      cure: expect.any(String),
    });
    const nowhere = await tried(new Blob(['x']), { apiUrl: 'http://127.0.0.1:9' });
    expect(levels(nowhere)).toEqual(['Site well', 'Site for programs well', 'Errors failing']);
  });
});

describe('the canary', () => {
  const invoked = async () => {
    const { stdout, stderr } = await promisify(execFile)('node', ['scripts/invoke.ts', 'Canary'], {
      env: { ...process.env, KINORA_LOCAL_DIR: cloud.folder },
    });
    const line = stderr.split('\n').find((one) => one.includes('"schedule":"Canary"'))!;
    return { outcome: JSON.parse(stdout) as Outcome, line: JSON.parse(line) };
  };

  it('processes its own media, reports metrics, and leaves neither an asset nor a key', async () => {
    const { outcome, line } = await invoked();
    expect(outcome).toMatchObject({ failed: null, leftovers: 0 });
    expect(Object.keys(outcome.took)).toEqual([...canaryStages]);
    expect(line).toMatchObject({ CanarySucceeded: 1, CanaryProcessing: outcome.took.Processing });
    expect(await localPlace(cloud.ready).keys.list(canaryTenant)).toEqual([]);
  });
});

describe('files that are not media', () => {
  it.each([
    ['empty', Buffer.alloc(0)],
    [
      'a playlist disguised as video',
      Buffer.from('#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n'),
    ],
    ['the first half of a video', video.subarray(0, video.length / 2)],
  ])('fail with media_unreadable and a helpful detail: %s', async (_, bytes) => {
    const { assetId, etags } = await upload(cloud, bytes);
    const job = await ended(cloud, assetId, await finish(cloud, assetId, etags));
    expect(job).toMatchObject({ status: 'failed', error: { code: 'media_unreadable', retryable: false } });
    expect(job.error!.detail).toMatch(/upload|export/i);
    expect((await cloud.call('GET', `/v1/assets/${assetId}`)).json).toMatchObject({
      status: 'failed',
      error: { code: 'media_unreadable' },
    });
  });

  it('can be replaced by a valid file', async () => {
    const { assetId, etags } = await upload(cloud, Buffer.from('nothing to see'));
    await ended(cloud, assetId, await finish(cloud, assetId, etags));
    const { json: ticket } = await cloud.call('POST', `/v1/assets/${assetId}/start_upload`);
    const video = await makeMedia('short.mp4', ['-f', 'lavfi', '-i', 'testsrc=s=64x64:d=1']);
    const sent = await fetch(ticket.parts[0].url, { method: 'PUT', body: readFileSync(video) });
    const jobId = await finish(cloud, assetId, [sent.headers.get('etag')!]);
    expect((await ended(cloud, assetId, jobId)).status).toBe('succeeded');
  });
});

describe('media with several audio tracks', () => {
  const processed = async (fields: object) => {
    const sound = (pitch: number) => ['-f', 'lavfi', '-i', `sine=frequency=${pitch}:duration=2`];
    const languages = ['-metadata:s:a:0', 'language=spa', '-metadata:s:a:1', 'language=eng'];
    const all = [...sound(440), ...sound(880), '-map', '0', '-map', '1', '-c:a', 'flac', ...languages];
    const file = await makeMedia('tracks.mkv', [...all, '-ac:a:1', '2']);
    const { assetId, etags } = await upload(cloud, readFileSync(file), fields);
    const job = await ended(cloud, assetId, await finish(cloud, assetId, etags));
    return { job, asset: (await cloud.call('GET', `/v1/assets/${assetId}`)).json };
  };

  it('lists the tracks, with the transcribed one and the reason', async () => {
    const { job, asset } = await processed({ audio_track: 2 });
    expect(job.status).not.toBe('failed');
    expect(asset).toMatchObject({
      status: 'ready',
      audio_track: 2,
      audio_channels: 2,
      source_tracks: [
        { number: 1, language: 'es', codec: 'flac', channels: 1, chosen: null },
        { number: 2, language: 'en', codec: 'flac', channels: 2, chosen: 'asked_for' },
      ],
    });
  });

  it('fails with audio_track_missing for an unknown track, and lists the existing ones', async () => {
    const { job, asset } = await processed({ audio_track: 3 });
    expect(job.error).toMatchObject({
      code: 'audio_track_missing',
      detail: expect.stringContaining('2 audio'),
    });
    expect(asset.source_tracks).toMatchObject([{ number: 1 }, { number: 2 }]);
  });
});

describe('media with a wrong duration in the header', () => {
  it('is stored and metered with the decoded duration', async () => {
    const used = async () => {
      const { json } = await cloud.call('GET', '/v1/usages/current_month');
      const of = ({ metric }: { metric: string }) => metric === 'transcription_minutes';
      return json.metrics.find(of).quantity as number;
    };
    const tone = ['-f', 'lavfi', '-i', 'sine=duration=2', '-c:a', 'flac'];
    const bytes = readFileSync(await makeMedia('lying.mka', tone));
    // The segment's Duration (RFC 9559 §5.1.2.7): ten hours, in ms.
    bytes.writeDoubleBE(36_000_000, bytes.indexOf(Buffer.from([0x44, 0x89, 0x88])) + 3);
    const before = await used();
    const { assetId, etags } = await upload(cloud, bytes);
    await ended(cloud, assetId, await finish(cloud, assetId, etags));
    const { json } = await cloud.call('GET', `/v1/assets/${assetId}`);
    expect(Math.abs(json.duration_ms - 2000)).toBeLessThan(50);
    expect((await used()) - before).toBeLessThanOrEqual(1);
  });
});

describe('deleting an asset', () => {
  it('removes it from lists at once, and leaves no data', async () => {
    const { assetId, etags } = await upload(cloud, beginning, { external_id: 'to-delete' });
    await finish(cloud, assetId, etags);
    expect((await cloud.call('DELETE', `/v1/assets/${assetId}`)).status).toBe(204);
    const { json } = await cloud.call('GET', '/v1/assets?items=100');
    expect(json.data.map(({ asset_id }: { asset_id: string }) => asset_id)).not.toContain(assetId);
    let status = 0;
    while (status !== 404) {
      ({ status } = await cloud.call('GET', `/v1/assets/${assetId}`));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const again = await cloud.call('POST', '/v1/assets', { filename: 'b.mp4', external_id: 'to-delete' });
    expect(again.status).toBe(201);
  });
});
