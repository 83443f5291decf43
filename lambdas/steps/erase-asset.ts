/** Removes the records of a deleted asset; its external id becomes free last. */
import { Assets } from '../data/assets.ts';
import { type StepInput, step } from '../kernel/step.ts';
import { coreTable } from '../runtime/dynamodb.ts';

export const handler = step<StepInput, object>('EraseAsset', async ({ asset_id }, { tenant }) => {
  await new Assets(coreTable(tenant), tenant).erase(asset_id);
  return {};
});
