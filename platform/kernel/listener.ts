/**
 * The one way from an event of AWS to what hears it. Events may come twice, late, or in another order: what they tell of is
 * looked at anew. What fails is told again, and then left where people find it.
 */
import middy from '@middy/core';
import type { Named } from '../steps/define-step.ts';
import { type Counts, contextOf, countsTold, observed, type ScheduleContext } from './schedule.ts';
import type { Invocation } from './time-left.ts';

/** As far as it is read here. EventBridge User Guide, "Event structure". */
export interface HeardEvent<Detail> {
  readonly detail: Detail;
}

/** Makes the Lambda of a listener. */
export function listener<Detail, Done extends Counts>(
  { name }: Named,
  work: (detail: Detail, context: ScheduleContext) => Promise<Done>,
) {
  return middy<HeardEvent<Detail>, Done>()
    .use(observed<Done>('listener', name, countsTold))
    .handler(({ detail }, invocation: Invocation) => work(detail, contextOf(invocation)));
}
