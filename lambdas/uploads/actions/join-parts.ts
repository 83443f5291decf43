/** Joins the parts of a finished upload into one object, and checks that it is the file that was finished. */
import type { MediaObjects } from '../../../platform/objects/media-objects.ts';
import { mediaLimitExceeded, mediaUnreadable } from '../../../shared/job-errors.ts';
import type { MediaLimits, RangeSource } from '../../../shared/media.ts';
import type { FinishedUpload } from './finish-upload.ts';

/**
 * Returns the joined object. A repeat returns the object that the first call joined. Throws a JobError if a part was
 * replaced or has expired, or the file is too large.
 */
export async function joinParts(
  key: string,
  { upload_id, etags, size_bytes }: FinishedUpload,
  objects: MediaObjects,
  { max_bytes }: Pick<MediaLimits, 'max_bytes'>,
): Promise<RangeSource> {
  await objects.completeUpload(key, upload_id, etags).catch(whyRefused);
  const source = await objects.source(key);
  if (source === null) {
    throw mediaUnreadable('The parts expired before they were joined. Upload the file again.');
  }
  const { size } = source;
  if (size_bytes !== undefined && size !== size_bytes) {
    throw mediaUnreadable(
      `The joined file has ${size} bytes; its parts had ${size_bytes}. Upload the file again.`,
    );
  }
  if (size <= max_bytes) return source;
  throw mediaLimitExceeded(`The file has ${size} bytes; at most ${max_bytes} are processed.`);
}

/** Upload URLs still work after finish_upload. S3 compares the ETags again, so it refuses a part that was replaced. */
function whyRefused(error: Error): never {
  if (error.name !== 'InvalidPart') throw error;
  throw mediaUnreadable('A part was sent again after `finish_upload`. Upload the file again.', error);
}
