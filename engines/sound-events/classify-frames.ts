/** Music, applause or other noise: what a tenth of a second is taken for by what a second around it is like. */

import type { KindSpan } from '../../media/sound/find-sounds.ts';
import type { FrameMeasures, Measure } from '../../media/sound/frame-measures.ts';

/** What can be heard beside speech. */
export const voices = ['music', 'applause', 'noise'] as const;

/** Frames of 10 ms: a vote is cast each tenth of a second, on a second around it. */
export const STEP = 10;
const AROUND = 50;

/** The share of steady tones in the energy below 2 kHz from which on a sound is music, whatever else it is like … */
const TONAL = 0.3;
/** … unless it never changes, as a line-up tone: the mean difference to a tenth of a second before, dB. */
const MOVING_DB = 0.3;

/**
 * What applause is like: many short bursts, each of them noise of the hands. The bounds were laid around claps of 3 to
 * 300 people, made dry and in halls, and a recorded applause. Noise that only hisses has a flux of 2.3 dB, whatever its
 * colour, rain a centroid above 15, drums one that jumps.
 */
const applauseBounds: readonly { fact: Measure; of: 'mean' | 'deviation'; least: number; most: number }[] = [
  { fact: 'flux', of: 'mean', least: 2.47, most: 20 },
  { fact: 'drift', of: 'mean', least: 2.3, most: 5.5 },
  { fact: 'flatness', of: 'mean', least: -5, most: -1.3 },
  { fact: 'centroid', of: 'mean', least: 7, most: 12.5 },
  { fact: 'centroid', of: 'deviation', least: 0, most: 3.4 },
  { fact: 'hiss', of: 'mean', least: -15, most: -3 },
  { fact: 'voicing', of: 'mean', least: 0, most: 0.52 },
  { fact: 'tonality', of: 'mean', least: 0, most: 0.03 },
];

/** The index in `voices` that a frame's surroundings within [from, to) vote for. */
export type Vote = (frame: number, from: number, to: number) => number;

/** @param sounds what listening took for what, over all frames */
export function votesOn(facts: FrameMeasures, sounds: readonly KindSpan[]): Vote {
  const names = [...new Set(applauseBounds.map(({ fact }) => fact))];
  const sums = new Map(names.map((name) => [name, sumsOf(facts.column(name))]));
  const music = sumsOf(marked(sounds, facts.length));
  const tonality = sums.get('tonality')!;
  const drift = sums.get('drift')!;
  return (frame, first, end) => {
    const from = Math.max(first, frame - AROUND);
    const to = Math.min(end, frame + AROUND);
    const count = to - from;
    const isTonal = tonality.mean(from, to) >= TONAL && drift.mean(first, end) >= MOVING_DB;
    if (isTonal || music.mean(from, to) >= 0.5) return 0;
    const isApplause =
      count >= AROUND &&
      applauseBounds.every(({ fact, of, least, most }) => {
        const value = sums.get(fact)![of](from, to);
        return value >= least && value <= most;
      });
    return isApplause ? 1 : 2;
  };
}

function marked(sounds: readonly KindSpan[], length: number): Float32Array {
  const music = new Float32Array(length);
  for (const { from, to, kind } of sounds) if (kind === 'music') music.fill(1, from, to);
  return music;
}

/** Means and deviations of any stretch, from running sums. */
function sumsOf(values: Float32Array) {
  const sums = new Float64Array(values.length + 1);
  const squares = new Float64Array(values.length + 1);
  for (let at = 0; at < values.length; at++) {
    sums[at + 1] = sums[at]! + values[at]!;
    squares[at + 1] = squares[at]! + values[at]! ** 2;
  }
  const mean = (from: number, to: number) => (sums[to]! - sums[from]!) / Math.max(1, to - from);
  const deviation = (from: number, to: number) => {
    const square = (squares[to]! - squares[from]!) / Math.max(1, to - from);
    return Math.sqrt(Math.max(0, square - mean(from, to) ** 2));
  };
  return { mean, deviation };
}
