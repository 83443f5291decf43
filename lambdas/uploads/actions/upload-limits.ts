/** Checks an upload against the operator's limits: before its parts are sent, and before they are processed. */

import { isAbandoned, type JobSlots, takeSlot } from '../../../platform/admission/job-slots.ts';
import type { HeldUpload, QuotaHolds } from '../../../platform/admission/reserved-quantities.ts';
import type { AllJobs } from '../../../platform/jobs/job-records.ts';
import { type MediaObjects, MOST_UNFINISHED } from '../../../platform/objects/media-objects.ts';
import type { Usage } from '../../../platform/usage/metering.ts';
import type { AssetId, JobId } from '../../../shared/ids.ts';
import { isTerminal } from '../../../shared/jobs.ts';
import {
  hasQuotaOfBytes,
  type Limits,
  quotaWouldBeExceeded,
  requireQuotas,
  roomBeside,
} from '../../../shared/limits.ts';
import { Problem } from '../../../shared/problems.ts';
import type { UsageReport } from '../../../shared/usage.ts';

export interface LimitServices {
  readonly usage: Usage;
  readonly all: AllJobs;
  readonly slots: JobSlots;
  readonly holds: QuotaHolds;
}

/** Reads nothing if the operator set no quota. Unfinished uploads count too. */
export async function requireQuota(
  limits: Limits,
  now: Date,
  { usage, objects }: Pick<LimitServices, 'usage'> & { readonly objects: Pick<MediaObjects, 'unfinished'> },
): Promise<void> {
  if (!hasQuotas(limits)) return;
  const used = await usage.current(now);
  requireQuotas(limits, used);
  if (hasQuotaOfBytes(limits)) requireRoomFor(limits, used, await objects.unfinished());
}

/**
 * Takes a slot and reserves quota for the upload until it is metered. Throws rate_limited if the tenant's other
 * uploads leave no slot, quota_exceeded if they leave too little quota.
 * @param owner_id the id of the asset or of the branding file
 * @param bytes of all parts
 * @returns releases the slot and the reservation, for a job that does not start
 */
export async function admit(
  { owner_id, job_id }: { readonly owner_id: string; readonly job_id: JobId },
  bytes: number,
  limits: Limits,
  now: Date,
  services: LimitServices,
): Promise<() => Promise<void>> {
  const upload = { asset_id: owner_id as AssetId, job_id, bytes, since: Math.floor(now.getTime() / 1000) };
  const { holds } = services;
  const giveBack = await takeSlot(upload, limits, now, services, 'The parts are kept.');
  const dismiss = async () => {
    await giveBack();
    if (hasQuotas(limits)) await holds.release(upload);
  };
  try {
    await holdQuota(upload, limits, now, services);
  } catch (error) {
    await dismiss();
    throw error;
  }
  return dismiss;
}

async function holdQuota(
  upload: HeldUpload,
  limits: Limits,
  now: Date,
  { usage, holds, all }: LimitServices,
): Promise<void> {
  if (!hasQuotas(limits)) return;
  let used: UsageReport | null = null;
  const mostOthers = async () => {
    used = await usage.current(now);
    requireQuotas(limits, used);
    return roomBeside(limits, used, upload.bytes);
  };
  const endedOf = (held: readonly HeldUpload[]) => endedUploads(held, upload, { usage, all });
  const others = await holds.hold(upload, mostOthers, endedOf);
  if (others !== null) throw quotaWouldBeExceeded(limits, used!, upload.bytes, others);
}

/** Throws quota_exceeded if unfinished uploads leave no room for another. */
function requireRoomFor(
  limits: Limits,
  used: UsageReport,
  { uploads, bytes }: { readonly uploads: number; readonly bytes: number },
): void {
  const room = roomBeside(limits, used, bytes).bytes;
  if (uploads <= MOST_UNFINISHED && room > 0) return;
  throw new Problem(
    'quota_exceeded',
    `This tenant has ${uploads} unfinished uploads with ${bytes} bytes. Finish them, or delete their assets or branding files. They expire after a day.`,
  );
}

/** Reserved uploads that are metered by now, or never will be. */
async function endedUploads(
  held: readonly HeldUpload[],
  own: HeldUpload,
  { usage, all }: Pick<LimitServices, 'usage' | 'all'>,
): Promise<HeldUpload[]> {
  if (held.length === 0) return [];
  const found = await Promise.all(held.map(({ job_id }) => all.find(job_id)));
  const metered = new Set(await usage.meteredOf(held));
  return held.filter((upload, at) => {
    const job = found[at] ?? null;
    return job === null ? isAbandoned(upload, own) : metered.has(upload) || isTerminal(job.status);
  });
}

const hasQuotas = ({ quotas }: Limits) => Object.keys(quotas).length > 0;
