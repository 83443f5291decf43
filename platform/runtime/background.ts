/** Lowers the priority of this process. */
import { setPriority } from 'node:os';

/** The nice value of background work. Other steps have 3 (sched(7)), so they get more of a busy processor. */
const NICE = 10;

/**
 * Lowers the priority of this process and its children from now on. On a laptop, people wait for the transcription
 * first. This applies only to the process of a function: a shared process keeps its priority.
 */
export function workInBackground(): void {
  if (process.env.AWS_LAMBDA_FUNCTION_NAME !== undefined) setPriority(NICE);
}
