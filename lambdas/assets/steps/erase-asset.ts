/** Removes the records of a deleted asset; its external id becomes free last. */

import { type StepInput, step } from '../../../platform/kernel/step.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { Assets } from '../records/assets.ts';

export const handler = step<StepInput, object>('EraseAsset', async ({ asset_id }, { tenant }) => {
  await new Assets(coreTable(tenant), tenant).erase(asset_id);
  return {};
});
