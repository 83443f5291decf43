import type { Tenant } from './api.ts';

/** A new asset whose upload was started. `send` sends its only part. */
export async function begunUpload({ call }: Tenant) {
  const { asset_id } = (await call('POST', '/v1/assets', { filename: 'a.mp4' })).json;
  const path = `/v1/assets/${asset_id}`;
  const ticket = (await call('POST', `${path}/start_upload`)).json;
  const send = async (bytes: string) => {
    const sent = await fetch(ticket.parts[0].url, { method: 'PUT', body: bytes });
    return { asset_id, path, etags: [sent.headers.get('etag')!] };
  };
  return { path, send };
}
