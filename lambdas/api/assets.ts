/** Assets: list and get. */
import * as contract from '../../contract/assets.ts';
import { pageOfPlan } from '../data/asset-lists.ts';
import { Assets, etagOf } from '../data/assets.ts';
import { Configuration } from '../data/configuration.ts';
import { assetView, type StoredAsset } from '../domain/assets.ts';
import { type Condition, conditionsOf, planKey, planOf } from '../domain/filters.ts';
import type { TenantId } from '../domain/tenant.ts';
import { resource } from '../kernel/resource.ts';
import { coreTable } from '../runtime/dynamodb.ts';
import { pageOf } from './pages.ts';
import { ok } from './replies.ts';

const services = (tenant: TenantId) => {
  const table = coreTable(tenant);
  const configuration = new Configuration(table, tenant);
  return { table, configuration, assets: new Assets(table, tenant) };
};

export const handler = resource(contract, services, {
  listAssets: async ({ query, tenant }, { table, assets, configuration }) => {
    const { view_id } = query;
    const view = view_id === undefined ? null : await configuration.get(views, view_id.toLowerCase());
    const plan = planOf([...conditionsOf(query), ...((view?.filter_params ?? []) as Condition[])]);
    return pageOf(query, {
      path: '/v1/assets',
      filters: planKey(plan),
      find: (position, size) => pageOfPlan(table, tenant, plan, position, size),
      read: async (ids) => (await assets.getMany(ids)).map(assetView),
    });
  },

  getAsset: async ({ params }, { assets }) => shown(await assets.get(params.asset_id)),

  getAssetByExternalId: async ({ params }, { assets }) =>
    shown(await assets.getByExternalId(params.external_id)),
});

const views = { type: 'views', kind: 'view' };

const shown = (asset: StoredAsset) => ok(assetView(asset), etagOf(asset));
