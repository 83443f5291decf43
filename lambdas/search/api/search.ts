import * as contract from '../../../build/contract/search.js';
import { resource } from '../../../platform/kernel/resource.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import type { AssetId, TenantId } from '../../../shared/ids.ts';
import { NotFound, NotImplemented, UnknownReference } from '../../../shared/problems.ts';
import { Assets } from '../../assets/records/assets.ts';
import { requireSmallSamples } from '../rules/samples.ts';

const services = (tenant: TenantId) => ({ assets: new Assets(coreTable(tenant), tenant) });

type Services = ReturnType<typeof services>;

export const handler = resource(contract, services, {
  nlSearch: async ({ body }, services) => {
    requireSmallSamples(body);
    if (body.asset_id !== undefined) await requireAsset(body.asset_id, services);
    throw new NotImplemented(contract.nlSearch);
  },
});

/** Throws unknown_reference if the asset does not exist, because its id is in the body, not in the path. */
async function requireAsset(assetId: AssetId, { assets }: Services): Promise<void> {
  await assets.get(assetId).catch((error: unknown) => {
    if (!(error instanceof NotFound)) throw error;
    throw new UnknownReference([{ pointer: '/asset_id', kind: 'asset', id: assetId }]);
  });
}
