import type { Jobs } from '../../../platform/jobs/job-records.ts';
import { withProgress } from '../../../platform/jobs/throttle-writes.ts';
import type { Clips } from '../records/clips.ts';
import type { ClipsOwn } from '../rules/clips-job.ts';
import { type Place, partAt, shareOf } from '../rules/job-parts.ts';
import type { PlannedInput } from './clip-step.ts';

/** The share of rendering in the job's progress. It is smaller for an export, which also writes the file. */
export const shareOfRendering = { clips: 0.98, export: 0.6 } as const;

/** Reports the progress of a part of a clip while `work` runs, and counts the part as done afterwards. */
export function withClipProgress<Result>(
  input: PlannedInput,
  place: Place,
  { jobs, clips }: { readonly jobs: Jobs<'clips', ClipsOwn>; readonly clips: Clips },
  {
    work,
    isDone,
  }: {
    readonly work: (tell: (fraction: number) => void) => Promise<Result>;
    readonly isDone?: ((result: Result) => boolean) | undefined;
  },
): Promise<Result> {
  const { asset_id, job_id, index, kind } = input;
  const part = partAt(input, place);
  const write = async (fraction: number, isPartDone: boolean) => {
    const { share, doneOf } = isPartDone
      ? await jobs.completePart(asset_id, job_id, part)
      : await jobs.advancePart(asset_id, job_id, { part, fraction });
    const reached = shareOf(input, doneOf);
    await clips.advance(input, job_id, reached);
    if (kind === 'clips') await jobs.advanceItem(asset_id, job_id, index, reached);
    await jobs.advance(asset_id, job_id, share * shareOfRendering[kind]);
  };
  return withProgress(write, work, isDone);
}
