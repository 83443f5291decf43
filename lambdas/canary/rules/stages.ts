/** The stages of a canary run, in order, and their time limits. */

/** The stages of the main job. `npm run doctor -- <env> --after` runs them too. */
export const mainStages = ['Create', 'Upload', 'Processing', 'Subtitles', 'Delete'] as const;
export type MainStage = (typeof mainStages)[number];

/** All stages. Before the main job, a run creates a key and removes leftovers of crashed runs. */
export const canaryStages = ['Key', 'Leftovers', ...mainStages] as const;
export type CanaryStage = (typeof canaryStages)[number];

const SECOND_MS = 1000;

/** Time limits, ms. Their sum is far below the time-out of the function (lambdas/canary/steps/canary.ts). */
export const limitsMs: Readonly<Record<CanaryStage, number>> = {
  Key: 20 * SECOND_MS,
  Leftovers: 60 * SECOND_MS,
  Create: 30 * SECOND_MS,
  Upload: 60 * SECOND_MS,
  // A few seconds of sound take a minute or two, mostly in the queue of an engine.
  Processing: 480 * SECOND_MS,
  Subtitles: 30 * SECOND_MS,
  Delete: 120 * SECOND_MS,
};

/** Time limit for requesting the deletion of the asset after a failure. */
export const AFTERWARDS_MS = 20 * SECOND_MS;

/** Maximum duration of a run. An older asset is from a crashed run. */
export const LONGEST_RUN_MS = 900 * SECOND_MS;

/** Lifetime of a key, so that it expires even if its run crashes. */
export const KEY_LIVES_MS = LONGEST_RUN_MS + 300 * SECOND_MS;
