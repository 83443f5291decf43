/**
 * Makes Lambdas that run on a schedule. A run belongs to no tenant, has no caller and is not retried: the next run
 * finds the remaining work. The report of a run becomes metrics.
 */
import middy from '@middy/core';
import { clock } from '../runtime/clock.ts';
import { describeError, log, logWithMetrics, type Metric } from '../runtime/log.ts';
import type { Named } from '../steps/define-step.ts';
import { type Invocation, timeLeft } from './time-left.ts';

export interface ScheduleContext {
  readonly now: () => Date;
  readonly newId: () => string;
  /** Milliseconds until Lambda ends this invocation. */
  readonly leftMs: () => number;
}

/** Numbers of completed things, by kind. */
export type Counts = Readonly<Record<string, number>>;

/** The report of a run: metrics, and fields of the same log line. */
export interface Told {
  readonly metrics: readonly Metric[];
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Makes the Lambda of a schedule. The event contains only the due time, so `work` does not receive it. */
export function schedule<Done extends object>(
  { name }: Named,
  work: (context: ScheduleContext) => Promise<Done>,
  tell: (done: Done) => Told,
) {
  return middy<object, Done>()
    .use(observed('schedule', name, tell))
    .handler((_, invocation: Invocation) => work(contextOf(invocation)));
}

/** The context of an invocation that is neither a request nor a step. */
export const contextOf = (invocation: Invocation): ScheduleContext => ({
  now: clock.now,
  newId: clock.newId,
  leftMs: timeLeft(invocation),
});

/** Logs each run of a Lambda without a caller, with its report. */
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
 * `{ events: 2, jobs: 0 }` becomes the metric `Events`. A count of 0 is not published, because CloudWatch bills a
 * metric for each hour with a value.
 */
export const countsTold = (counts: Counts): Told => ({
  metrics: Object.entries(counts)
    .filter(([, value]) => value !== 0)
    .map(([kind, value]) => count(capitalised(kind), value)),
});

const count = (name: string, value: number): Metric => ({ name, unit: 'Count', value });

const capitalised = (kind: string) => kind.charAt(0).toUpperCase() + kind.slice(1);
