/** Removes the records of a deleted asset. Its external id is removed last: then another asset can use it. */
import { type StepInput, step } from '../../../platform/kernel/step.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { Assets } from '../records/assets.ts';

export const settings = defineStep<StepInput>({
  name: 'EraseAsset',
  description: 'Removes the records of a deleted asset',
  memory: 512,
  timeout: 900,
  permissions: { tables: { Core: ['delete', 'get', 'query'] }, admin: true },
  event: { tenant: sampleJob.tenant, asset_id: sampleJob.asset_id },
});

export const handler = step<StepInput, object>(settings, async ({ asset_id }, { tenant }) => {
  await new Assets(coreTable(tenant), tenant).erase(asset_id);
  return {};
});
