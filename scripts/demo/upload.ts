/** Sends a file in parts to presigned addresses, a few at a time. */
import { openAsBlob } from 'node:fs';
import type { Api } from './api.ts';

/** S3 wants 5 MiB at least for every part but the last, and the API at most 1000 parts. */
const MIN_PART = 8 * 1024 * 1024;
const MAX_PARTS = 1000;
const AT_ONCE = 4;

interface Ticket {
  readonly parts: readonly { readonly part_number: number; readonly url: string }[];
}

/** @returns the ETag of every part, in order */
export async function uploadParts(
  api: Api,
  assetId: string,
  file: string,
  size: number,
  onSent: (bytes: number) => void,
): Promise<string[]> {
  const partSize = Math.max(MIN_PART, Math.ceil(size / MAX_PARTS));
  const parts = Math.ceil(size / partSize);
  const ticket = await api.post<Ticket>(`/v1/assets/${assetId}/start_upload`, { parts });
  const blob = await openAsBlob(file);
  const etags: string[] = [];
  const waiting = [...ticket.parts];
  let sent = 0;
  const worker = async () => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      const start = (part.part_number - 1) * partSize;
      const body = blob.slice(start, Math.min(start + partSize, size));
      etags[part.part_number - 1] = await send(part.url, body);
      sent += body.size;
      onSent(sent);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, parts) }, worker));
  return etags;
}

async function send(url: string, body: Blob): Promise<string> {
  const response = await fetch(url, { method: 'PUT', body });
  const etag = response.headers.get('etag');
  if (!response.ok || etag === null) throw new Error(`A part was refused: ${response.status}`);
  return etag;
}
