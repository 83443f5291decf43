/** Restores the items and objects of a tenant, and erases the remains of a deleted asset. */
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import {
  type DeleteMarkerEntry,
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  type ObjectVersion,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { assetKey } from '../../platform/table/keys.ts';
import { defined } from '../../shared/checked-access.ts';
import type { AssetId, TenantId } from '../../shared/ids.ts';
import type { Advice } from '../deployment/failure.ts';

interface ItemsToRestore {
  /** The table that was restored from a backup. */
  readonly from: string;
  /** The table in use, to which items are copied. */
  readonly to: string;
  readonly tenant: string;
  /** The asset to restore. Default: all items of the tenant. */
  readonly assetId?: string | undefined;
  readonly apply: boolean;
}

/**
 * Copies items that are missing in the table in use. Existing items stay unchanged, because they may be newer. Also copies the
 * index entries of the tenant: with them, the sweep finds open jobs and deletions, and operators find storages.
 * @returns the number of copied items; without `apply`, the number of missing items
 */
export async function restoreItems(
  client: DynamoDBClient,
  { from, to, tenant, assetId, apply }: ItemsToRestore,
): Promise<number> {
  let count = 0;
  const pages = paginateScan(
    { client },
    {
      TableName: from,
      FilterExpression:
        'begins_with(pk, :own) OR (tenant = :tenant AND (begins_with(pk, :open) OR begins_with(pk, :deletions) OR pk = :storages))',
      ExpressionAttributeValues: {
        ':own': { S: `T#${tenant}#` },
        ':open': { S: 'ADMIN#open_jobs#' },
        ':deletions': { S: 'ADMIN#deletions#' },
        ':storages': { S: 'ADMIN#external_storages' },
        ':tenant': { S: tenant },
      },
    },
  );
  for await (const { Items = [] } of pages) {
    for (const item of Items) {
      const isAsked = assetId === undefined || JSON.stringify(unmarshall(item)).includes(assetId);
      if (!isAsked || isExpired(Number(item.expires_at?.N ?? Number.POSITIVE_INFINITY))) continue;
      const isMissing = apply ? await isPut(client, to, item) : !(await isThere(client, to, item));
      if (isMissing) count += 1;
    }
  }
  return count;
}

type Item = Record<string, AttributeValue>;

async function isPut(client: DynamoDBClient, TableName: string, Item: Item): Promise<boolean> {
  try {
    await client.send(
      new PutItemCommand({ TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

async function isThere(client: DynamoDBClient, TableName: string, { pk, sk }: Item): Promise<boolean> {
  const asked = new GetItemCommand({
    TableName,
    Key: { pk: defined(pk), sk: defined(sk) },
    ProjectionExpression: 'pk',
  });
  return (await client.send(asked)).Item !== undefined;
}

const isExpired = (expires_at: number): boolean => expires_at * 1000 < Date.now();

/** A version of an object, or a delete marker. */
interface Version {
  readonly Key: string;
  readonly VersionId: string;
}

/**
 * Returns the delete markers of objects that existed at `moment` and are deleted now. Without these markers, the objects exist again.
 * Objects that were overwritten or created later stay unchanged.
 */
export function undeletions(
  versions: readonly ObjectVersion[],
  markers: readonly DeleteMarkerEntry[],
  moment: Date,
): Version[] {
  const then = new Map<string, { readonly at: number; readonly wasThere: boolean }>();
  const note = ({ Key = '', LastModified }: ObjectVersion | DeleteMarkerEntry, wasThere: boolean) => {
    const at = LastModified?.getTime() ?? 0;
    // The precision of times is one second. If a version and a marker have the same time, the marker is newer.
    const isLater = at > (then.get(Key)?.at ?? -1) || (at === then.get(Key)?.at && !wasThere);
    if (at <= moment.getTime() && isLater) then.set(Key, { at, wasThere });
  };
  for (const version of versions) note(version, true);
  for (const marker of markers) note(marker, false);
  return markers.flatMap(({ IsLatest, Key = '', VersionId = '' }) =>
    IsLatest && then.get(Key)?.wasThere ? [{ Key, VersionId }] : [],
  );
}

interface Objects {
  readonly bucket: string;
  readonly prefix: string;
  /** If false, only counts the objects and changes nothing. */
  readonly apply: boolean;
}

/** Restores deleted objects of a versioned bucket by removing their delete markers. Returns their number. */
export async function restoreObjects(
  client: S3Client,
  { moment, ...objects }: Objects & { readonly moment: Date },
): Promise<number> {
  const { versions, markers } = await versionsOf(client, objects);
  return remove(client, objects, undeletions(versions, markers, moment));
}

/** Permanently erases every version under a prefix, as data protection law may require. Returns their number. */
export async function eraseVersions(client: S3Client, objects: Objects): Promise<number> {
  const { versions, markers } = await versionsOf(client, objects);
  // Markers are removed last. If a marker were removed first and the run were interrupted, its object would exist again.
  return remove(client, objects, [...versions, ...markers]);
}

async function remove(
  client: S3Client,
  { bucket: Bucket, apply }: Objects,
  all: readonly (Version | ObjectVersion | DeleteMarkerEntry)[],
): Promise<number> {
  if (apply) {
    for (const { Key, VersionId } of all)
      await client.send(new DeleteObjectCommand({ Bucket, Key, VersionId }));
  }
  return all.length;
}

/** Lists all versions. The SDK has no paginator for them. */
async function versionsOf(client: S3Client, { bucket: Bucket, prefix: Prefix }: Objects) {
  const [versions, markers]: [ObjectVersion[], DeleteMarkerEntry[]] = [[], []];
  let from: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } | null = {};
  while (from !== null) {
    const page: ListObjectVersionsCommandOutput = await client.send(
      new ListObjectVersionsCommand({ Bucket, Prefix, ...from }),
    );
    versions.push(...(page.Versions ?? []));
    markers.push(...(page.DeleteMarkers ?? []));
    const { NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = page;
    from = page.IsTruncated ? { KeyMarker, VersionIdMarker } : null;
  }
  return { versions, markers };
}

interface Asked {
  readonly tenant: TenantId;
  readonly asset: AssetId;
  /** The table in use, `Core`. */
  readonly table: string;
  readonly bucket: string;
  readonly prefix: string;
}

/**
 * Returns the reason why nothing may be erased. Null if the asset is deleted. If media exist, nothing may be erased, because the
 * table may be that of another environment.
 */
export async function refusalOf(
  { dynamodb, s3 }: { readonly dynamodb: DynamoDBClient; readonly s3: S3Client },
  { tenant, asset, table, bucket, prefix }: Asked,
): Promise<Advice | null> {
  const Key = marshall(assetKey(tenant, asset));
  const { Item } = await dynamodb.send(new GetItemCommand({ TableName: table, Key, ConsistentRead: true }));
  if (Item?.status?.S === 'deleting')
    return {
      says: `The asset ${asset} is still being deleted`,
      cure: 'Run the command again in some minutes.',
    };
  if (Item !== undefined)
    return {
      says: `The asset ${asset} of ${tenant} is not deleted`,
      cure: `Delete it first: DELETE /v1/assets/${asset} with a key of ${tenant}`,
    };
  let count = 0;
  for await (const { Contents = [] } of paginateListObjectsV2(
    { client: s3 },
    { Bucket: bucket, Prefix: prefix },
  ))
    count += Contents.length;
  if (count === 0) return null;
  return {
    says: `${count} objects of the asset ${asset} are not deleted, although ${table} does not know it`,
    cure: `Check that ${table} and ${bucket} belong to the same environment. If so, delete the objects first: aws s3 rm --recursive s3://${bucket}/${prefix}`,
  };
}
