/** Runs work with a time limit. */
import { StageFailed } from '../rules/stage-failed.ts';

/**
 * @param work must end when its signal is aborted; a StageFailed that it throws is passed on
 * @throws StageFailed after the time limit, or the error of the work
 */
export async function withTimeLimit<Result>(
  limitMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const signal = AbortSignal.timeout(limitMs);
  try {
    return await work(signal);
  } catch (error) {
    if (!signal.aborted || error instanceof StageFailed) throw error;
    throw new StageFailed(`it was not done within ${limitMs / 1000} s`);
  }
}
