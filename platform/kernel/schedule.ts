/**
 * The one way from the clock to what it runs. A run belongs to no tenant, has no caller and is not repeated: what it
 * leaves undone, the next one finds. What is told of it becomes metrics.
 */
import middy from '@middy/core';
import { clock } from '../runtime/clock.ts';
import type { Named } from '../steps/define-step.ts';
import { describeError, log, logWithMetrics, type Metric } from './log.ts';
import { type Invocation, timeLeft } from './time-left.ts';

export interface ScheduleContext {
  readonly now: () => Date;
  readonly newId: () => string;
  /** Milliseconds until Lambda ends this invocation. */
  readonly leftMs: () => number;
}

/** How many things were done, by kind. */
export type Counts = Readonly<Record<string, number>>;

/** What is told of a run: metrics, and fields of the same line. */
export interface Told {
  readonly metrics: readonly Metric[];
  readonly fields?: Readonly<Record<string, unknown>>;
}

/**
 * Makes the Lambda of a schedule. What EventBridge sends says when it was due and no more, so `work` is not told.
 * @param tell what of its result is told: `countsTold` for counts
 */
export function schedule<Done extends object>(
  { name }: Named,
  work: (context: ScheduleContext) => Promise<Done>,
  tell: (done: Done) => Told,
) {
  return middy<object, Done>()
    .use(observed('schedule', name, tell))
    .handler((_, invocation: Invocation) => work(contextOf(invocation)));
}

/** What a run is told whose invocation is no request and no step. */
export const contextOf = (invocation: Invocation): ScheduleContext => ({
  now: clock.now,
  newId: clock.newId,
  leftMs: timeLeft(invocation),
});

/** Logs each run of what no caller waits for, and what is told of it. */
export const observed = <Done extends object>(
  kind: 'schedule' | 'listener',
  name: string,
  tell: (done: Done) => Told,
) => {
  let started = 0;
  const report = (outcome: 'done' | 'failed', { metrics, fields }: Told) =>
    logWithMetrics(kind, metrics, {
      ...{ [kind]: name, outcome, duration_ms: Math.round(performance.now() - started) },
      ...fields,
    });
  return {
    before: () => {
      started = performance.now();
    },
    after: ({ response }: { response: Done | null }) =>
      report('done', response === null ? { metrics: [] } : tell(response)),
    onError: ({ error }: { error: Error | null }) => {
      log('error', 'unexpected error', { [kind]: name, ...describeError(error) });
      report('failed', { metrics: [] });
    },
  };
};

/**
 * `{ events: 2, jobs: 0 }` becomes the metric `Events`: what is nothing is not published, for a metric is billed for each
 * hour in which it has a value.
 */
export const countsTold = (counts: Counts): Told => ({
  metrics: Object.entries(counts)
    .filter(([, value]) => value !== 0)
    .map(([kind, value]) => count(capitalised(kind), value)),
});

const count = (name: string, value: number): Metric => ({ name, unit: 'Count', value });

const capitalised = (kind: string) => kind.charAt(0).toUpperCase() + kind.slice(1);
