/** Reports the progress of a language while it is spoken: in the item of a job, or as a stage of an ingest. */
import type { Jobs } from '../../../platform/jobs/job-records.ts';
import { type WriteProgress, withProgress } from '../../../platform/jobs/throttle-writes.ts';
import type { JobContext } from '../../../platform/kernel/job-step.ts';
import { placeAt, reachedTogether } from '../../../shared/ingest-stages.ts';
import { type Place, partAt, reachedAt, shareOf } from '../rules/progress-parts.ts';
import type { VoiceOverJob, VoiceOverOwn } from '../rules/voice-over-job.ts';
import type { DubInput, DubServices } from './voice-over-step.ts';

/** The progress of the job after all parts. The end of the job adds the rest. */
const SHARE_OF_LANGUAGES = 0.98;

export interface PartInput extends DubInput {
  readonly groups: number;
}

interface Context extends JobContext<VoiceOverJob>, Pick<DubServices, 'assets'> {
  readonly jobs: Jobs<'voice_over', VoiceOverOwn>;
}

/** Reports the progress of one part while `work` runs, and counts the part as finished afterwards. */
export const withDubProgress = <Result>(
  input: PartInput,
  place: Place,
  context: Context,
  work: (tell: (fraction: number) => void) => Promise<Result>,
): Promise<Result> => withProgress((input.kind === 'ingest' ? ofIngest : ofJob)(input, place, context), work);

function ofJob(input: PartInput, place: Place, { jobs }: Context): WriteProgress {
  const { asset_id, job_id, index } = input;
  const part = partAt(input, place);
  return async (fraction, isDone) => {
    const { share, doneOf } = isDone
      ? await jobs.completePart(asset_id, job_id, part)
      : await jobs.advancePart(asset_id, job_id, { part, fraction });
    await jobs.advanceItem(asset_id, job_id, index, Math.min(1, shareOf(input, doneOf)));
    await jobs.advance(asset_id, job_id, share * SHARE_OF_LANGUAGES);
  };
}

/** Reports the progress of an ingest: that of the language with the highest progress. */
function ofIngest(input: PartInput, place: Place, { jobs, assets, now }: Context): WriteProgress {
  const { asset_id, job_id, index, languages } = input;
  return async (fraction) => {
    const reachedOfAll = (index + reachedAt(input, place, fraction)) / languages;
    const { branch, reached } = placeAt('voice_over', reachedOfAll);
    const branches = await jobs.reachBranch(asset_id, job_id, branch, { reached, ready_at: null });
    const together = reachedTogether('voice_over', branches);
    await assets.advance({ asset_id, job_id }, together, now());
    await jobs.advance(asset_id, job_id, together.progress);
  };
}
