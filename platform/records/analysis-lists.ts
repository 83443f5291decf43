/** Lists that analyses found for an asset. Each is a gzipped JSON document, and an item contains the document's key. */
import { itemAt } from '../../shared/checked-access.ts';
import type { AssetId, TenantId } from '../../shared/ids.ts';
import { checked, list, type Parser } from '../../shared/parse.ts';
import { NotFound } from '../../shared/problems.ts';
import { readGzippedJson } from '../objects/gzipped-json.ts';
import type { MediaObjects } from '../objects/media-objects.ts';
import { analysisListKey } from '../table/keys.ts';
import type { TenantTable } from '../table/tenant-table.ts';

export interface ListPlaces {
  readonly table: TenantTable;
  readonly objects: MediaObjects;
  readonly tenant: TenantId;
}

/** The whole list; null if the analysis has not run. */
export async function analysisList<Found>(
  assetId: AssetId,
  name: string,
  { table, objects, tenant }: ListPlaces,
): Promise<Found[] | null> {
  const item = await table.get<{ readonly document: string }>(analysisListKey(tenant, assetId, name));
  return item === null ? null : [...(await readDocument(item.document, objects, list(checked<Found>({}))))];
}

/** Throws NotFound if the document does not exist any more. */
export async function readDocument<T>(document: string, objects: MediaObjects, parse: Parser<T>): Promise<T> {
  const found = await readGzippedJson(document, objects, parse);
  if (found === null) throw new NotFound('result', itemAt(document.split('/'), -2));
  return found;
}
