/** The multipart upload of one object, whatever it belongs to: opened, its parts addressed, its parts compared. */
import type { MediaObjects } from '../../../platform/objects/media-objects.ts';
import { ADDRESS_LIFETIME_S, type Presigner } from '../../../platform/objects/presigner.ts';
import { requireBytesWithin, requireSameParts } from '../rules/upload-parts.ts';

export interface OpenUpload {
  readonly key: string;
  /** The upload that is open already, as far as is known. */
  readonly uploadId: string | null;
  /** Notes a new upload. Returns the one that holds, which is another where two calls raced. */
  begin(uploadId: string): Promise<string>;
}

/** The upload that is open already and still exists, or a new one. One that nobody notes, since its owner is going, is taken back. */
export async function openUpload(
  { key, uploadId, begin }: OpenUpload,
  objects: MediaObjects,
): Promise<string> {
  if (uploadId !== null && (await objects.listParts(key, uploadId)) !== null) return uploadId;
  const fresh = await objects.createUpload(key);
  let holding: string | undefined;
  try {
    holding = await begin(fresh);
    return holding;
  } finally {
    if (holding !== fresh) await objects.abortUpload(key, fresh);
  }
}

/** One presigned address a part. */
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
 * Throws upload_parts_mismatch where other parts arrived than those that the caller names, payload_too_large where they
 * are too much. Answers their bytes.
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
