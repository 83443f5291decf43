/** Applies the options of `npm run keys -- limits` and `create`. Changes only the given limits. */
import type { ApiKeys } from '../../platform/records/api-keys.ts';
import type { TenantId } from '../../shared/ids.ts';
import { type Limits, meters, unlimited } from '../../shared/usage.ts';
import { Misuse } from '../deployment/failure.ts';

/** Options as typed. `none` removes a limit. */
interface NamedLimits {
  readonly 'requests-per-minute'?: string | undefined;
  readonly 'concurrent-jobs'?: string | undefined;
  /** `uploads=100,cost=none`; `none` removes all quotas. */
  readonly quotas?: string | undefined;
}

const NONE = 'none';

const metrics = Object.values(meters).map(({ metric }): string => metric);

/** Returns the changed limits. Null if no option is given. @throws Misuse for an unknown metric or an invalid number */
export function changedLimits(old: Limits, named: NamedLimits): Limits | null {
  const { 'requests-per-minute': requests, 'concurrent-jobs': jobs, quotas } = named;
  if ([requests, jobs, quotas].every((text) => text === undefined)) return null;
  return {
    requests_per_minute: limitOf('requests-per-minute', requests, old.requests_per_minute),
    concurrent_jobs: limitOf('concurrent-jobs', jobs, old.concurrent_jobs),
    quotas: quotas === undefined ? old.quotas : quotasOf(quotas, old.quotas),
  };
}

/**
 * The limits of a tenant that gets its first key in a deployed environment, so that its work costs at most 50 USD a month until the
 * operator decides otherwise.
 */
export const firstLimits: Limits = { requests_per_minute: 600, concurrent_jobs: 10, quotas: { cost: 50 } };

/** Returns the limits to set with a new key, or null to keep them. A tenant that has keys or limits keeps its limits. */
export async function limitsWithKey(
  keys: Pick<ApiKeys, 'limitsOf' | 'list'>,
  tenant: TenantId,
  named: NamedLimits,
): Promise<Limits | null> {
  const old = await keys.limitsOf(tenant);
  const isNew = old === unlimited && (await keys.list(tenant)).length === 0;
  return changedLimits(isNew ? firstLimits : old, named) ?? (isNew ? firstLimits : null);
}

function limitOf(option: string, text: string | undefined, old: number | null): number | null {
  if (text === undefined) return old;
  return text === NONE ? null : positive(option, text, `, or ${NONE}`);
}

function quotasOf(list: string, old: Limits['quotas']): Limits['quotas'] {
  if (list.trim() === NONE) return unlimited.quotas;
  const quotas = new Map<string, number>(Object.entries(old));
  for (const entry of list.split(',')) {
    const [metric = '', amount = ''] = entry.split('=').map((part) => part.trim());
    if (!metrics.includes(metric))
      throw new Misuse(
        `Unknown metric “${metric}”`,
        `--quotas METRIC=N,… with: ${metrics.join(', ')}; --quotas ${NONE} removes all`,
      );
    if (amount === NONE) quotas.delete(metric);
    else quotas.set(metric, positive(`quotas ${metric}=`, amount, `, or ${NONE}`));
  }
  return Object.fromEntries(quotas);
}

/** Parses a number above 0. @throws Misuse for other texts */
export function positive(option: string, text: string, otherwise = ''): number {
  const number = Number(text);
  if (Number.isFinite(number) && number > 0) return number;
  throw new Misuse(`--${option}: “${text}” is not valid`, `Pass a number above 0${otherwise}.`);
}
