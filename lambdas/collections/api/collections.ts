import * as contract from '../../../build/contract/collections.js';
import { configurationHandlers, configurationServices } from '../../../platform/kernel/crud.ts';
import { noContent } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { executionsOf } from '../../../platform/runtime/stepfunctions.ts';
import { deletionKey } from '../../../platform/table/keys.ts';
import type { TenantId } from '../../../shared/ids.ts';
import { CollectionMembers } from '../records/collection-members.ts';

const services = (tenant: TenantId) => {
  const configuration = configurationServices(tenant);
  return { ...configuration, members: new CollectionMembers(configuration.table, tenant) };
};

export const handler = resource(contract, services, {
  ...configurationHandlers(contract, {
    collections: {
      // Started before the deletion, the machine removes the assets even if the request crashes.
      beforeDelete: async ({ id: collection_id }, { tenant, newId }, { table }) => {
        const deletion_id = newId();
        const input = { collection_id, deletion_id };
        // The sweep starts the machine again if it crashes.
        await table.transact([
          { announce: { ...deletionKey(deletion_id), machine: 'EmptyCollection', input } },
        ]);
        await executionsOf('EmptyCollection').start(deletion_id, { tenant, ...input });
      },
    },
  }),

  addCollectionAssets: async ({ params, body, now }, { members }) => {
    await members.add(params.collection_id, body.asset_ids, now);
    return noContent();
  },

  removeCollectionAssets: async ({ params, body, now }, { members }) => {
    await members.remove(params.collection_id, body.asset_ids, now);
    return noContent();
  },
});
