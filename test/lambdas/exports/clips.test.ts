import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { sourceKey } from '../../../platform/objects/media-objects.ts';
import { clipKey } from '../../../platform/table/keys.ts';
import type { AssetId } from '../../../shared/ids.ts';
import { h264, makeMedia, picture } from '../../fixtures/media.ts';
import { exportingOf } from '../../support/exporting.ts';
import { renderingOf } from '../../support/rendering.ts';
import { startTestApi } from '../../support/test-api.ts';

const api = await startTestApi();
const tenant = await api.tenant('exporter');
const exporting = exportingOf(tenant);
const rendering = renderingOf(tenant);
const media = await readFile(await makeMedia('two.mp4', [...picture(2, '96x54', '5'), ...h264]));

let asset: AssetId;
let clip: string;
let storage: string;
beforeEach(async () => {
  asset = await tenant.readyAsset({ duration_ms: 2000, frame_rate: 5, width: 96, height: 54 });
  await tenant.objects.write(sourceKey(tenant.id, asset), media, 'video/mp4');
  const video_clips = [{ aspect_ratio_x: 1, aspect_ratio_y: 1 }];
  const { json } = await tenant.call('POST', `/v1/assets/${asset}/video_clips`, { video_clips });
  clip = json.data[0].video_clip_id;
  storage = await exporting.storage({ type: 'dummy', export_path: 'clips/{video_clip_id}' });
});

const at = () => `/v1/assets/${asset}/video_clips/${clip}`;
const ask = (how: 'export' | 'async_export', body: object = {}) =>
  tenant.call('POST', `${at()}/${how}`, { external_storage_id: storage, ...body });
const shown = async () => (await tenant.call('GET', at())).json;

/** Runs the steps of the machine before the file is written. */
async function rendered(job: { job_id: string; asset_id: string }): Promise<object> {
  const one = { video_clip_id: clip, index: 0, clips: 1, kind: 'export' };
  return rendering.clip(job, one);
}
async function downloaded(): Promise<string> {
  const { json } = await rendering.download(asset, clip);
  return createHash('sha256')
    .update(Buffer.from(await (await fetch(json.data[0].url)).arrayBuffer()))
    .digest('hex');
}

describe('an export of a clip that renders it first', () => {
  it('writes the same file as the download, and can be followed at the path of the clip', async () => {
    const reply = await ask('async_export');
    expect(reply.status).toBe(202);
    expect(reply.json).toMatchObject({ type: 'export', video_clip_id: clip, format: 'clip' });
    expect(reply.json.path).toBe(`clips/${clip}.mp4`);
    expect(JSON.parse(api.machines.calls.at(-1)!.split(' ').slice(1).join(' ')).input).toContain(
      '"render":"first"',
    );
    const made = await rendered(reply.json);
    expect(await shown()).toMatchObject({ status: 'rendering', job_id: reply.json.job_id });
    await exporting.run('render-export', reply.json, { made });
    expect(await shown()).toMatchObject({ status: 'ready', stale: false });
    const job = await exporting.done(reply.json);
    expect(job).toMatchObject({ status: 'succeeded', progress: 1, result: { sha256: await downloaded() } });
    expect((await tenant.call('GET', `${at()}/async_export/${job.job_id}`)).json).toEqual(job);
  });

  it('fails if the clip cannot be rendered, and reports this on the clip', async () => {
    await tenant.objects.delete(sourceKey(tenant.id, asset));
    const { json } = await ask('async_export');
    const { failure } = (await rendered(json)) as { failure: object };
    await exporting.run('fail-export', json, { failure });
    const { json: job } = await tenant.call('GET', `/v1/jobs/${json.job_id}`);
    expect(job).toMatchObject({ status: 'failed', error: { code: 'media_unreadable' } });
    expect(await shown()).toMatchObject({ status: 'failed', error: { code: 'media_unreadable' } });
  });

  it('leaves no file of the clip if it is canceled before the clip is rendered', async () => {
    const { json } = await ask('async_export');
    await rendered(json);
    await tenant.call('POST', `/v1/jobs/${json.job_id}/cancel`);
    await exporting.run('clear-export', json);
    expect(await shown()).toMatchObject({ status: 'created', error: null });
    expect(await tenant.objects.keys(`t/exporter/assets/${asset}/derived/clips/`)).toEqual([]);
  });
});

describe('an export of a clip that is ready', () => {
  const ready = async () => {
    const path = `/v1/assets/${asset}/video_clips/download_async`;
    await rendering.done((await tenant.call('POST', path, { video_ids: [clip] })).json);
  };

  it('responds after the file is in the storage', async () => {
    await ready();
    const { exportWait } = await import('../../../lambdas/exports/actions/request-exports.ts');
    exportWait.most_ms = 30_000;
    const answering = ask('export').finally(() => {
      exportWait.most_ms = 0;
    });
    const job = await exporting.started(asset);
    await exporting.done(job);
    const { status, json } = await answering;
    expect([status, json.status, json.result.sha256]).toEqual([200, 'succeeded', await downloaded()]);
    expect(json.path).toBe(`clips/${clip}.mp4`);
  });

  it('returns the unfinished job if it takes longer than a request may', async () => {
    await ready();
    const { status, json, headers } = await ask('export');
    expect([status, json.status, headers.Location]).toEqual([202, 'queued', `/v1/jobs/${json.job_id}`]);
  });

  it('is rejected if the clip is not rendered or too large, and says what to do', async () => {
    const early = await ask('export');
    expect([early.status, early.json.code]).toEqual([409, 'invalid_state']);
    expect(early.json.detail).toContain('async_export');
    await ready();
    await tenant.table.update({
      key: clipKey(tenant.id, asset, clip),
      expression: 'SET #render.size_bytes = :many',
      names: { '#render': 'render' },
      values: { many: 200_000_001 },
    });
    const large = await ask('export');
    expect([large.status, large.json.code]).toEqual([409, 'invalid_state']);
    expect(large.json.detail).toContain('async_export');
  });

  it('fails if the clip is rendered again before its file is written', async () => {
    await ready();
    const { json } = await ask('export');
    await exporting.run('render-export', json);
    await tenant.objects.deleteAll(`t/exporter/assets/${asset}/derived/clips/`);
    await expect(exporting.run('write-export', json)).rejects.toMatchObject({ name: 'canceled' });
    await exporting.run('clear-export', json);
    const { json: job } = await tenant.call('GET', `/v1/jobs/${json.job_id}`);
    expect(job).toMatchObject({ status: 'failed', error: { code: 'canceled' } });
    expect((await shown()).status).toBe('ready');
  });
});
