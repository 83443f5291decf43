/** Checks the quotas of a tenant before the parts of an upload are sent. */
import { leftOf, requireQuotasLeft } from '../../../platform/admission/quotas.ts';
import { type MediaObjects, MOST_UNFINISHED } from '../../../platform/objects/media-objects.ts';
import type { Usage } from '../../../platform/usage/metering.ts';
import { Problem } from '../../../shared/problems.ts';
import type { Limits } from '../../../shared/usage.ts';

/**
 * Throws quota_exceeded if a quota is used up, or if unfinished uploads leave no room for another. Reads nothing if the
 * tenant has no quota.
 */
export async function requireUploadRoom(
  limits: Limits,
  now: Date,
  { usage, objects }: { readonly usage: Usage; readonly objects: Pick<MediaObjects, 'unfinished'> },
): Promise<void> {
  if (Object.keys(limits.quotas).length === 0) return;
  const used = await usage.current(now);
  requireQuotasLeft(limits, used);
  const left = Math.min(leftOf('uploaded_bytes', limits, used), leftOf('stored_bytes', limits, used));
  if (left === Number.POSITIVE_INFINITY) return;
  const { uploads, bytes } = await objects.unfinished();
  if (uploads <= MOST_UNFINISHED && left > bytes) return;
  throw new Problem(
    'quota_exceeded',
    `The tenant has ${uploads} unfinished uploads with ${bytes} bytes. Finish them, or delete their assets and files. Unfinished uploads expire after a day.`,
  );
}
