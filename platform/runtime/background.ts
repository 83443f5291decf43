/** Lowers the priority of this process. */
import { setPriority } from 'node:os';

/** The nice value of background work. Other steps have the value 3, so they get more processor time (sched(7)). */
const NICE = 10;

/**
 * Lowers the priority of this process and its children from now on, because people wait for the transcription first. A
 * process that several functions share keeps its priority.
 */
export function workInBackground(): void {
  if (process.env.AWS_LAMBDA_FUNCTION_NAME !== undefined) setPriority(NICE);
}
