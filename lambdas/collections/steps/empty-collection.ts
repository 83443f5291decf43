import { step, type TenantInput } from '../../../platform/kernel/step.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { defineStep } from '../../../platform/steps/define-step.ts';
import { deletionKey } from '../../../platform/table/keys.ts';
import { CollectionMembers } from '../records/collection-members.ts';

interface EmptyInput extends TenantInput {
  readonly collection_id: string;
  /** The id of the entry that the sweep reads. Executions of earlier versions have none. */
  readonly deletion_id?: string;
}

export const settings = defineStep<EmptyInput>({
  name: 'EmptyCollection',
  description: 'Removes all assets from a deleted collection',
  memory: 512,
  timeout: 900,
  permissions: { tables: { Core: ['batchGet', 'delete', 'get', 'put', 'query', 'update'] }, admin: true },
  event: {
    tenant: 'demo',
    collection_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55',
    deletion_id: '019a9d2f-6f06-7b16-8c06-0c7b6a5d4e06',
  },
});

export const handler = step<EmptyInput, object>(settings, async (input, { tenant, now }) => {
  const { collection_id, deletion_id } = input;
  const table = coreTable(tenant);
  await new CollectionMembers(table, tenant).removeAll(collection_id, now());
  if (deletion_id !== undefined) await table.transact([{ withdraw: deletionKey(deletion_id) }]);
  return {};
});
