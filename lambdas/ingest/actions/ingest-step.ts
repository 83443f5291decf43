/** Services and context of the ingest steps. */
import { type AssetJobInput, type JobContext, subjectSteps } from '../../../platform/kernel/job-step.ts';
import { usageOf } from '../../../platform/runtime/usage.ts';
import type { Named } from '../../../platform/steps/define-step.ts';
import type { TenantTable } from '../../../platform/table/tenant-table.ts';
import type { TenantId } from '../../../shared/ids.ts';
import type { IngestJob, IngestOwn } from '../../../shared/ingest-jobs.ts';
import { AnalysisResults } from '../../analyses/records/analysis-results.ts';
import { translationServices } from '../../translation/actions/translation-services.ts';
import { type Progress, progressOf } from './report-progress.ts';

/** @param table publishes events if the ingest ends */
function ingestServices(tenant: TenantId, table: TenantTable) {
  const services = translationServices(tenant, table);
  const results = new AnalysisResults(table, services.objects, tenant);
  return { ...services, results, usage: usageOf(table, tenant) };
}

export type IngestServices = ReturnType<typeof ingestServices>;

const steps = subjectSteps<'ingest', IngestOwn, IngestServices>('ingest', ingestServices);

export const ingestEndStep = steps.endStep;

type Work<Given, Result> = Parameters<typeof steps.jobStep<AssetJobInput & Given, Result>>[1];

export type IngestContext = Parameters<Work<object, unknown>>[1] &
  JobContext<IngestJob> & {
    readonly progress: Progress;
  };

export const ingestStep = <Given extends AssetJobInput, Result>(
  settings: Named,
  work: (input: Given, context: IngestContext) => Promise<Result>,
  options?: Parameters<typeof steps.jobStep>[2],
) =>
  steps.jobStep<Given, Result>(
    settings,
    async (input, context) => {
      const progress = progressOf(input, context.tenant, context.now);
      try {
        return await work(input, { ...context, progress });
      } finally {
        await progress.close();
      }
    },
    options,
  );
