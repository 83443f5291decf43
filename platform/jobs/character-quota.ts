/**
 * What a job will take of a quota of characters, held from its request until it has ended and is metered, so that jobs which are
 * asked for at once do not exceed it together.
 */
import type { AssetId, JobId } from '../shared/ids.ts';
import { isTerminal } from '../shared/jobs.ts';
import type { Limits } from '../shared/limits.ts';
import { Problem } from '../shared/problems.ts';
import type { QuotaHolds } from '../usage/holds.ts';
import type { Usage } from '../usage/records.ts';
import type { AllJobs } from './records.ts';
import { isAbandoned } from './slots.ts';

export type CharacterMetric = 'translated_characters' | 'spoken_characters';

export interface Characters {
  readonly metric: CharacterMetric;
  readonly characters: number;
}

export interface QuotaServices {
  readonly usage: Usage;
  readonly all: Pick<AllJobs, 'find'>;
  readonly holdsOf: (metric: CharacterMetric) => QuotaHolds;
}

export const hasCharacterQuota = ({ quotas }: Limits, metric: CharacterMetric): boolean =>
  quotas[metric] !== undefined;

/**
 * Throws quota_exceeded where the month has used the quota up, or the job would exceed it; nothing is read where there is none.
 * @returns gives back what is held, for a job that is not begun after all
 */
export async function holdCharacters(
  { asset_id, job_id }: { readonly asset_id: AssetId; readonly job_id: JobId },
  { metric, characters }: Characters,
  limits: Limits,
  now: Date,
  { usage, all, holdsOf }: QuotaServices,
): Promise<() => Promise<void>> {
  const quota = limits.quotas[metric];
  if (quota === undefined) return async () => {};
  const held = { asset_id, job_id, bytes: characters, since: Math.floor(now.getTime() / 1000) };
  const holds = holdsOf(metric);
  let used = 0;
  const mostOthers = async () => {
    const { metrics } = await usage.current(now);
    used = metrics.find((one) => one.metric === metric)?.quantity ?? 0;
    // A month that is used up has no room for nothing either.
    return { uploads: Number.MAX_SAFE_INTEGER, bytes: quota - used - Math.max(1, characters) };
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
  throw new Problem(
    'quota_exceeded',
    `${metric} of this month is ${used}, and up to ${others.bytes} for jobs that are under way; up to ${characters} more would exceed the quota of this tenant, ${quota}.`,
  );
}
