/** The stages of a try of the main job, in order, and how long the canary gives each. */

/** What anybody does with the API: `npm run doctor -- <env> --after` takes these, too. */
export const mainStages = ['Create', 'Upload', 'Processing', 'Subtitles', 'Delete'] as const;
export type MainStage = (typeof mainStages)[number];

/** Before them: a key of its own, and what runs that died have left. */
export const canaryStages = ['Key', 'Leftovers', ...mainStages] as const;
export type CanaryStage = (typeof canaryStages)[number];

const SECOND_MS = 1000;

/** Milliseconds. Together they end well before the function does (lib/jobs/schedules.ts). */
export const limitsMs: Readonly<Record<CanaryStage, number>> = {
  Key: 20 * SECOND_MS,
  Leftovers: 60 * SECOND_MS,
  Create: 30 * SECOND_MS,
  Upload: 60 * SECOND_MS,
  // A few seconds of sound take a minute or two, most of which an engine has it in its queue.
  Processing: 480 * SECOND_MS,
  Subtitles: 30 * SECOND_MS,
  Delete: 120 * SECOND_MS,
};

/** What asks for deletion at the end, once a stage has failed. */
export const AFTERWARDS_MS = 20 * SECOND_MS;

/** No run lasts longer: what is older than this was left by one that died. */
export const LONGEST_RUN_MS = 900 * SECOND_MS;

/** A key is of no use to anybody after that, even where its run died. */
export const KEY_LIVES_MS = LONGEST_RUN_MS + 300 * SECOND_MS;
