/** Counts spoken characters immediately, because the provider charges for them even if the job fails. */
import { doneBy } from '../../../platform/runtime/engines.ts';
import type { TenantTable } from '../../../platform/table/tenant-table.ts';
import { Usage } from '../../../platform/usage/metering.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import type { DubIds } from '../records/dub-keys.ts';
import type { DubPlan } from '../rules/dub-plan.ts';
import type { Speaking } from './cache-speech.ts';

/** Returns a meter. It counts a piece once for each job, in the month in which the job was created. */
export function speechMeter(
  { job_id, language_id }: DubIds,
  { config }: Pick<DubPlan, 'config'>,
  { created_at }: { readonly created_at: string },
  { table, tenant }: { readonly table: TenantTable; readonly tenant: TenantId },
): Speaking['meter'] {
  const by = doneBy(config.clone_voice ? 'voice_cloning' : 'speech');
  const usage = new Usage(table, tenant);
  return ({ name }, quantity) => {
    const use_id = `${job_id}#${language_id}#${name}`;
    return usage.record({ use_id, meter: 'spoken_characters', quantity, at: created_at, job_id, by });
  };
}
