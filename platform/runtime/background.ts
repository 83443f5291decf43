/** Lowers the priority of this process. */
import { setPriority } from 'node:os';

/** Half of the share of other steps when several need a processor: sched(7), nice 3 of steps against 10. */
const NICE = 10;

/**
 * From now on, this process and its children run when other processes do not need the processor. On a laptop, people
 * wait for the transcription first. Functions have their own process, here as on Lambda; a process that others share
 * keeps its priority.
 */
export function workInBackground(): void {
  if (process.env.AWS_LAMBDA_FUNCTION_NAME !== undefined) setPriority(NICE);
}
