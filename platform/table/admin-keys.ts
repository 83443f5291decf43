/**
 * Admin partitions that the sweep reads, for all tenants: events whose deliveries may not have started, jobs that are
 * not settled, and deleted assets that are not removed. Each entry is written and removed in the transaction of its
 * change. Shards keep each partition below 1,000 writes a second, the limit of DynamoDB.
 */
import { lastOf } from '../../shared/checked-access.ts';
import type { AssetId, JobId } from '../../shared/ids.ts';
import type { Key } from './table.ts';
import { ADMIN_PREFIX } from './tenant-table.ts';

/** Entries are distributed by the last hexadecimal digit of a random id. */
const shards = [...'0123456789abcdef'];

const shardOf = (id: string) => lastOf(id);

const outboxPrefix = `${ADMIN_PREFIX}outbox#`;
const openJobsPrefix = `${ADMIN_PREFIX}open_jobs#`;
const deletionsPrefix = `${ADMIN_PREFIX}deletions#`;

/** The key of an event whose deliveries may not have been started. */
export const outboxKey = (event: string): Key => ({ pk: `${outboxPrefix}${shardOf(event)}`, sk: event });
export const openJobKey = (jobId: JobId): Key => ({ pk: `${openJobsPrefix}${shardOf(jobId)}`, sk: jobId });

/** The key of a deleted asset whose data is not removed yet. */
export const deletionKey = (assetId: AssetId): Key => ({
  pk: `${deletionsPrefix}${shardOf(assetId)}`,
  sk: assetId,
});

export const outboxPartitions = shards.map((shard) => `${outboxPrefix}${shard}`);
export const openJobPartitions = shards.map((shard) => `${openJobsPrefix}${shard}`);
export const deletionPartitions = shards.map((shard) => `${deletionsPrefix}${shard}`);
