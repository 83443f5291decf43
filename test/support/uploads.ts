/** Uploads files as clients do. */
import type { Tenant } from './api.ts';

/** Starts the upload of an asset or a branding file, and sends one part. Returns the body that finishes the upload. */
export async function sentTo(
  tenant: Tenant,
  path: string,
  part: string | Uint8Array<ArrayBuffer> = 'a part',
): Promise<{ readonly etags: string[] }> {
  const { parts } = (await tenant.call('POST', `${path}/start_upload`)).json;
  const sent = await fetch(parts[0].url, { method: 'PUT', body: part });
  return { etags: [sent.headers.get('etag')!] };
}
