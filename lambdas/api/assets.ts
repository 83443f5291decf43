/** Assets: create, list, get, delete. */
import * as contract from '../../contract/assets.ts';
import { pageOfIds } from '../data/asset-lists.ts';
import { Assets, etagOf } from '../data/assets.ts';
import { type Reference, requireReferences } from '../data/references.ts';
import { assetView, type NewAsset, type StoredAsset } from '../domain/assets.ts';
import { readCursor, writeCursor } from '../domain/cursor.ts';
import { facetsOf } from '../domain/facets.ts';
import { languageById } from '../domain/languages.ts';
import { UnknownReference } from '../domain/problems.ts';
import type { TenantId } from '../domain/tenant.ts';
import { resource } from '../kernel/resource.ts';
import { coreTable } from '../runtime/dynamodb.ts';
import { deleteAssetExecutions } from '../runtime/stepfunctions.ts';
import { pageLinks } from './pages.ts';
import { created, noContent, ok } from './replies.ts';

const services = (tenant: TenantId) => {
  const table = coreTable(tenant);
  return { table, assets: new Assets(table, tenant), deletions: deleteAssetExecutions };
};

export const handler = resource(contract, services, {
  createAsset: async ({ body, tenant, now, newResourceId }, { table, assets }) => {
    requireLanguage(body.language_id);
    await requireReferences(table, tenant, referencesOf(body));
    const asset = await assets.create(newResourceId, now, body);
    return created(assetView(asset), `/v1/assets/${asset.asset_id}`, etagOf(asset));
  },

  listAssets: async ({ query, tenant }, { table, assets }) => {
    const facets = facetsOf(query);
    const cursor = query.cursor === undefined ? undefined : readCursor(query.cursor, facets);
    const position = cursor
      ? { skip: 0, after: cursor.after, total: cursor.total }
      : { skip: (query.page - 1) * query.items };
    const found = await pageOfIds(table, tenant, facets, position, query.items);
    const page = cursor?.page ?? query.page;
    const last = found.ids.at(-1);
    const next_cursor =
      found.more && last !== undefined
        ? writeCursor({ after: last, page: page + 1, total: found.total }, facets)
        : null;
    const data = (await assets.getMany(found.ids)).map(assetView);
    const { total, total_is_lower_bound } = found;
    return {
      ...ok({ data, page, items: query.items, total, total_is_lower_bound, next_cursor }),
      headers: { Link: pageLinks('/v1/assets', query, page, next_cursor) },
    };
  },

  getAsset: async ({ params }, { assets }) => shown(await assets.get(params.asset_id)),

  deleteAsset: async ({ params, tenant, now, ifMatch }, { assets, deletions }) => {
    await assets.beginDeletion(params.asset_id, now, ifMatch);
    await deletions().start(`delete-${params.asset_id}`, { tenant, asset_id: params.asset_id });
    return noContent();
  },

  getAssetByExternalId: async ({ params }, { assets }) =>
    shown(await assets.getByExternalId(params.external_id)),
});

const shown = (asset: StoredAsset) => ok(assetView(asset), etagOf(asset));

function requireLanguage(id: string | undefined): void {
  if (id === undefined || languageById(id) !== undefined) return;
  throw new UnknownReference([{ pointer: '/language_id', kind: 'language', id }]);
}

function referencesOf({ template_id, collection_id }: NewAsset): Reference[] {
  const references: Reference[] = [];
  if (template_id !== undefined) {
    references.push({ pointer: '/template_id', type: 'templates', kind: 'template', id: template_id });
  }
  if (collection_id !== undefined) {
    references.push({
      pointer: '/collection_id',
      type: 'collections',
      kind: 'collection',
      id: collection_id,
    });
  }
  return references;
}
