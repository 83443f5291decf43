import * as contract from '../../../build/contract/assets.js';
import { ok, pageOf } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { Configuration } from '../../../platform/records/configuration.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { pageOfPartitions } from '../../../platform/table/id-pages.ts';
import { facetPartition } from '../../../platform/table/keys.ts';
import { assetView, type StoredAsset } from '../../../shared/assets.ts';
import { asAssetId, type TenantId } from '../../../shared/ids.ts';
import { Assets, etagOf } from '../records/assets.ts';
import { type Condition, conditionsOf, planKey, planOf } from '../rules/filters.ts';

const services = (tenant: TenantId) => {
  const table = coreTable(tenant);
  const configuration = new Configuration(table, tenant);
  return { table, configuration, assets: new Assets(table, tenant) };
};

export const handler = resource(contract, services, {
  listAssets: async ({ query, tenant }, { table, assets, configuration }) => {
    const { view_id } = query;
    const view = view_id === undefined ? null : await configuration.get(views, view_id);
    const plan = planOf([...conditionsOf(query), ...((view?.filter_params ?? []) as Condition[])]);
    const { groups, ...ends } = plan;
    // Each facet has its own partition of index entries.
    const partitions = groups.map((facets) => facets.map((name) => facetPartition(tenant, name)));
    return pageOf(query, {
      path: '/v1/assets',
      filters: planKey(plan),
      find: (position, size) => pageOfPartitions(table, { groups: partitions, position, size, ends }),
      read: async (ids) => (await assets.getMany(ids.map(asAssetId))).map(assetView),
    });
  },

  getAsset: async ({ params }, { assets }) => shown(await assets.get(params.asset_id)),

  getAssetByExternalId: async ({ params }, { assets }) =>
    shown(await assets.getByExternalId(params.external_id)),
});

const views = { type: 'views', kind: 'view' };

const shown = (asset: StoredAsset) => ok(assetView(asset), etagOf(asset));
