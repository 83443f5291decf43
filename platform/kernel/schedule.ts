/**
 * The one way from the clock to what it runs. A run belongs to no tenant, has no caller and is not repeated: what it
 * leaves undone, the next one finds. It counts what it did, and the counts become metrics.
 */
import middy from '@middy/core';
import { clock } from '../runtime/clock.ts';
import { describeError, log, logWithMetrics, type Metric } from './log.ts';

export interface ScheduleContext {
  readonly now: () => Date;
  readonly newId: () => string;
}

/** How many things were done, by kind: `{ events: 2, jobs: 0 }` becomes the metrics `Events` and `Jobs`. */
export type Counts = Readonly<Record<string, number>>;

/** Makes the Lambda of a schedule. What EventBridge sends says when it was due and no more, so `work` is not told. */
export function schedule<Done extends Counts>(
  name: string,
  work: (context: ScheduleContext) => Promise<Done>,
) {
  return middy<object, Done>()
    .use(observed('schedule', name))
    .handler(() => work({ now: clock.now, newId: clock.newId }));
}

/** Logs each run of what no caller waits for, and its counts as metrics. */
export const observed = (kind: 'schedule' | 'listener', name: string) => {
  let started = 0;
  const report = (outcome: 'done' | 'failed', counts: Counts) =>
    logWithMetrics(
      kind,
      [
        // What is nothing is not published: a metric is billed for each hour in which it has a value.
        ...Object.entries(counts)
          .filter(([, value]) => value !== 0)
          .map(([kind, value]) => count(capitalised(kind), value)),
      ],
      { [kind]: name, outcome, duration_ms: Math.round(performance.now() - started) },
    );
  return {
    before: () => {
      started = performance.now();
    },
    after: ({ response }: { response: Counts | null }) => report('done', response ?? {}),
    onError: ({ error }: { error: Error | null }) => {
      log('error', 'unexpected error', { [kind]: name, ...describeError(error) });
      report('failed', {});
    },
  };
};

const count = (name: string, value: number): Metric => ({ name, unit: 'Count', value });

const capitalised = (kind: string) => kind.charAt(0).toUpperCase() + kind.slice(1);
