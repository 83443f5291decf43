/** The multipart upload of one object: opens it, and creates the upload URLs. */
import type { MediaObjects } from '../../../platform/objects/media-objects.ts';
import { addressEnd, type Presigner } from '../../../platform/objects/presigner.ts';

export interface OpenUpload {
  readonly key: string;
  /** The open upload; null if none is known. */
  readonly uploadId: string | null;
  /** Records a new upload. Returns the recorded upload id, which may be that of an earlier call. */
  begin(uploadId: string): Promise<string>;
  /** Raises the recorded number of parts of an upload that is already open. A lower number changes nothing. */
  promise(uploadId: string): Promise<unknown>;
}

/**
 * Returns the open upload if it still exists, otherwise a new one. Aborts the new upload if `begin` does not record it:
 * another request was first, or the owner is being deleted.
 */
export async function openUpload(
  { key, uploadId, begin, promise }: OpenUpload,
  objects: MediaObjects,
): Promise<string> {
  if (uploadId !== null && (await objects.listParts(key, uploadId)) !== null) {
    await promise(uploadId);
    return uploadId;
  }
  const fresh = await objects.createUpload(key);
  let recorded: string | undefined;
  try {
    recorded = await begin(fresh);
    if (recorded !== fresh) await promise(recorded);
    return recorded;
  } finally {
    if (recorded !== fresh) await objects.abortUpload(key, fresh);
  }
}

export async function createUploadUrls(
  upload: { readonly key: string; readonly upload_id: string; readonly parts: number },
  addresses: Presigner,
  now: Date,
) {
  const { key, upload_id } = upload;
  const urls = await addresses.uploadParts(key, upload_id, upload.parts);
  const parts = urls.map((url, at) => ({ part_number: at + 1, url }));
  const expires_at = addressEnd(now);
  return { upload_id, expires_at, parts };
}
