/**
 * What a job will take of its tenant's quotas, held from its request until it has ended and is metered, so that jobs which are
 * asked for at once do not exceed them together. The quota of `cost` is the tenant's budget for the month.
 */
import type { AssetId, JobId } from '../../shared/ids.ts';
import { isTerminal } from '../../shared/jobs.ts';
import type { Limits } from '../../shared/limits.ts';
import { Problem } from '../../shared/problems.ts';
import {
  costOf,
  type DoneBy,
  type EngineMeter,
  type Meter,
  type Metric,
  meters,
  quantityOf,
} from '../../shared/usage.ts';
import type { AllJobs } from '../jobs/job-records.ts';
import type { Usage } from '../usage/metering.ts';
import { isAbandoned } from './job-slots.ts';
import type { QuotaHolds } from './reserved-quantities.ts';

/** What a job takes at most, as its meter counts: characters, milliseconds, millionths of a USD. */
export interface Taking {
  readonly meter: EngineMeter | 'cost_microusd';
  readonly quantity: number;
}

/** What is held of a meter, by language or by clip. */
export type HeldByPart = Readonly<Record<string, number>>;

export const sumOfHeld = (held: HeldByPart): number =>
  Object.values(held).reduce((sum, quantity) => sum + quantity, 0);

export interface QuotaServices {
  readonly usage: Usage;
  readonly all: Pick<AllJobs, 'find'>;
  readonly holdsOf: (metric: Metric) => QuotaHolds;
}

/**
 * A use of an engine, as it takes of the quota of its metric and of the budget. Throws quota_exceeded where there is a budget, and
 * nobody said what the engine costs.
 */
export function takingsOf(
  meter: EngineMeter,
  quantity: number,
  by: DoneBy | null,
  limits: Pick<Limits, 'quotas'>,
): Taking[] {
  const microusd = costOf(meter, quantity, by);
  if (microusd === null) {
    if (hasQuotaOf(limits, ['cost_microusd'])) throw unpriced(by!);
    return [{ meter, quantity }];
  }
  return [
    { meter, quantity },
    { meter: 'cost_microusd', quantity: microusd },
  ];
}

const unpriced = ({ engine }: DoneBy) =>
  new Problem(
    'quota_exceeded',
    `This tenant has a budget, and nobody said what ${engine} costs: the operator sets it in \`prices\` of the environment’s file.`,
  );

/**
 * What a job takes that uses an engine for each of its parts, and of that each part, which the job keeps: the text may grow until it runs.
 * Nothing is counted where nobody limits it.
 */
export async function takingsByPart(
  meter: EngineMeter,
  by: DoneBy | null,
  limits: Pick<Limits, 'quotas'>,
  count: () => Promise<HeldByPart>,
): Promise<{ readonly takes: readonly Taking[]; readonly held?: HeldByPart }> {
  if (!hasQuotaOf(limits, [meter, 'cost_microusd'])) return { takes: [] };
  const held = await count();
  return { takes: takingsOf(meter, sumOfHeld(held), by, limits), held };
}

/** Whether anybody limits one of them: nothing has to be looked up else. */
export const hasQuotaOf = ({ quotas }: Pick<Limits, 'quotas'>, names: readonly Meter[]): boolean =>
  names.some((meter) => quotas[meters[meter].metric] !== undefined);

/**
 * Throws quota_exceeded where the month has used a quota up, or the job would exceed it; nothing is read where there is none.
 * @returns gives back what is held, for a job that is not begun after all
 */
export async function holdQuotas(
  job: { readonly asset_id: AssetId; readonly job_id: JobId },
  takings: readonly Taking[],
  limits: Pick<Limits, 'quotas'>,
  now: Date,
  services: QuotaServices,
): Promise<() => Promise<void>> {
  const given: (() => Promise<void>)[] = [];
  const giveBack = async () => {
    await Promise.all(given.map((release) => release()));
  };
  try {
    for (const taking of takings) given.push(await hold(job, taking, limits, now, services));
  } catch (error) {
    await giveBack();
    throw error;
  }
  return giveBack;
}

async function hold(
  { asset_id, job_id }: { readonly asset_id: AssetId; readonly job_id: JobId },
  { meter, quantity }: Taking,
  { quotas }: Pick<Limits, 'quotas'>,
  now: Date,
  { usage, all, holdsOf }: QuotaServices,
): Promise<() => Promise<void>> {
  const { metric, per } = meters[meter];
  const quota = quotas[metric];
  if (quota === undefined) return async () => {};
  const takes = Math.ceil(quantity);
  const held = { asset_id, job_id, bytes: takes, since: Math.floor(now.getTime() / 1000) };
  const holds = holdsOf(metric);
  let used = 0;
  const mostOthers = async () => {
    const { metrics } = await usage.current(now);
    used = metrics.find((one) => one.metric === metric)?.quantity ?? 0;
    const left = Math.round((quota - used) * per);
    // A month that is used up has no room for nothing either.
    return { uploads: Number.MAX_SAFE_INTEGER, bytes: left - Math.max(1, takes) };
  };
  const ended = async (others: readonly (typeof held)[]) => {
    const found = await Promise.all(others.map((other) => all.find(other.job_id)));
    return others.filter((other, at) => {
      const job = found[at] ?? null;
      return job === null ? isAbandoned(other, held) : isTerminal(job.status);
    });
  };
  const others = await holds.hold(held, mostOthers, ended);
  if (others === null) return () => holds.release(held);
  const [theirs, ours] = [others.bytes, takes].map((count) => quantityOf(meter, count));
  throw new Problem(
    'quota_exceeded',
    `${metric} of this month is ${used}, and up to ${theirs} for jobs that are under way; up to ${ours} more would exceed the quota of this tenant, ${quota}.`,
  );
}
