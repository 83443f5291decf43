/** Takes all assets out of a collection that was deleted. */

import { step, type TenantInput } from '../../../platform/kernel/step.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { CollectionMembers } from '../records/collection-members.ts';

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
