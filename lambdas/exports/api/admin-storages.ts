/** The external storages of all tenants, for operators. Each access is written to the audit log. */
import * as contract from '../../../build/contract/admin-storages.js';
import { ok, pageOf } from '../../../platform/kernel/replies.ts';
import { type Caller, resource } from '../../../platform/kernel/resource.ts';
import { adminTable } from '../../../platform/runtime/dynamodb.ts';
import { log } from '../../../platform/runtime/log.ts';
import { AdminStorages } from '../records/admin-storages.ts';

const path = '/v1/admin/external_storages';

export const handler = resource(contract, () => ({ storages: new AdminStorages(adminTable()) }), {
  listAdminExternalStorages: ({ query, tenant, keyId }, { storages }) =>
    pageOf(query, {
      path,
      filters: [path],
      find: (position, size) => storages.page(position, size),
      read: async (ids) => {
        const shown = await storages.getMany(ids);
        audit('listAdminExternalStorages', { tenant, keyId }, ids);
        return shown;
      },
    }),

  getAdminExternalStorage: async ({ params, tenant, keyId }, { storages }) => {
    const storage = await storages.get(params.external_storage_id);
    audit('getAdminExternalStorage', { tenant, keyId }, [storage.external_storage_id]);
    return ok(storage);
  },
});

function audit(
  operation: string,
  { tenant, keyId }: Pick<Caller, 'tenant' | 'keyId'>,
  external_storage_ids: readonly string[],
): void {
  log('info', 'audit', { operation, by_tenant: tenant, by_key: keyId, external_storage_ids });
}
