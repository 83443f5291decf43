/** Checks in the table and in the bucket whether an asset is deleted, before its remaining versions are erased. */
import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';
import { marshall } from '@aws-sdk/util-dynamodb';
import { assetKey } from '../../platform/table/keys.ts';
import type { AssetId } from '../../shared/ids.ts';
import type { TenantId } from '../../shared/tenant.ts';
import type { Advice } from '../deployment/failure.ts';

export interface Asked {
  readonly tenant: TenantId;
  readonly asset: AssetId;
  /** The table in use, `Core`. */
  readonly table: string;
  readonly bucket: string;
  /** Prefix of the asset's media in the bucket. */
  readonly prefix: string;
}

/**
 * Returns why nothing may be erased, or null if the asset is deleted. Existing media also refuses it: the table may belong to
 * another environment.
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
