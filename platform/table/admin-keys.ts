/**
 * What all tenants announce for schedules to sweep: events whose deliveries may not have been started, jobs that have not
 * been settled, and assets that are deleted and not gone. Each is one entry of an admin partition, written and removed in the transaction of the
 * change that it tells of. Shards keep a partition below the 1,000 writes a second that DynamoDB allows one.
 */
import type { AssetId, JobId } from '../../shared/ids.ts';
import { ADMIN_PREFIX, type Key } from './tenant-table.ts';

/** Entries are spread over these by the last hexadecimal digit of a random id. */
const shards = [...'0123456789abcdef'];

const shardOf = (id: string) => id.at(-1)!;

const outboxPrefix = `${ADMIN_PREFIX}outbox#`;
const openJobsPrefix = `${ADMIN_PREFIX}open_jobs#`;
const deletionsPrefix = `${ADMIN_PREFIX}deletions#`;

/** An event whose deliveries may not have been started. */
export const outboxKey = (event: string): Key => ({ pk: `${outboxPrefix}${shardOf(event)}`, sk: event });
export const isOutboxKey = ({ pk }: Key): boolean => pk.startsWith(outboxPrefix);
/** A job whose end has not been written everywhere. */
export const openJobKey = (jobId: JobId): Key => ({ pk: `${openJobsPrefix}${shardOf(jobId)}`, sk: jobId });

/** An asset that was deleted, and of which something is left. */
export const deletionKey = (assetId: AssetId): Key => ({
  pk: `${deletionsPrefix}${shardOf(assetId)}`,
  sk: assetId,
});

export const outboxPartitions = shards.map((shard) => `${outboxPrefix}${shard}`);
export const openJobPartitions = shards.map((shard) => `${openJobsPrefix}${shard}`);
export const deletionPartitions = shards.map((shard) => `${deletionsPrefix}${shard}`);
