/** Time limits of stages, and reasons of failures that are safe to log: without media, texts and keys. */
import { ProblemError } from '../../../client/index.ts';

/** Thrown if a stage failed although its calls succeeded, or if it reached its time limit. */
export class StageFailed extends Error {
  override readonly name = 'StageFailed';
}

/** Describes an error for operators. A problem includes its request id, to find it in the logs. */
export function wordsOf(error: unknown): string {
  if (error instanceof ProblemError) {
    const request = error.problem === null ? '' : `, request ${error.problem.request_id}`;
    return `${error.message} (${error.status}${request})`;
  }
  if (error instanceof StageFailed) return error.message;
  if (!(error instanceof Error)) return typeof error;
  const cause = error.cause as NodeJS.ErrnoException | undefined;
  return `${error.name}: ${error.message}${cause?.code === undefined ? '' : ` (${cause.code})`}`;
}

/** Runs work that ends when its signal is aborted. Throws StageFailed after the time limit, or the error of the work. */
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
