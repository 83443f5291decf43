/** The work of a task, for each kind of resource. */

import type { Json, TaskState } from '../language.ts';
import type { Visit } from '../progress.ts';
import type { BeginsWith, Step } from '../run.ts';

/** A task that has been asked for: with the same arguments and key, however often. */
export type ScheduledTask = NonNullable<Visit['task']>;

/** Does a task's work, and gives its result. Must be safe to repeat with the same idempotency key. */
export type Work = (
  step: Step<TaskState>,
  task: ScheduledTask,
  signal: AbortSignal,
  beginsWith: BeginsWith,
) => Promise<Json>;
