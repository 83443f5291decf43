/** Monthly cost of the canary. Each run costs as much as an ordinary job, and engines have a minimum price. */

import { type Capability, declarations } from '../../engines/declarations.ts';
import { choose, type Settings } from '../../engines/selection.ts';
import type { CanarySettings } from '../../lib/environments.ts';
import { type IdleLine, MINUTES_PER_MONTH } from './idle.ts';
import { awsPrices } from './price-list.ts';

/**
 * The least billed duration: Amazon Transcribe charges at least 15 seconds
 * (https://aws.amazon.com/transcribe/pricing/).
 */
const LEAST_MINUTES = 0.25;
/**
 * The least billed text: Amazon Comprehend charges at least 300 characters
 * (https://aws.amazon.com/comprehend/pricing/).
 */
const LEAST_CHARACTERS = 300;
/**
 * GB-seconds of one canary run: nine steps with cold starts, and the canary itself, which waits for two minutes at 256
 * MB. An estimate; it was not measured on AWS.
 */
const GB_SECONDS = 70;
/**
 * State transitions of one canary run. The local executor counts 30 for the job and its deletion. Each poll of
 * Transcribe takes 3.
 */
const TRANSITIONS = 50;
/** Metrics that the canary publishes in each hour with a successful run (lambdas/canary/rules/outcome.ts). */
const METRICS = 6;

/** @param settings engine settings, as in the functions of the environment */
export function canaryCosts(canary: CanarySettings | null | undefined, settings: Settings): IdleLine[] {
  if (!canary) return [];
  const tries = MINUTES_PER_MONTH / canary.everyMinutes;
  const line = (what: string, usd: number): IdleLine => ({
    what: `canary: ${what}`,
    count: tries,
    usd: tries * usd,
  });
  return [
    line('speech to text', LEAST_MINUTES * priceOf('transcription', settings)),
    line('text analysis', (LEAST_CHARACTERS / 1e6) * priceOf('text_analysis', settings)),
    line('steps', GB_SECONDS * awsPrices.lambdaGbSecond.usd),
    line('state machines', TRANSITIONS * awsPrices.stateTransition.usd),
    { what: 'canary: metrics', count: METRICS, usd: METRICS * awsPrices.metric.usd },
  ];
}

/** Returns 0 if there is no such engine, or if it is free. */
function priceOf(capability: Capability, settings: Settings): number {
  const choice = choose(capability, declarations[capability], settings);
  return choice.status === 'available' ? (choice.engine.price?.usd ?? 0) : 0;
}
