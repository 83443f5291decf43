/** Makes the steps of a subject whose jobs belong to assets. Each step gets the services of its subject. */
import type { JobId } from '../../shared/ids.ts';
import type { JobType, StoredJob } from '../../shared/jobs.ts';
import type { TenantId } from '../../shared/tenant.ts';
import { Jobs } from '../jobs/job-records.ts';
import { coreTable } from '../runtime/dynamodb.ts';
import type { Named } from '../steps/define-step.ts';
import type { TenantTable } from '../table/tenant-table.ts';
import { type JobContext, jobStep } from './job-step.ts';
import { type StepContext, type StepInput, step } from './step.ts';

export interface AssetJobInput extends StepInput {
  readonly job_id: JobId;
  /** The kind of the job. Absent if the machine runs jobs of only one kind. */
  readonly kind?: JobType;
}

/** The core table, or the publishing table for a step that publishes events. */
type TableOf = (tenant: TenantId) => TenantTable;

interface StepOptions {
  readonly tableOf?: TableOf;
  /** Milliseconds, as for `jobStep`. */
  readonly patienceMs?: number;
}

/**
 * @param type the kind of the jobs; another kind in the input of a step must have the same type of `own`
 * @param servicesOf the services of the subject
 */
export function subjectSteps<Type extends JobType, Own extends object, Services extends object>(
  type: Type,
  servicesOf: (tenant: TenantId, table: TenantTable) => Services,
) {
  const jobsIn = (table: TenantTable, tenant: TenantId, { kind = type }: AssetJobInput) =>
    new Jobs<Type, Own>(table, tenant, kind as Type);
  const servicesFor = (input: AssetJobInput, tenant: TenantId, tableOf: TableOf) => {
    const table = tableOf(tenant);
    return { ...servicesOf(tenant, table), jobs: jobsIn(table, tenant, input) };
  };
  type Known = ReturnType<typeof servicesFor>;
  return {
    /** A step that stops when its job is canceled. */
    jobStep: <Given extends AssetJobInput, Result>(
      settings: Named,
      work: (input: Given, context: JobContext<StoredJob<Type, Own>> & Known) => Promise<Result>,
      { tableOf = coreTable, patienceMs }: StepOptions = {},
    ) =>
      jobStep<Given, Result, StoredJob<Type, Own>>(
        settings,
        (input, tenant) => jobsIn(coreTable(tenant), tenant, input).find(input.asset_id, input.job_id),
        (input, context) => work(input, { ...context, ...servicesFor(input, context.tenant, tableOf) }),
        patienceMs,
      ),
    /** A step that removes the results of a job, or records that it failed. It also runs for a canceled job. */
    endStep: <Given extends AssetJobInput, Result>(
      settings: Named,
      tableOf: TableOf,
      work: (input: Given, context: StepContext & Known) => Promise<Result>,
    ) =>
      step<Given, Result>(settings, (input, context) =>
        work(input, { ...context, ...servicesFor(input, context.tenant, tableOf) }),
      ),
  };
}

interface ItemPlan<Own, Result> {
  /** Weight of each item for the progress. All items weigh the same, because their durations are unknown in advance. */
  readonly size: number;
  readonly idsOf: (own: Own) => readonly string[];
  readonly list: (ids: readonly string[]) => Result;
}

/** A step that marks a job as running, plans its items, and lists them for the state machine. */
export const planStep = <Own extends object, Result>(
  settings: Named,
  type: JobType,
  { size, idsOf, list }: ItemPlan<Own, Result>,
) =>
  subjectSteps<JobType, Own, object>(type, () => ({})).jobStep<AssetJobInput, Result>(
    settings,
    async ({ asset_id, job_id }, { now, job, jobs }) => {
      const ids = idsOf(job.own);
      const sizes = ids.map(() => size);
      await jobs.begin(asset_id, job_id, now());
      await jobs.planParts(asset_id, job_id, sizes);
      return list(ids);
    },
  );
