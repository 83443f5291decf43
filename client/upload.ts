/** Uploads a file in parts to upload URLs, a few parts at a time. */
import type { IngestJob, Kinora, UploadTicket } from './operations.ts';
import { wait } from './wait.ts';

/** The minimum size of a part, bytes. S3 requires at least 5 MiB for each part except the last part. */
const MIN_PART = 8 * 1024 * 1024;
const MAX_PARTS = 1000;
const AT_ONCE = 4;
const TRIES = 4;

/**
 * Uploads the asset's media and starts its processing. Calls `onSent` with the number of bytes sent so far.
 * @example
 * const { asset_id } = await kinora.createAsset({ body: { filename: 'talk.mp4' } });
 * const job = await uploadAsset(kinora, asset_id, await openAsBlob('talk.mp4'));
 */
export async function uploadAsset(
  kinora: Kinora,
  asset_id: string,
  file: Blob,
  {
    onSent = () => undefined,
    signal,
  }: {
    readonly onSent?: ((bytes: number) => void) | undefined;
    readonly signal?: AbortSignal | undefined;
  } = {},
): Promise<IngestJob> {
  const partSize = Math.max(MIN_PART, Math.ceil(file.size / MAX_PARTS));
  const count = Math.max(1, Math.ceil(file.size / partSize));
  const options = signal === undefined ? {} : { signal };
  const ticket = await kinora.startUpload({ asset_id, body: { parts: count } }, options);
  const etags = await sendParts(ticket, file, { partSize, onSent, signal });
  return kinora.finishUpload({ asset_id, body: { etags, size_bytes: file.size } }, options);
}

/** @returns the ETag of every part, in order */
export async function sendParts(
  ticket: UploadTicket,
  file: Blob,
  {
    partSize,
    onSent,
    signal,
  }: {
    readonly partSize: number;
    readonly onSent: (bytes: number) => void;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<string[]> {
  const etags: string[] = [];
  const waiting = [...ticket.parts];
  let sent = 0;
  const worker = async () => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      const start = (part.part_number - 1) * partSize;
      const body = file.slice(start, Math.min(start + partSize, file.size));
      etags[part.part_number - 1] = await sendPart(part.url, body, signal);
      sent += body.size;
      onSent(sent);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, ticket.parts.length) }, worker));
  return etags;
}

/** Sends a part and returns its ETag. A retry is safe, because S3 replaces a part that is sent again. */
async function sendPart(url: string, body: Blob, signal: AbortSignal | undefined): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url, {
      method: 'PUT',
      body,
      ...(signal !== undefined && { signal }),
    }).catch((error: unknown) => {
      if (attempt === TRIES || signal?.aborted) throw error;
      return null;
    });
    const etag = response?.ok ? response.headers.get('etag') : null;
    if (etag) return etag;
    const isFinal = response !== null && response.status < 500;
    if (isFinal || attempt === TRIES)
      throw new Error(`A part was refused: ${response?.status} ${await reasonOf(response)}`.trimEnd());
    await wait(250 * 2 ** attempt, signal);
    signal?.throwIfAborted();
  }
}

/** The message in the XML of an S3 error. Empty if the response has none. */
async function reasonOf(response: Response | null): Promise<string> {
  const body = (await response?.text().catch(() => '')) ?? '';
  return /<Message>([^<]*)<\/Message>/.exec(body)?.[1] ?? '';
}
