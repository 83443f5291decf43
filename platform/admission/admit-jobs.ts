/**
 * Jobs of all tenants begin as there is room: no more of them run at once in an environment than its account has
 * functions for, and no more are with a provider than it takes. The others wait, and tenants take turns. A place is given back by
 * whoever looks for one: the end of an execution, or the sweep, asks which of the jobs that have one are over. See
 * docs/decisions/0058 and 0065.
 */
import type { JobId } from '../../shared/ids.ts';
import { type Bounds, placesOf } from '../../shared/provider-capacity.ts';
import { fairOrder, positionsIn } from './fair-order.ts';
import type { PlacedJob, RunningJob, TurnsTable, WaitingJob } from './queue-table.ts';

type Line = Pick<TurnsTable, 'running' | 'waiting'>;

export interface TurnServices {
  readonly turns: TurnsTable;
  readonly bounds: Bounds;
  /** Whether nothing is left for the machine of the job to begin: it has ended, or is gone. */
  readonly hasEnded: (job: RunningJob) => Promise<boolean>;
  /** Starts the execution of the job, once however often. */
  readonly start: (job: WaitingJob) => Promise<void>;
}

/** Starts the job where there is room and nobody has to go before it, and has it wait otherwise. */
export async function startInTurn(
  job: WaitingJob,
  { turns, bounds, start }: Omit<TurnServices, 'hasEnded'>,
): Promise<void> {
  const [running, waiting] = await read(turns);
  // Whoever asks again, as the sweep does, is not whose trace it is.
  const inLine = waiting.find(isSame(job));
  const line = inLine ? waiting : [...waiting, job];
  const isNext = running.some(isSame(job)) || nextOf(running, line, bounds).some(isSame(job));
  if (isNext && (await turns.take(job, placesOf(job, bounds)))) await start(inLine ?? job);
  else await turns.wait(job);
}

/** Gives places that have become free to those whose turn it is. @returns how many have begun */
export async function giveTurns({ turns, bounds, hasEnded, start }: TurnServices): Promise<number> {
  let [running, waiting]: readonly [PlacedJob[], WaitingJob[]] = await read(turns);
  const over = await Promise.all(running.map(hasEnded));
  const ended = running.filter((_, at) => over[at]);
  running = running.filter((_, at) => !over[at]);
  // Also where nobody waits: whoever comes next finds them free.
  await turns.release(ended);
  let begun = 0;
  // Again as long as some leave the line without a place of theirs: it is for those behind them.
  for (let left = true; left; ) {
    left = false;
    const placed = waiting.filter((job) => running.some(isSame(job)));
    for (const job of [...placed, ...nextOf(running, waiting, bounds, ended)]) {
      const isOver = await hasEnded(job);
      const places = placesOf(job, bounds);
      if (!isOver && !(await turns.take(job, places))) continue;
      if (!isOver) await start(job);
      // After its start: one that died before it could stays in line, and is started again.
      await turns.leave(job);
      waiting = waiting.filter((other) => other !== job);
      left ||= isOver;
      begun += Number(!isOver);
      if (!isOver) running = [...running, { ...job, lines: Object.keys(places) }];
    }
  }
  return begun;
}

/** The places of jobs in line, from 1, in one look at it; those that do not wait have none. */
export async function positionsOf(turns: Line, bounds: Bounds): Promise<ReadonlyMap<JobId, number>> {
  const [running, waiting] = await read(turns);
  const line = fairOrder(running, inLine(running, waiting, bounds));
  const positions = positionsIn(line);
  // Whoever may begin does so with the next look at the line.
  return new Map(line.map(({ job }) => [job.job_id, positions.get(job) ?? 1]));
}

/**
 * The line before a provider that is nearest to being full, and how much of it is taken, in percent; null where nobody is in one.
 * Lines that have room for every job that may run at all are none: functions run short before the provider does.
 */
export function fullestLine(
  running: readonly PlacedJob[],
  { jobs, providers }: Bounds,
): { readonly line: string; readonly percent: number } | null {
  const scarce = Object.entries(providers).filter(([, { most }]) => most < jobs);
  const shares = scarce.map(([line, { most }]) => {
    const taken = running.filter(({ lines }) => lines.includes(line)).length;
    return { line, percent: Math.round((100 * taken) / most) };
  });
  const [fullest] = shares.sort((one, other) => other.percent - one.percent);
  return fullest === undefined || fullest.percent === 0 ? null : fullest;
}

async function read(turns: Line) {
  const running = await turns.running();
  return [running, await turns.waiting(running)] as const;
}

const isSame =
  ({ job_id }: RunningJob) =>
  (other: RunningJob) =>
    other.job_id === job_id;

/** Those that have a place already are about to leave the line. */
function inLine(running: readonly PlacedJob[], waiting: readonly WaitingJob[], bounds: Bounds) {
  const placed = new Set(running.map(({ job_id }) => job_id));
  return waiting
    .filter(({ job_id }) => !placed.has(job_id))
    .map((job) => ({ job, job_id: job.job_id, tenant: job.tenant, places: placesOf(job, bounds) }));
}

function nextOf(
  running: readonly PlacedJob[],
  waiting: readonly WaitingJob[],
  bounds: Bounds,
  ended: readonly PlacedJob[] = [],
): WaitingJob[] {
  const line = fairOrder(running, inLine(running, waiting, bounds), ended);
  return line.filter(({ full }) => full.length === 0).map(({ job }) => job.job);
}
