import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CreateBucketCommand, GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { describe, expect } from 'vitest';
import { type ClipsJob, jobEnd } from '../../client/index.ts';
import { hasPocketsphinx } from '../engines/transcription/pocketsphinx-installed.ts';
import { aac, h264, makeMedia, tone } from '../fixtures/media.ts';
import type { LocalCloud } from '../support/local-cloud.ts';
import { ended, finish, firstSeconds, it, upload } from './support.ts';

const run = promisify(execFile);
const account = '123456789012';

describe.skipIf(!hasPocketsphinx())('a clip for phones, with subtitles and a branding', () => {
  let cloud: LocalCloud;
  let s3: S3Client;
  let asset_id: string;
  let bucket: string;
  let video_id: string;

  it.beforeAll(async ({ cloud: running }) => {
    cloud = running;
    const sent = await upload(cloud, firstSeconds(8), { name: 'Título en español.mp4' });
    [asset_id, bucket] = [sent.assetId, sent.bucket];
    const ingest = finish(cloud, asset_id, sent.etags);
    const branding_id = await branding();
    await ended(cloud, asset_id, await ingest);
    const { languages } = await cloud.kinora.getAsset({ asset_id });
    await cloud.kinora.createCenterOfInterest({
      asset_id,
      body: { start_ms: 0, end_ms: 5000, x: 0.3, y: 0.5 },
    });
    const clip = {
      ...{ start_ms: 1000, end_ms: 7000, aspect_ratio_x: 9, aspect_ratio_y: 16, autoframing: true },
      ...{ branding_id, subtitles_language_id: languages[0]! },
    };
    const { data } = await cloud.kinora.createVideoClips({ asset_id, body: { video_clips: [clip] } });
    video_id = data[0]!.video_clip_id;
  });

  /** A style, an overlay, an intro and an outro of one second each. */
  async function branding(): Promise<string> {
    const { kinora } = cloud;
    const body = { name: 'Bold', font_family: 'Inter', text_color: '#FFEE00', font_size_px: 40 };
    const { style_id } = await kinora.createBrandingSubtitleStyle({ body });
    const { branding_id } = await kinora.createBranding({
      body: { name: 'News', subtitle_style_id: style_id },
    });
    const colour = (name: string) => ['-f', 'lavfi', '-i', `color=${name}:s=180x320:r=25:d=1`];
    const [logo, opener] = await Promise.all([
      makeMedia('logo.png', ['-f', 'lavfi', '-i', 'color=red:s=64x32', '-frames:v', '1']),
      makeMedia('opener.mp4', [...colour('blue'), ...tone(1), ...h264, ...aac]),
    ]);
    const [overlay_id, clip_id] = await Promise.all([
      uploadedFile('branding_overlays', 'overlay_id', logo),
      uploadedFile('branding_clips', 'clip_id', opener),
    ]);
    await kinora.createBrandingVariant({
      branding_id,
      body: { aspect_ratio: '9:16', overlay_id, intro_id: clip_id, outro_id: clip_id },
    });
    return branding_id;
  }

  async function uploadedFile(type: string, member: string, file: string): Promise<string> {
    const { json: made } = await cloud.call('POST', `/v1/${type}`, { name: 'File', filename: 'file' });
    const path = `/v1/${type}/${made[member]}`;
    const { json: ticket } = await cloud.call('POST', `${path}/start_upload`, { parts: 1 });
    const sent = await fetch(ticket.parts[0].url, { method: 'PUT', body: await readFile(file) });
    const body = { etags: [sent.headers.get('etag')] };
    const { json: job } = await cloud.call('POST', `${path}/finish_upload`, body);
    const { status, error } = await jobEnd(
      () => cloud.kinora.getJob({ job_id: job.job_id }),
      () => {},
      100,
    );
    if (status !== 'succeeded') throw new Error(JSON.stringify(error));
    return made[member];
  }

  const client = () =>
    new S3Client({
      endpoint: cloud.ready.s3_url,
      region: cloud.ready.region,
      forcePathStyle: true,
      credentials: {
        accessKeyId: cloud.ready.access_key_id,
        secretAccessKey: cloud.ready.secret_access_key,
      },
    });

  /** Rendered chunks and sound, with the time of each write. */
  async function pieces(): Promise<Map<string, number>> {
    const Prefix = `t/demo/assets/${asset_id}/derived/clips/${video_id}/pieces/`;
    const { Contents = [] } = await client().send(new ListObjectsV2Command({ Bucket: bucket, Prefix }));
    return new Map(Contents.map(({ Key, LastModified }) => [Key!, LastModified!.getTime()]));
  }

  const follow = (job_id: string): Promise<ClipsJob> =>
    jobEnd(
      () => cloud.kinora.getDownloadJob({ asset_id, job_id }),
      () => {},
      100,
    );
  const renderedMinutes = async () => {
    const { metrics } = await cloud.kinora.getCurrentUsage({});
    return metrics.find(({ metric }) => metric === 'rendered_minutes')!.quantity;
  };
  const file = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());

  it('is rendered completely after kill -9, without rendering finished chunks again', async () => {
    const body = { video_ids: [video_id] };
    // The upload of the branding's clip rendered a file too.
    const before = await renderedMinutes();
    const { job_id } = await cloud.kinora.downloadVideoClipsAsync({ asset_id, body });
    while ((await pieces()).size === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await cloud.killAll();
    await cloud.start();
    const finished = await pieces();
    const job = await follow(job_id);
    expect(job).toMatchObject({ status: 'succeeded', items: [{ result: { rendered: 3, reused: 0 } }] });
    const all = await pieces();
    // Three chunks and the sound.
    expect(all.size).toBe(4);
    expect(finished.size).toBeLessThan(4);
    for (const [key, written] of finished) expect(all.get(key)).toBe(written);

    const clip = await cloud.kinora.getVideoClip({ asset_id, video_id });
    expect(clip).toMatchObject({
      ...{ status: 'ready', stale: false, notes: [], frame_count: 200, duration_ms: 8000 },
    });
    expect(clip.width! / clip.height!).toBeCloseTo(9 / 16, 2);
    const { data } = await cloud.kinora.downloadVideoClips({ asset_id, body });
    const path = join(cloud.folder, 'clip.mp4');
    await writeFile(path, await file(data[0]!.url));
    const { stdout } = await run('ffprobe', [
      ...['-v', 'error', '-count_packets', '-of', 'json', '-show_entries'],
      ...['stream=codec_type,nb_read_packets,width,height,duration', path],
    ]);
    const [picture, sound] = JSON.parse(stdout).streams;
    expect(picture).toMatchObject({ codec_type: 'video', nb_read_packets: '200', width: clip.width });
    expect(Number(sound.duration)).toBeCloseTo(8, 1);

    expect((await renderedMinutes()) - before).toBeCloseTo(8 / 60, 3);
  });

  it('is exported to a bucket within the request, with the same bytes as the download', async () => {
    s3 = client();
    await s3.send(new CreateBucketCommand({ Bucket: 'archive' }));
    const storage = await cloud.kinora.createExternalStorage({
      body: {
        ...{ name: 'Archive', type: 'aws_s3', export_path: 'clips/{video_clip_id}' },
        destination: { bucket_name: 'archive', region: cloud.ready.region },
        authentication_data: { iam_role_arn: `arn:aws:iam::${account}:role/kinora-export` },
      },
    });
    const roles = join(cloud.folder, 'roles', account);
    await mkdir(roles, { recursive: true });
    await writeFile(join(roles, 'kinora-export.json'), JSON.stringify(storage.aws_access));
    const { external_storage_id } = storage;
    const body = { external_storage_id };
    const job = await cloud.kinora.exportVideoClip({ asset_id, video_clip_id: video_id, body });
    expect(job).toMatchObject({ status: 'succeeded', path: `clips/${video_id}.mp4` });
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: 'archive', Key: job.path! }));
    const bytes = Buffer.from(await Body!.transformToByteArray());
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(job.result!.sha256);
    const { data } = await cloud.kinora.downloadVideoClips({ asset_id, body: { video_ids: [video_id] } });
    expect(bytes.equals(await file(data[0]!.url))).toBe(true);
  });
});
