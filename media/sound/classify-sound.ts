/** Classifies sound as speech, music or noise, in windows of two seconds that affect each other. */
import type { FrameMeasures } from './frame-measures.ts';
import { bias, featureNames, weights } from './kind-weights.ts';
import { createLikeliestPath } from './likeliest-path.ts';
import { createFeatures, STEP } from './window-features.ts';

export const heardKinds = ['speech', 'music', 'noise'] as const;
const KINDS = heardKinds.length;

/** The maximum evidence of one window against a kind, as a natural logarithm of its probability. */
const MOST = 4;
/** The weight of a window. Windows overlap, so only this share of the information in a window is new. */
const NEWS = 0.25;
/** The cost of a change of kind. `CHANGE`: in sound. `CHANGE_IN_PAUSE`: in silence. */
const CHANGE = 4;
const CHANGE_IN_PAUSE = 1.5;

/** Progress is reported each time this many steps are done: a minute of sound, which takes a tenth of a second. */
const REPORT_EVERY = 300;

/** Returns the most likely kind for each step of 200 ms. Yields the progress, 0 to 1. @param heard 1 for each audible frame */
export function* classifySound(facts: FrameMeasures, heard: Uint8Array): Generator<number, Uint8Array> {
  const count = Math.ceil(facts.length / STEP);
  const path = createLikeliestPath(count, KINDS);
  const features = createFeatures(facts);
  const row = new Float32Array(featureNames.length);
  for (let step = 0; step < count; step++) {
    if (step % REPORT_EVERY === 0) yield step / count;
    const isHeard = heard.subarray(step * STEP, (step + 1) * STEP).includes(1);
    const evidence = new Float32Array(KINDS);
    if (features(step * STEP + STEP / 2, row)) weigh(row, evidence);
    path.add(evidence, isHeard ? CHANGE : CHANGE_IN_PAUSE);
  }
  return path.end();
}

/** Writes the logarithm of the probability of each kind, by multinomial logistic regression. */
function weigh(row: Float32Array, out: Float32Array): void {
  out.set(bias);
  for (const [i, name] of featureNames.entries()) {
    const { mean, deviation, ...weight } = weights[name];
    const value = Math.max(-4, Math.min(4, (row[i]! - mean) / deviation));
    for (let kind = 0; kind < KINDS; kind++) out[kind]! += value * weight[heardKinds[kind]!];
  }
  const most = Math.max(...out);
  const total = most + Math.log(out.reduce((sum, value) => sum + Math.exp(value - most), 0));
  for (let kind = 0; kind < KINDS; kind++) out[kind] = Math.max(-MOST, out[kind]! - total) * NEWS;
}
