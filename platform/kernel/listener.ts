/**
 * Makes Lambdas that receive AWS events. Events may arrive twice, late or in another order, so the handler reads the
 * current state. A failed event is retried, and then goes to the dead-letter queue.
 */
import middy from '@middy/core';
import type { Named } from '../steps/define-step.ts';
import { type Counts, contextOf, countsTold, observed, type ScheduleContext } from './schedule.ts';
import type { Invocation } from './time-left.ts';

/** The part of the event that is read here. EventBridge User Guide, "Event structure". */
export interface HeardEvent<Detail> {
  readonly detail: Detail;
}

export function listener<Detail, Done extends Counts>(
  { name }: Named,
  work: (detail: Detail, context: ScheduleContext) => Promise<Done>,
) {
  return middy<HeardEvent<Detail>, Done>()
    .use(observed<Done>('listener', name, countsTold))
    .handler(({ detail }, invocation: Invocation) => work(detail, contextOf(invocation)));
}
