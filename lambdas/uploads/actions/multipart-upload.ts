/** The multipart upload of one object: opens it, creates the upload URLs, and compares the parts. */
import type { MediaObjects } from '../../../platform/objects/media-objects.ts';
import { ADDRESS_LIFETIME_S, type Presigner } from '../../../platform/objects/presigner.ts';
import { requireBytesWithin, requireSameParts } from '../rules/upload-parts.ts';

export interface OpenUpload {
  readonly key: string;
  /** The open upload; null if none is known. */
  readonly uploadId: string | null;
  /** Records a new upload. Returns the recorded upload id: another call may have come first. */
  begin(uploadId: string): Promise<string>;
}

/**
 * Returns the open upload if it still exists, or a new one. A new upload is aborted if it is not recorded,
 * because another was or the owner is being deleted.
 */
export async function openUpload(
  { key, uploadId, begin }: OpenUpload,
  objects: MediaObjects,
): Promise<string> {
  if (uploadId !== null && (await objects.listParts(key, uploadId)) !== null) return uploadId;
  const fresh = await objects.createUpload(key);
  let recorded: string | undefined;
  try {
    recorded = await begin(fresh);
    return recorded;
  } finally {
    if (recorded !== fresh) await objects.abortUpload(key, fresh);
  }
}

/** One upload URL for each part. */
export async function createUploadUrls(
  upload: { readonly key: string; readonly upload_id: string; readonly parts: number },
  addresses: Presigner,
  now: Date,
) {
  const { key, upload_id } = upload;
  const numbers = Array.from({ length: upload.parts }, (_, at) => at + 1);
  const parts = await Promise.all(
    numbers.map(async (part_number) => ({
      part_number,
      url: await addresses.uploadPart(key, upload_id, part_number),
    })),
  );
  const expires_at = new Date(now.getTime() + ADDRESS_LIFETIME_S * 1000).toISOString();
  return { upload_id, expires_at, parts };
}

/**
 * Returns the total size in bytes. Throws upload_parts_mismatch if the caller names other parts than those that
 * arrived, and payload_too_large if they are too large.
 */
export async function requireUploadedParts(
  { key, uploadId }: { readonly key: string; readonly uploadId: string },
  etags: readonly string[],
  objects: MediaObjects,
  { max_bytes }: { readonly max_bytes: number },
): Promise<number> {
  const arrived = (await objects.listParts(key, uploadId)) ?? [];
  requireSameParts(etags, arrived);
  return requireBytesWithin(arrived, max_bytes);
}
