/** Makes tenants with many assets: writes the stored items of the assets, and the entries of their lists. */
import { BatchWriteItemCommand, type DynamoDBClient, type WriteRequest } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { uuidv7 } from 'uuidv7';
import { facet } from '../../lambdas/assets/rules/facets.ts';
import { assetKey, facetKey } from '../../platform/table/keys.ts';
import { newAsset, type StoredAsset } from '../../shared/assets.ts';
import { asAssetId } from '../../shared/ids.ts';
import { languageByCode } from '../../shared/languages.ts';
import type { TenantId } from '../../shared/tenant.ts';

/** The most items in one BatchWriteItem request. */
const ITEMS_AT_ONCE = 25;
const BATCHES_AT_ONCE = 8;

export const english = languageByCode('en')!.language_id;

/** Writes the tenant's assets. `report` receives the number of assets written so far. */
export async function seedAssets(
  client: DynamoDBClient,
  tenant: TenantId,
  count: number,
  report: (written: number) => void,
): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < count) {
      const first = next;
      next += ITEMS_AT_ONCE;
      const assets = range(first, Math.min(next, count)).map(assetAt);
      await write(
        client,
        assets.flatMap((asset) => itemsOf(tenant, asset)),
      );
      report(first + assets.length);
    }
  };
  await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, work));
}

/** Every second asset is in English, every third is positive, and every hundredth is about sport. */
function assetAt(at: number): StoredAsset {
  const asset = newAsset(asAssetId(uuidv7()), new Date(), {
    filename: `recording-${at}.mp4`,
    mc_model: 'normal',
  });
  const isEnglish = at % 2 === 0;
  const facets = [
    'all',
    ...(isEnglish ? [facet('language_id', english)] : []),
    ...(at % 3 === 0 ? [facet('sentiment', 'Positive')] : []),
    ...(at % 100 === 0 ? [facet('classification', 'sport')] : []),
  ];
  const languages = isEnglish ? [english] : [];
  return { ...asset, status: 'ready', progress: 1, languages, facets };
}

const itemsOf = (tenant: TenantId, asset: StoredAsset): object[] => [
  { ...assetKey(tenant, asset.asset_id), ...asset },
  ...asset.facets.map((name) => facetKey(tenant, name, asset.asset_id)),
];

async function write(client: DynamoDBClient, items: readonly object[]): Promise<void> {
  const puts = items.map((item): WriteRequest => ({ PutRequest: { Item: marshall(item) } }));
  for (let at = 0; at < puts.length; at += ITEMS_AT_ONCE) {
    const request = { RequestItems: { Core: puts.slice(at, at + ITEMS_AT_ONCE) } };
    const { UnprocessedItems } = await client.send(new BatchWriteItemCommand(request));
    if (Object.keys(UnprocessedItems ?? {}).length > 0)
      throw new Error('The table took a part of a batch only');
  }
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, nth) => from + nth);
