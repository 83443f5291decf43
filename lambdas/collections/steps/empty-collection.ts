import { step, type TenantInput } from '../../../platform/kernel/step.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { defineStep } from '../../../platform/steps/define-step.ts';
import { CollectionMembers } from '../records/collection-members.ts';

interface EmptyInput extends TenantInput {
  readonly collection_id: string;
}

export const settings = defineStep<EmptyInput>({
  name: 'EmptyCollection',
  description: 'Removes all assets from a deleted collection',
  memory: 512,
  timeout: 900,
  permissions: { tables: { Core: ['batchGet', 'delete', 'get', 'put', 'query', 'update'] } },
  event: { tenant: 'demo', collection_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' },
});

export const handler = step<EmptyInput, object>(settings, async ({ collection_id }, { tenant, now }) => {
  await new CollectionMembers(coreTable(tenant), tenant).removeAll(collection_id, now());
  return {};
});
