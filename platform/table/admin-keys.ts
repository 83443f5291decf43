/**
 * Admin partitions that the sweep reads, for all tenants: events whose deliveries may not have started, jobs that are
 * not settled, deleted assets and collections that are not removed, and pending deliveries. Each entry is written and removed in the transaction of its
 * change. Shards keep each partition below 1,000 writes a second, the limit of DynamoDB.
 */
import { lastOf } from '../../shared/checked-access.ts';
import { namedId } from '../../shared/derived-ids.ts';
import type { JobId } from '../../shared/ids.ts';
import type { Key } from './table.ts';
import { ADMIN_PREFIX } from './tenant-table.ts';

/** Entries are distributed by the last hexadecimal digit of a random id. */
const shards = [...'0123456789abcdef'];

const shardOf = (id: string) => lastOf(id);

const outboxPrefix = `${ADMIN_PREFIX}outbox#`;
const openJobsPrefix = `${ADMIN_PREFIX}open_jobs#`;
const deliveriesPrefix = `${ADMIN_PREFIX}deliveries#`;
const deletionsPrefix = `${ADMIN_PREFIX}deletions#`;

/** The key of an event whose deliveries may not have been started. */
export const outboxKey = (event: string): Key => ({ pk: `${outboxPrefix}${shardOf(event)}`, sk: event });
/** The key of a job that is not settled. */
export const openJobKey = (jobId: JobId): Key => ({ pk: `${openJobsPrefix}${shardOf(jobId)}`, sk: jobId });

/** The key of a place for a request to a receiver of webhooks. Each is in its own partition, because each is written often. */
export const deliveryPlaceKey = (place: number): Key => ({
  pk: `${ADMIN_PREFIX}delivery_places#${place}`,
  sk: 'P',
});
/** The key of a deletion that has not finished. Its id is that of the asset, or of the first execution. */
export const deletionKey = (id: string): Key => ({ pk: `${deletionsPrefix}${shardOf(id)}`, sk: id });
/** The key of a pending delivery, by the time of its next attempt. */
export function pendingDeliveryKey(webhook: string, event: string, next: string): Key {
  const sk = namedId(new Date(next), `${webhook} ${event}`);
  return { pk: `${deliveriesPrefix}${shardOf(sk)}`, sk };
}

export const outboxPartitions = shards.map((shard) => `${outboxPrefix}${shard}`);
export const openJobPartitions = shards.map((shard) => `${openJobsPrefix}${shard}`);
export const deletionPartitions = shards.map((shard) => `${deletionsPrefix}${shard}`);
export const deliveryPartitions = shards.map((shard) => `${deliveriesPrefix}${shard}`);
