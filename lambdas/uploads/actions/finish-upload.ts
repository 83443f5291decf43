/** Finishes a multipart upload: compares its parts, reserves quota, and records the job that processes the file. */
import { uploadDemands } from '../../../platform/admission/demand.ts';
import type { Reservations } from '../../../platform/admission/reservations.ts';
import { claimJob, requireSameJob } from '../../../platform/jobs/claim-job.ts';
import type { Caller } from '../../../platform/kernel/resource.ts';
import type { MediaObjects } from '../../../platform/objects/media-objects.ts';
import { asJobId, type JobId } from '../../../shared/ids.ts';
import type { StoredJob } from '../../../shared/jobs.ts';
import type { MediaLimits } from '../../../shared/media.ts';
import { InvalidState } from '../../../shared/problems.ts';
import { bareEtags, type Promised, requireBytesWithin, requireSameParts } from '../rules/upload-parts.ts';

/** The upload that a job processes. */
export interface FinishedUpload {
  readonly upload_id: string;
  readonly etags: readonly string[];
  /** The bytes of all parts when the upload was finished. Absent in jobs of earlier versions. */
  readonly size_bytes?: number;
}

export interface FinishRequest extends Pick<Caller, 'now' | 'newResourceId' | 'limits'> {
  readonly etags: readonly string[];
  readonly size_bytes?: Promised['size_bytes'];
}

/** An upload and its owner: an asset or a branding file. */
export interface OwnedUpload<Job> {
  readonly owner_id: string;
  readonly key: string;
  readonly upload_id: string | null;
  /** The number of upload URLs that start_upload returned; absent for uploads of earlier versions. */
  readonly upload_parts: number | undefined;
  /** The job that processes the upload; null if the upload is not finished. */
  readonly owner_job_id: JobId | null;
  readonly most: Pick<MediaLimits, 'max_bytes'>;
  readonly current: () => Promise<Job | null>;
  readonly newJob: (jobId: JobId, upload: FinishedUpload) => Promise<Job>;
  /** Records the job and, on its owner, the job's id. False if the owner already has another job. */
  readonly record: (job: Job) => Promise<boolean>;
  /** Details of two errors: no upload is open, and the upload was finished with other parts. */
  readonly details: { readonly notStarted: string; readonly finishedOtherwise: string };
}

/**
 * Records the job and returns it. The caller must start the job. A repeat with the same parts returns the same job.
 * Throws invalid_state if no upload is open or it was finished with other parts. Also throws upload_parts_mismatch,
 * payload_too_large and quota_exceeded.
 */
export async function finishUpload<Job extends StoredJob & { readonly own: FinishedUpload }>(
  upload: OwnedUpload<Job>,
  { etags: givenEtags, size_bytes, now, newResourceId, limits }: FinishRequest,
  { objects, reservations }: { readonly objects: MediaObjects; readonly reservations: Reservations },
): Promise<Job> {
  const { owner_id, key, upload_id, upload_parts = 0, owner_job_id, most, current, record, details } = upload;
  const etags = bareEtags(givenEtags);
  const isSame = ({ own }: Job) => own.etags.join() === etags.join();
  const claim = { isSame, otherwise: details.finishedOtherwise };
  if (owner_job_id !== null) return requireSameJob(await current(), claim);
  if (upload_id === null) throw new InvalidState(details.notStarted);
  const arrived = (await objects.listParts(key, upload_id)) ?? [];
  const bytes = requireSameParts(etags, arrived, { parts: upload_parts, size_bytes });
  requireBytesWithin(bytes, most.max_bytes);
  const job = await upload.newJob(asJobId(newResourceId), { upload_id, etags, size_bytes: bytes });
  const { release } = await reservations.reserve({
    owner_id,
    job_id: job.job_id,
    demands: uploadDemands(bytes),
    limits,
    now,
    kept: 'The parts are kept.',
  });
  return claimJob(job, { record, current, release, ...claim });
}
