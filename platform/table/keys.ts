/** Keys of the Core and Ephemeral tables. Each asset has its own partition, and so has each facet of its index. */
import { createHash } from 'node:crypto';
import { lastOf } from '../../shared/checked-access.ts';
import { namedId } from '../../shared/derived-ids.ts';
import type { AssetId, JobId, TenantId } from '../../shared/ids.ts';
import type { Key } from './table.ts';
import { ADMIN_PREFIX } from './tenant-table.ts';

export const absent = 'attribute_not_exists(pk)';
export const present = 'attribute_exists(pk)';

export const assetPartition = (tenant: TenantId, assetId: AssetId) => `T#${tenant}#A#${assetId}`;
export const assetKey = (tenant: TenantId, assetId: AssetId): Key => ({
  pk: assetPartition(tenant, assetId),
  sk: 'META',
});
export const jobKey = (partition: string, type: string, jobId: JobId): Key => ({
  pk: partition,
  sk: `JOB#${type}#${jobId}`,
});
export const jobsPrefix = (type?: string) => (type === undefined ? 'JOB#' : `JOB#${type}#`);

/** Children of an asset, one item each, with the prefix of their kind: `SPK`, `COI`, `SD`, `TRK`, `MD`. */
export const childPrefix = (kind: string) => `${kind}#`;
export const childKey = (tenant: TenantId, assetId: AssetId, kind: string, id: string): Key => ({
  pk: assetPartition(tenant, assetId),
  sk: `${childPrefix(kind)}${id}`,
});
/**
 * Key of the item that reserves a name among children of one kind. The name is hashed: it may be too long for a key.
 */
export const childNameKey = (tenant: TenantId, assetId: AssetId, kind: string, name: string): Key => ({
  pk: assetPartition(tenant, assetId),
  sk: `NAME#${kind}#${createHash('sha256').update(name).digest('base64url')}`,
});
export const analysisListKey = (tenant: TenantId, assetId: AssetId, list: string): Key =>
  childKey(tenant, assetId, 'AN', list);

export const transcriptionsPrefix = 'TR#';
export const transcriptionKey = (tenant: TenantId, assetId: AssetId, transcription: string): Key => ({
  pk: assetPartition(tenant, assetId),
  sk: `${transcriptionsPrefix}${transcription}`,
});
export const transcriptionVersionsPrefix = (transcription: string) => `TRV#${transcription}#`;
/** The key of a version; versions sort by number. Lists of transcriptions read heads, which have another prefix. */
export const transcriptionVersionKey = (
  tenant: TenantId,
  assetId: AssetId,
  transcription: string,
  version: number,
): Key => ({
  pk: assetPartition(tenant, assetId),
  sk: `${transcriptionVersionsPrefix(transcription)}${String(version).padStart(10, '0')}`,
});
export const externalIdKey = (tenant: TenantId, externalId: string): Key => ({
  pk: `T#${tenant}#EXT#${externalId}`,
  sk: 'U',
});
export const configurationKey = (tenant: TenantId, type: string, id: string): Key => ({
  pk: `T#${tenant}#CFG#${type}`,
  sk: id,
});

/** The number of items of a type, for types with a limit per tenant. */
export const configurationCountKey = (tenant: TenantId, type: string): Key => ({
  pk: `T#${tenant}#COUNT#${type}`,
  sk: 'C',
});

/** The partition of the items that refer to an item of configuration. An item with referrers is not deleted. */
export const usesPartition = (tenant: TenantId, type: string, id: string) => `T#${tenant}#USES#${type}#${id}`;
/** The key of the number of referrers. */
export const useCountKey = (tenant: TenantId, type: string, id: string): Key => ({
  pk: usesPartition(tenant, type, id),
  sk: 'COUNT',
});
export const REFERRERS = 'BY#';
export const referrerKey = (tenant: TenantId, type: string, id: string, path: string): Key => ({
  pk: usesPartition(tenant, type, id),
  sk: REFERRERS + path,
});

/** The jobs of an overlay or branding clip. */
export const brandingFilePartition = (tenant: TenantId, file: string) => `T#${tenant}#BRF#${file}`;

export const variantKey = (tenant: TenantId, branding: string, variant: string): Key => ({
  pk: `T#${tenant}#BR#${branding}`,
  sk: `VAR#${variant}`,
});
/** The key of the item that reserves a value among the children of a branding. */
export const uniqueKey = (tenant: TenantId, branding: string, member: string, value: string): Key => ({
  pk: `T#${tenant}#BR#${branding}`,
  sk: `ONE#${member}#${value}`,
});

export const clipKey = (tenant: TenantId, assetId: AssetId, clip: string): Key => ({
  pk: assetPartition(tenant, assetId),
  sk: `CLIP#${clip}`,
});
/** The id of a clip among the items of an asset; null for other items. */
export const clipIdOf = ({ sk }: Pick<Key, 'sk'>): string | null =>
  sk.startsWith('CLIP#') ? sk.slice('CLIP#'.length) : null;
export const clipPointerKey = (tenant: TenantId, clip: string): Key => ({
  pk: `T#${tenant}#CLIP#${clip}`,
  sk: 'P',
});
export const publishJobKey = (tenant: TenantId, jobId: JobId): Key => ({ pk: `T#${tenant}#PUB`, sk: jobId });

/** The key of an event. The log sorts by time, as the ids do. */
export const eventKey = (tenant: TenantId, event: string): Key => ({ pk: `T#${tenant}#EV`, sk: event });
export const deliveryKey = (tenant: TenantId, webhook: string, event: string): Key => ({
  pk: `T#${tenant}#WH#${webhook}`,
  sk: event,
});

/** The turns of the tenant's deliveries (`TURNS`), and the state of its receivers (`HOST#…`). */
export const deliveryLimitKey = (tenant: TenantId, of: string): Key => ({
  pk: `T#${tenant}#DELIVERIES`,
  sk: of,
});

/** A facet is `all`, or a filter with one of its values: `language_id#…`. Lists of jobs are facets too: `jobs#…`. */
export const facetPartition = (tenant: TenantId, facet: string) => `T#${tenant}#IX#${facet}`;
export const facetKey = (tenant: TenantId, facet: string, id: string): Key => ({
  pk: facetPartition(tenant, facet),
  sk: id,
});

export const idempotencyKey = (tenant: TenantId, operation: string, key: string): Key => ({
  pk: `T#${tenant}#IDEM#${operation}#${key}`,
  sk: 'I',
});

/** Counters of one month (`2026-11`), or of all time (`total`). */
export const usagePartition = (tenant: TenantId, period: string) => `T#${tenant}#USE#${period}`;
export const usageKey = (tenant: TenantId, period: string, meter: string, shard: number): Key => ({
  pk: usagePartition(tenant, period),
  sk: `${meter}#${shard}`,
});
export const usageEventKey = (tenant: TenantId, period: string, useId: string, meter: string): Key => ({
  pk: usagePartition(tenant, period),
  sk: `EV#${useId}#${meter}`,
});
/** The usage of a job, by engine. Receipts are accounting records, so they are kept as long as the usage events. */
export const receiptPartition = (tenant: TenantId, jobId: JobId) => `T#${tenant}#RECEIPT#${jobId}`;
export const receiptKey = (
  tenant: TenantId,
  jobId: JobId,
  { meter, engine, shard }: { readonly meter: string; readonly engine: string; readonly shard: number },
): Key => ({ pk: receiptPartition(tenant, jobId), sk: `${meter}#${engine}#${shard}` });
/** The bytes of an asset's source, or of a branding file, that count for `stored_bytes`. */
export const storedBytesKey = (tenant: TenantId, ownerId: string): Key => ({
  pk: assetPartition(tenant, ownerId as AssetId),
  sk: 'STORED',
});

/** The key of the number of requests in one minute, by its first second. In the Ephemeral table. */
export const requestCountKey = (tenant: TenantId, from: number): Key => ({
  pk: `T#${tenant}#RATE#${from}`,
  sk: 'C',
});
/** Quantities that uploads or other jobs have reserved. In the Ephemeral table. */
export const quotaHoldsKey = (tenant: TenantId, metric?: string): Key => ({
  pk: `T#${tenant}#HOLDS`,
  sk: metric === undefined ? 'H' : `H#${metric}`,
});
/** The concurrency slots of a tenant. In the Ephemeral table. */
export const jobSlotsKey = (tenant: TenantId): Key => ({ pk: `T#${tenant}#SLOTS`, sk: 'S' });

/**
 * Admin partitions that the sweep reads, for all tenants: events whose deliveries may not have started, jobs that are not
 * settled, deleted assets and collections that still have data, and pending deliveries. Each entry is written and removed
 * in the transaction of its change. Shards keep each partition below 1,000 writes a second, the limit of DynamoDB.
 * Entries are distributed by the last hexadecimal digit of a random id.
 */
const shards = [...'0123456789abcdef'];

const shardOf = (id: string) => lastOf(id);

const outboxPrefix = `${ADMIN_PREFIX}outbox#`;
const openJobsPrefix = `${ADMIN_PREFIX}open_jobs#`;
const deliveriesPrefix = `${ADMIN_PREFIX}deliveries#`;
const deletionsPrefix = `${ADMIN_PREFIX}deletions#`;

/** The key of an event whose deliveries may not have been started. */
export const outboxKey = (event: string): Key => ({ pk: `${outboxPrefix}${shardOf(event)}`, sk: event });
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
