/** Steps of the ingest machine. Does not import S3, to keep the bundle small. */
import { type JobContext, jobStep } from '../../../platform/kernel/job-step.ts';
import type { StepInput } from '../../../platform/kernel/step.ts';
import type { Named } from '../../../platform/steps/define-step.ts';
import type { JobId } from '../../../shared/ids.ts';
import type { IngestJob } from '../../../shared/ingest-jobs.ts';
import { ingestRecords } from './ingest-records.ts';
import { type Progress, progressOf } from './report-progress.ts';

export interface IngestInput extends StepInput {
  readonly job_id: JobId;
}

export interface IngestContext extends JobContext<IngestJob> {
  /** Reports progress to callers until the step ends. */
  readonly progress: Progress;
}

/** A step of the ingest machine. `name` is the name of its Lambda. */
export const ingestStep = <Given extends IngestInput, Result>(
  settings: Named,
  work: (input: Given, context: IngestContext) => Promise<Result>,
  patienceMs?: number,
) =>
  jobStep<Given, Result, IngestJob>(
    settings,
    ({ asset_id, job_id }, tenant) => ingestRecords(tenant).jobs.find(asset_id, job_id),
    async (input, context) => {
      const progress = progressOf(input, context.tenant, context.now);
      try {
        return await work(input, { ...context, progress });
      } finally {
        await progress.close();
      }
    },
    patienceMs,
  );
