/** The type of functions that do the work of a task. Each kind of resource has one. */
import type { Json, TaskState } from '../language.ts';
import type { Visit } from '../progress.ts';
import type { BeginsWith, Step } from '../run.ts';

/** A scheduled task. Repetitions have the same arguments and the same key. */
export type ScheduledTask = NonNullable<Visit['task']>;

/** Does the work of a task, and returns its result. Must be safe to repeat with the same idempotency key. */
export type Work = (
  step: Step<TaskState>,
  task: ScheduledTask,
  signal: AbortSignal,
  beginsWith: BeginsWith,
) => Promise<Json>;
