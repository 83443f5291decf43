/** Classifies sound as speech, music or noise, from windows of two seconds and their neighbors. */

import type { FrameMeasures } from './frame-measures.ts';
import { bias, weights } from './kind-weights.ts';
import { createFeatures, featureNames, STEP } from './window-features.ts';

/** The kinds of sound besides silence. */
export const heardKinds = ['speech', 'music', 'noise'] as const;
const KINDS = heardKinds.length;

/** The most that one window counts against a kind (natural logarithm of the kind's probability). */
const MOST = 4;
/** Windows overlap, so only this share of each is new information. */
const NEWS = 0.25;
/** The cost of a change of kind. It is lower in silence. */
const CHANGE = 4;
const CHANGE_IN_PAUSE = 1.5;

/** Progress is reported every time this many steps are done: a minute of sound, a tenth of a second of work. */
const REPORT_EVERY = 300;

/**
 * Returns the index of the likeliest kind for each step of 200 ms. Yields the progress, 0 to 1.
 * @param heard for each frame, 1 if something is heard
 */
export function* classifySound(facts: FrameMeasures, heard: Uint8Array): Generator<number, Uint8Array> {
  const count = Math.ceil(facts.length / STEP);
  const evidence = new Float32Array(count * KINDS);
  const changes = new Float32Array(count);
  const features = createFeatures(facts);
  const row = new Float32Array(featureNames.length);
  for (let step = 0; step < count; step++) {
    if (step % REPORT_EVERY === 0) yield step / count;
    const isHeard = heard.subarray(step * STEP, (step + 1) * STEP).includes(1);
    changes[step] = isHeard ? CHANGE : CHANGE_IN_PAUSE;
    if (features(step * STEP + STEP / 2, row))
      weigh(row, evidence.subarray(step * KINDS, (step + 1) * KINDS));
  }
  return likeliest(evidence, changes);
}

/** Multinomial logistic regression: the logarithm of each kind's probability. */
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

/** Finds the sequence with the most evidence, minus the cost of its changes (Viterbi 1967). */
function likeliest(evidence: Float32Array, changes: Float32Array): Uint8Array {
  const count = changes.length;
  const from = new Uint8Array(count * KINDS);
  let scores = [0, 0, 0];
  for (let step = 0; step < count; step++) {
    const best = scores.indexOf(Math.max(...scores));
    const changed = scores[best]! - changes[step]!;
    scores = scores.map((score, kind) => {
      const stays = score >= changed;
      from[step * KINDS + kind] = stays ? kind : best;
      return (stays ? score : changed) + evidence[step * KINDS + kind]!;
    });
  }
  const kinds = new Uint8Array(count);
  let kind = scores.indexOf(Math.max(...scores));
  for (let step = count - 1; step >= 0; step--) {
    kinds[step] = kind;
    kind = from[step * KINDS + kind]!;
  }
  return kinds;
}
