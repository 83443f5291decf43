/** Work that has so long and no longer. */
import { StageFailed } from '../rules/stage-failed.ts';

/**
 * @param work ends once its signal is aborted; what it says of that itself counts
 * @throws StageFailed where it took longer, and whatever the work throws
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
