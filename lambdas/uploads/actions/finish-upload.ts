/** Finishes a multipart upload: compares its parts, reserves quota, and records the job that processes the file. */
import { uploadDemands } from '../../../platform/admission/demand.ts';
import type { Reservations } from '../../../platform/admission/reservations.ts';
import { claimJob, requireSameJob } from '../../../platform/jobs/claim-job.ts';
import type { MediaObjects } from '../../../platform/objects/media-objects.ts';
import { asJobId, type JobId } from '../../../shared/ids.ts';
import type { StoredJob } from '../../../shared/jobs.ts';
import type { Limits } from '../../../shared/limits.ts';
import type { MediaLimits } from '../../../shared/media.ts';
import { InvalidState } from '../../../shared/problems.ts';
import { bareEtags } from '../rules/upload-parts.ts';
import { requireUploadedParts } from './multipart-upload.ts';
import { partsAreKept } from './require-upload-room.ts';

/** The upload that a job processes. */
export interface FinishedUpload {
  readonly upload_id: string;
  readonly etags: readonly string[];
}

export interface FinishRequest {
  readonly etags: readonly string[];
  readonly now: Date;
  readonly newResourceId: string;
  readonly limits: Limits;
}

/** An upload and its owner: an asset or a branding file. */
export interface OwnedUpload<Job> {
  readonly owner_id: string;
  readonly key: string;
  readonly upload_id: string | null;
  /** The job that processes the upload; null if it is not finished. */
  readonly owner_job_id: JobId | null;
  readonly most: Pick<MediaLimits, 'max_bytes'>;
  /** Reads the owner's current job. */
  readonly current: () => Promise<Job | null>;
  readonly newJob: (jobId: JobId, upload: FinishedUpload) => Promise<Job>;
  /** Records the job with its owner. False if the owner has another job by now. */
  readonly record: (job: Job) => Promise<boolean>;
  /** Error details: no upload is open, or it was finished with other parts. */
  readonly details: { readonly notStarted: string; readonly finishedOtherwise: string };
}

/**
 * Returns the recorded job; a repeat with the same parts returns the same job. The caller starts it. Throws invalid_state without an
 * open upload or if it was finished with other parts, upload_parts_mismatch, payload_too_large and quota_exceeded.
 */
export async function finishUpload<Job extends StoredJob & { readonly own: FinishedUpload }>(
  upload: OwnedUpload<Job>,
  { etags: givenEtags, now, newResourceId, limits }: FinishRequest,
  { objects, reservations }: { readonly objects: MediaObjects; readonly reservations: Reservations },
): Promise<Job> {
  const { owner_id, key, upload_id, owner_job_id, most, current, record, details } = upload;
  const etags = bareEtags(givenEtags);
  const isSame = ({ own }: Job) => own.etags.join() === etags.join();
  const claim = { isSame, otherwise: details.finishedOtherwise };
  if (owner_job_id !== null) return requireSameJob(await current(), claim);
  if (upload_id === null) throw new InvalidState(details.notStarted);
  const bytes = await requireUploadedParts({ key, uploadId: upload_id }, etags, objects, most);
  const job = await upload.newJob(asJobId(newResourceId), { upload_id, etags });
  const { release } = await reservations.reserve({
    owner_id,
    job_id: job.job_id,
    demands: uploadDemands(bytes),
    limits,
    now,
    kept: partsAreKept,
  });
  return claimJob(job, { record, current, release, ...claim });
}
