/** Uploads and follows, as a caller would. */
import type { LocalCloud } from '../support/local-cloud.ts';

/** Creates an asset and sends its bytes in one part. */
export async function upload(cloud: LocalCloud, bytes: Uint8Array, fields: object = {}) {
  const { json: asset } = await cloud.call('POST', '/v1/assets', { filename: 'talk.mp4', ...fields });
  const { json: ticket } = await cloud.call('POST', `/v1/assets/${asset.asset_id}/start_upload`, {
    parts: 1,
  });
  const sent = await fetch(ticket.parts[0].url, { method: 'PUT', body: Buffer.from(bytes) });
  if (!sent.ok) throw new Error(`The part was refused: ${sent.status} ${await sent.text()}`);
  // Addressed by path: the bucket comes first.
  const bucket = new URL(ticket.parts[0].url).pathname.split('/')[1]!;
  return { assetId: asset.asset_id as string, etags: [sent.headers.get('etag')!], bucket };
}

export async function finish(cloud: LocalCloud, assetId: string, etags: string[]) {
  const { status, json } = await cloud.call('POST', `/v1/assets/${assetId}/finish_upload`, { etags });
  if (status !== 202) throw new Error(`finish_upload answered ${status} ${JSON.stringify(json)}`);
  return json.job_id as string;
}

/** The job once it has ended; `seen` receives every progress on the way. */
export async function ended(
  cloud: LocalCloud,
  assetId: string,
  jobId: string,
  seen: (progress: number) => void = () => {},
) {
  for (;;) {
    const { json: job } = await cloud.call('GET', `/v1/assets/${assetId}/ingest_jobs/${jobId}`);
    seen(job.progress);
    if (job.status !== 'queued' && job.status !== 'running') return job;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
