/** Events: what happened to assets and jobs, with what it happened to as it was then. */
import type { EventType } from '../../contract/kit/event-types.ts';
import type { Asset } from '../../shared/assets.ts';
import { namedId } from '../../shared/derived-ids.ts';
import type { AssetId } from '../../shared/ids.ts';
import type { JobView } from '../../shared/jobs.ts';

/** A job as callers see it, whatever it works on. */
export type JobSnapshot = JobView;

export interface EventData {
  readonly asset?: Asset;
  readonly job?: JobSnapshot;
  readonly webhook_id?: string;
}

export interface Event {
  readonly event_id: string;
  readonly type: EventType;
  readonly timestamp: string;
  readonly data: EventData;
}

/** How far the log goes back. */
export const EVENT_KEPT_MS = 30 * 24 * 3_600_000;

/** When what belongs to an event of that moment is forgotten: seconds since the epoch, as DynamoDB wants it. */
export const forgottenAt = (moment: Date): number => Math.floor((moment.getTime() + EVENT_KEPT_MS) / 1000);

/**
 * How old an event must be before the log shows it, in ms. Events are written by many machines: one may become
 * visible after another that has a later id, and whoever reads forwards would pass it over.
 */
export const SETTLING_MS = 5000;

/** The same change at the same moment is the same event. */
function newEvent(type: EventType, now: Date, subject: string, data: EventData): Event {
  return { event_id: namedId(now, `${type} ${subject}`), type, timestamp: now.toISOString(), data };
}

export const assetEvent = (type: EventType & `asset.${string}`, now: Date, asset: Asset): Event =>
  newEvent(type, now, asset.asset_id, { asset });

export const jobEvent = (type: EventType & `job.${string}`, now: Date, job: JobSnapshot): Event =>
  newEvent(type, now, job.job_id, { job });

export const testEvent = (now: Date, webhook_id: string): Event =>
  newEvent('webhook.test', now, webhook_id, { webhook_id });

/** The asset that an event is about, or that its job works on. */
export function assetOf({ data: { asset, job } }: Event): AssetId | null {
  if (asset !== undefined) return asset.asset_id;
  return job !== undefined && 'asset_id' in job ? job.asset_id : null;
}
