/** Takes all assets out of a collection that was deleted. */
import { CollectionMembers } from '../data/collection-members.ts';
import { step, type TenantInput } from '../kernel/step.ts';
import { coreTable } from '../runtime/dynamodb.ts';

interface EmptyInput extends TenantInput {
  readonly collection_id: string;
}

export const handler = step<EmptyInput, object>(
  'EmptyCollection',
  async ({ collection_id }, { tenant, now }) => {
    await new CollectionMembers(coreTable(tenant), tenant).removeAll(collection_id, now());
    return {};
  },
);
