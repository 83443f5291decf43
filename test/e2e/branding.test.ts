import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeMedia } from '../fixtures/media.ts';
import { type LocalCloud, localCloud } from '../support/local-cloud.ts';

let cloud: LocalCloud;

beforeAll(async () => {
  cloud = await localCloud();
});
afterAll(() => cloud.remove());

/** Creates an overlay, sends its file, and waits until its job has ended. */
async function overlayOf(file: string) {
  const { json: overlay } = await cloud.call('POST', '/v1/branding_overlays', {
    name: 'Logo',
    filename: 'logo.png',
  });
  const item = `/v1/branding_overlays/${overlay.overlay_id}`;
  const { json: ticket } = await cloud.call('POST', `${item}/start_upload`);
  const sent = await fetch(ticket.parts[0].url, { method: 'PUT', body: await readFile(file) });
  const etags = [sent.headers.get('etag')];
  const { json: job } = await cloud.call('POST', `${item}/finish_upload`, { etags });
  for (;;) {
    const { json } = await cloud.call('GET', `${item}/upload_jobs/${job.job_id}`);
    if (json.status !== 'queued' && json.status !== 'running') {
      return { job: json, overlay: (await cloud.call('GET', item)).json };
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

describe('an overlay', () => {
  it('is ready after its upload', async () => {
    const file = await makeMedia('logo.png', ['-f', 'lavfi', '-i', 'color=red:s=64x32', '-frames:v', '1']);
    const { job, overlay } = await overlayOf(file);
    expect(job).toMatchObject({ status: 'succeeded', progress: 1, error: null });
    expect(overlay).toMatchObject({ status: 'ready', media_type: 'image', width: 64, height: 32 });
  });

  it('says why its file cannot be used', async () => {
    const { job, overlay } = await overlayOf(import.meta.filename);
    expect(job).toMatchObject({ status: 'failed', error: { code: 'media_unreadable' } });
    expect(overlay).toMatchObject({ status: 'failed', error: job.error });
    expect(job.error.detail).toContain('text');
  });
});

describe('an external storage', () => {
  it('keeps its credentials encrypted under the key of this machine', async () => {
    const { status, json } = await cloud.call('POST', '/v1/external_storages', {
      name: 'Archive',
      type: 'azure',
      authentication_data: { sas_token: 'sig=secret' },
    });
    expect([status, json.authentication_fields]).toEqual([201, ['sas_token']]);
  });
});
