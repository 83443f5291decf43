import { readFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { jobEnd } from '../../client/index.ts';
import { makeMedia } from '../fixtures/media.ts';
import type { LocalCloud } from '../support/local-cloud.ts';
import { it } from './support.ts';

let cloud: LocalCloud;

it.beforeAll(async ({ cloud: running }) => {
  cloud = running;
});

/** Creates an overlay, uploads its file, and waits until its job has ended. */
async function overlayOf(file: string) {
  const { kinora } = cloud;
  const { overlay_id } = await kinora.createBrandingOverlay({ body: { name: 'Logo', filename: 'logo.png' } });
  const ticket = await kinora.startBrandingOverlayUpload({ overlay_id });
  const sent = await fetch(ticket.parts[0]!.url, { method: 'PUT', body: await readFile(file) });
  const etags = [sent.headers.get('etag')!];
  const { job_id } = await kinora.finishBrandingOverlayUpload({ overlay_id, body: { etags } });
  const job = await jobEnd(() => kinora.getBrandingOverlayUploadJob({ overlay_id, job_id }), undefined, 100);
  return { job, overlay: await kinora.getBrandingOverlay({ overlay_id }) };
}

describe('an overlay', () => {
  it('is ready after its upload', async () => {
    const file = await makeMedia('logo.png', ['-f', 'lavfi', '-i', 'color=red:s=64x32', '-frames:v', '1']);
    const { job, overlay } = await overlayOf(file);
    expect(job).toMatchObject({ status: 'succeeded', progress: 1, error: null });
    expect(overlay).toMatchObject({ status: 'ready', media_type: 'image', width: 64, height: 32 });
  });

  it('reports the reason if its file is unusable', async () => {
    const { job, overlay } = await overlayOf(import.meta.filename);
    expect(job).toMatchObject({ status: 'failed', error: { code: 'media_unreadable' } });
    expect(overlay).toMatchObject({ status: 'failed', error: job.error });
    expect(job.error!.detail).toContain('text');
  });
});

describe('an external storage', () => {
  it('stores its credentials encrypted with the key of this machine', async () => {
    const storage = await cloud.kinora.createExternalStorage({
      body: { name: 'Archive', type: 'azure', authentication_data: { sas_token: 'sig=secret' } },
    });
    expect(storage.authentication_fields).toEqual(['sas_token']);
  });
});
