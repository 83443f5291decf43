/** Gives way to other work of the machine. */
import { setPriority } from 'node:os';

/** Half of what other steps get where several want a processor: sched(7), nice 3 of steps against 10. */
const NICE = 10;

/**
 * From now on this process, and what it starts, works when others do not need the processor. On one machine the transcription is what
 * people wait for. A function has its process to itself, here as on Lambda; others share it, and are left alone.
 */
export function workInBackground(): void {
  if (process.env.AWS_LAMBDA_FUNCTION_NAME !== undefined) setPriority(NICE);
}
