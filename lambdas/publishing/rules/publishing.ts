/** The rules for publishing clips on platforms. */

import { isInCalendar } from '../../../shared/calendar.ts';
import type { JobViewOf } from '../../../shared/jobs.ts';
import { Inconsistent } from '../../../shared/problems.ts';

export type PublishJob = JobViewOf<'publish'>;

/** Throws validation_failed for a time that has passed or that does not exist. */
export function requireFuture(schedule_at: string | undefined, now: Date): void {
  if (schedule_at === undefined) return;
  const fault = (code: string, detail: string) =>
    new Inconsistent([{ pointer: '/schedule_at', code, detail: `schedule_at ${detail}` }]);
  if (!isInCalendar(schedule_at)) throw fault('invalid_format', 'is a date that does not exist.');
  if (Date.parse(schedule_at) <= now.getTime())
    throw fault('too_small', `must be after ${now.toISOString()}.`);
}
