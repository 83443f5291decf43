/**
 * Jobs of all tenants begin as there is room: no more of them run at once in an environment than its account has
 * functions for. The others wait, and tenants take turns. A place is given back by whoever looks for one: the end of
 * an execution, or the sweep, asks which of the jobs that have one are over. See docs/decisions/0058.
 */
import type { JobId } from '../shared/ids.ts';
import type { RunningJob, TurnsTable, WaitingJob } from '../store/turns.ts';
import { fairOrder } from './fair-order.ts';

export interface TurnServices {
  readonly turns: TurnsTable;
  /** How many jobs run at once. */
  readonly most: number;
  /** Whether nothing is left for the machine of the job to begin: it has ended, or is gone. */
  readonly hasEnded: (job: RunningJob) => Promise<boolean>;
  /** Starts the execution of the job, once however often. */
  readonly start: (job: WaitingJob) => Promise<void>;
}

/** Starts the job where there is room, and has it wait otherwise. */
export async function startInTurn(
  job: WaitingJob,
  { turns, most, start }: Omit<TurnServices, 'hasEnded'>,
): Promise<void> {
  if (await turns.take(job, most)) await start(job);
  else await turns.wait(job);
}

/** Gives places that have become free to those whose turn it is. @returns how many have begun */
export async function giveTurns({ turns, most, hasEnded, start }: TurnServices): Promise<number> {
  const waiting = await turns.waiting();
  if (waiting.length === 0) return 0;
  const before = await turns.running();
  const over = await Promise.all(before.map(hasEnded));
  const ended = before.filter((_, at) => over[at]);
  const running = before.filter((_, at) => !over[at]);
  await turns.release(ended);
  let begun = 0;
  for (const job of fairOrder(running, waiting, ended)) {
    const isOver = await hasEnded(job);
    if (!isOver && !(await turns.take(job, most))) break;
    if (!isOver) await start(job);
    // After its start: one that died before it could stays in line, and is started again.
    await turns.leave(job.job_id);
    begun += Number(!isOver);
  }
  return begun;
}

/** The place of a job in line, from 1; null where it does not wait. */
export async function positionOf(
  jobId: JobId,
  turns: Pick<TurnsTable, 'running' | 'waiting'>,
): Promise<number | null> {
  const [running, waiting] = await Promise.all([turns.running(), turns.waiting()]);
  const place = fairOrder(running, waiting).findIndex(({ job_id }) => job_id === jobId);
  return place < 0 ? null : place + 1;
}
