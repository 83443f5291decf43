/** Events of assets and jobs, each with a snapshot of the asset or job. */
import type { EventType } from '../../contract/kit/event-types.ts';
import type { Asset } from '../../shared/assets.ts';
import { namedId } from '../../shared/derived-ids.ts';
import type { AssetId } from '../../shared/ids.ts';
import type { JobView } from '../../shared/jobs.ts';

/** A job as callers see it, of any kind. */
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

/** How long the log keeps events, ms. */
export const EVENT_KEPT_MS = 30 * 24 * 3_600_000;

/** When DynamoDB deletes the data of an event: seconds since the epoch. */
export const forgottenAt = (moment: Date): number => Math.floor((moment.getTime() + EVENT_KEPT_MS) / 1000);

/**
 * The age in ms from which the log shows an event. Several machines write events, so an event with an earlier id may
 * appear after an event with a later id. A caller that reads forward would miss the earlier event.
 */
export const SETTLING_MS = 5000;

/** Makes an event. A retry with the same `now` makes the same event. */
function newEvent(type: EventType, now: Date, subject: string, data: EventData): Event {
  return { event_id: namedId(now, `${type} ${subject}`), type, timestamp: now.toISOString(), data };
}

export const assetEvent = (type: EventType & `asset.${string}`, now: Date, asset: Asset): Event =>
  newEvent(type, now, asset.asset_id, { asset });

export const jobEvent = (type: EventType & `job.${string}`, now: Date, job: JobSnapshot): Event =>
  newEvent(type, now, job.job_id, { job });

export const testEvent = (now: Date, webhook_id: string): Event =>
  newEvent('webhook.test', now, webhook_id, { webhook_id });

export function assetOf({ data: { asset, job } }: Event): AssetId | null {
  if (asset !== undefined) return asset.asset_id;
  return job !== undefined && 'asset_id' in job ? job.asset_id : null;
}
