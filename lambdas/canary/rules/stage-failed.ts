/** Why a stage failed, in words that may stand in a log: no media, no text of a transcription, no key. */
import { ProblemError } from '../../../client/index.ts';

/** What the try itself finds wrong, where every call was answered. */
export class StageFailed extends Error {
  override readonly name = 'StageFailed';
}

/** As an operator reads it: a problem with the id that finds its request in the logs. */
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
