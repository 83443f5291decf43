/** One run of the canary. It runs the main job with a temporary key, and measures each stage. */
import type { Kinora } from '../../../client/index.ts';
import type { Scope } from '../../../contract/kit/scopes.ts';
import type { ApiKeys } from '../../../platform/records/api-keys.ts';
import { asTenantId } from '../../../shared/ids.ts';
import type { Outcome } from '../rules/outcome.ts';
import { withTimeLimit, wordsOf } from '../rules/stage-failed.ts';
import { AFTERWARDS_MS, type CanaryStage, KEY_LIVES_MS, limitsMs, mainStages } from '../rules/stages.ts';
import { MainJob, type Tried } from './main-job.ts';
import { clearAssets, clearKeys } from './remove-leftovers.ts';

export const canaryTenant = asTenantId('kinora-canary');
export const canaryFile = 'kinora-canary.m4a';

const scopes: readonly Scope[] = ['assets:read', 'assets:write', 'jobs:read', 'transcripts:read'];

export interface CanaryServices extends Omit<Tried, 'kinora' | 'filename' | 'onProgress'> {
  readonly keys: Pick<ApiKeys, 'create' | 'list' | 'remove'>;
  readonly kinoraWith: (apiKey: string) => Kinora;
  readonly now: () => Date;
  /** Milliseconds. Default: `limitsMs`. */
  readonly limits?: Readonly<Record<CanaryStage, number>>;
}

/** Never throws. Failures are part of the outcome. */
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
    // If this fails, a later run removes the asset.
    await withTimeLimit(AFTERWARDS_MS, (signal) => job.abandon(signal)).catch(() => undefined);
    await stages.conclude('Key', () => keys.remove(made.key));
  }
  return { failed: stages.failed, took: stages.took, leftovers, ids };
}

/** Runs stages in order and measures them. After a failure, `take` runs no further stage. */
class Stages {
  readonly took: Partial<Record<CanaryStage, number>> = {};
  failed: Outcome['failed'] = null;
  readonly #limits: Readonly<Record<CanaryStage, number>>;

  constructor(limits: Readonly<Record<CanaryStage, number>>) {
    this.#limits = limits;
  }

  /** Runs a stage if none has failed. Undefined if the stage did not run or failed. */
  async take<Result>(
    stage: CanaryStage,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result | undefined> {
    return this.failed === null ? this.conclude(stage, work) : undefined;
  }

  /** Runs a stage even after a failure. Only the first failure is reported. */
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
