/** Publishing of clips on platforms. */

import type { JobFailure } from '../../../platform/shared/assets.ts';
import type { JobStatus } from '../../../platform/shared/jobs.ts';
import { Inconsistent } from '../../../platform/shared/problems.ts';

export type Platform = 'youtube' | 'instagram' | 'tiktok' | 'linkedin' | 'x' | 'facebook';

export interface PublishJob {
  readonly job_id: string;
  readonly type: 'publish';
  readonly asset_id: string;
  readonly video_clip_id: string;
  readonly platform: Platform;
  readonly caption: string | null;
  readonly schedule_at: string | null;
  readonly status: JobStatus;
  readonly progress: number;
  readonly result: { readonly url: string } | null;
  readonly error: JobFailure | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

/** Throws validation_failed for a time that has passed, or that no calendar has. */
export function requireFuture(schedule_at: string | undefined, now: Date): void {
  if (schedule_at === undefined) return;
  const fault = (code: string, detail: string) =>
    new Inconsistent([{ pointer: '/schedule_at', code, detail: `schedule_at ${detail}` }]);
  if (!isInCalendar(schedule_at)) throw fault('invalid_format', 'names a day that its month does not have.');
  if (Date.parse(schedule_at) <= now.getTime())
    throw fault('too_small', `must be after ${now.toISOString()}.`);
}

/** JavaScript reads 31 February as 3 March. */
function isInCalendar(time: string): boolean {
  const [year, month, day] = time.slice(0, 10).split('-').map(Number) as [number, number, number];
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
}
