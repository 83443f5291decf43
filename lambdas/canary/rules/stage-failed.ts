/** Why a stage failed, in words that are safe to log: no media, no transcription text, no key. */
import { ProblemError } from '../../../client/index.ts';

/** A failure that the run finds although every call succeeded. */
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
