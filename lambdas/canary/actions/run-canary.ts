/** One run of the canary: the main job with a key that lives as long as the run, each stage measured. */
import type { Kinora } from '../../../client/index.ts';
import type { Scope } from '../../../contract/kit/scopes.ts';
import type { ApiKeys } from '../../../platform/records/api-keys.ts';
import { asTenantId } from '../../../shared/tenant.ts';
import type { Outcome } from '../rules/outcome.ts';
import { wordsOf } from '../rules/stage-failed.ts';
import { AFTERWARDS_MS, type CanaryStage, KEY_LIVES_MS, limitsMs, mainStages } from '../rules/stages.ts';
import { MainJob, type Tried } from './main-job.ts';
import { clearAssets, clearKeys } from './remove-leftovers.ts';
import { withTimeLimit } from './run-with-time-limit.ts';

/** What it does is counted as this tenant's. */
export const canaryTenant = asTenantId('kinora-canary');
export const canaryFile = 'kinora-canary.m4a';

const scopes: readonly Scope[] = ['assets:read', 'assets:write', 'jobs:read', 'transcripts:read'];

export interface CanaryServices extends Omit<Tried, 'kinora' | 'filename' | 'onProgress'> {
  readonly keys: Pick<ApiKeys, 'create' | 'list' | 'remove'>;
  readonly kinoraWith: (apiKey: string) => Kinora;
  readonly now: () => Date;
  /** Milliseconds; `limitsMs` when absent. */
  readonly limits?: Readonly<Record<CanaryStage, number>>;
}

/** Never throws: what goes wrong is what it is there to tell. */
export async function runCanary(services: CanaryServices): Promise<Outcome> {
  const { keys, kinoraWith, now } = services;
  const stages = new Stages(services.limits ?? limitsMs);
  let leftovers = 0;
  let ids: Outcome['ids'] = {};
  const made = await stages.take('Key', async () => {
    await clearKeys(keys, canaryTenant, now());
    const expiresAt = new Date(now().getTime() + KEY_LIVES_MS).toISOString();
    return keys.create({ tenant: canaryTenant, scopes, mode: 'test', name: 'canary', expiresAt }, now());
  });
  if (made !== undefined) {
    const kinora = kinoraWith(made.text);
    const job = new MainJob({ ...services, kinora, filename: canaryFile });
    leftovers =
      (await stages.take('Leftovers', (signal) => clearAssets(kinora, canaryFile, now(), signal))) ?? 0;
    for (const stage of mainStages) await stages.take(stage, (signal) => job.take(stage, signal));
    ids = job.ids;
    // What is left all the same, a later run finds.
    await withTimeLimit(AFTERWARDS_MS, (signal) => job.abandon(signal)).catch(() => undefined);
    await stages.conclude('Key', () => keys.remove(made.key));
  }
  return { failed: stages.failed, took: stages.took, leftovers, ids };
}

/** Stages that stand on each other: after one that failed, none is taken. */
class Stages {
  readonly took: Partial<Record<CanaryStage, number>> = {};
  failed: Outcome['failed'] = null;
  readonly #limits: Readonly<Record<CanaryStage, number>>;

  constructor(limits: Readonly<Record<CanaryStage, number>>) {
    this.#limits = limits;
  }

  /** Undefined where it was not taken, or failed. */
  async take<Result>(
    stage: CanaryStage,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result | undefined> {
    return this.failed === null ? this.conclude(stage, work) : undefined;
  }

  /** What has to be done however the stages before it ended. The first failure is the one that counts. */
  async conclude<Result>(
    stage: CanaryStage,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result | undefined> {
    const started = performance.now();
    try {
      const result = await withTimeLimit(this.#limits[stage], work);
      this.took[stage] = Math.round(performance.now() - started) + (this.took[stage] ?? 0);
      return result;
    } catch (error) {
      this.failed ??= { stage, says: wordsOf(error) };
      return undefined;
    }
  }
}
