/** Classifies each tenth of a second as music, applause or noise. A vote looks at the second around it. */
import type { KindSpan } from '../../media/sound/find-sounds.ts';
import type { FrameMeasures, Measure } from '../../media/sound/frame-measures.ts';

export const kinds = ['music', 'applause', 'noise'] as const;

/** `STEP`: the distance between votes. `AROUND`: half the time that a vote looks at. Both are in frames of 10 ms. */
export const STEP = 10;
const AROUND = 50;

/** For music: the minimum share of steady tones in the energy below 2 kHz. */
const MIN_TONAL = 0.3;
/** For music: the minimum mean change within 100 ms, dB. A constant tone, such as a test tone, is not music. */
const MIN_MOVING_DB = 0.3;

/**
 * The ranges for applause, which consists of many short bursts of noise. They fit claps of 3 to 300 people, simulated with and
 * without reverb, and one recorded applause. They exclude steady noise (its flux is 2.3 dB), rain (its centroid is above 15) and
 * drums (their centroid jumps).
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

/** Returns the kind of a frame as an index in `kinds`. Uses only frames from `from` to `to`, exclusive. */
export type Classify = (frame: number, from: number, to: number) => number;

/** @param sounds the kinds of sound that the search for speech found */
export function classifier(facts: FrameMeasures, sounds: readonly KindSpan[]): Classify {
  const names = [...new Set(applauseBounds.map(({ fact }) => fact))];
  const sums = new Map(names.map((name) => [name, sumsOf(facts.column(name))]));
  const music = sumsOf(markMusic(sounds, facts.length));
  const tonality = sums.get('tonality')!;
  const drift = sums.get('drift')!;
  return (frame, first, end) => {
    const from = Math.max(first, frame - AROUND);
    const to = Math.min(end, frame + AROUND);
    const count = to - from;
    const isTonal = tonality.mean(from, to) >= MIN_TONAL && drift.mean(first, end) >= MIN_MOVING_DB;
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

function markMusic(sounds: readonly KindSpan[], length: number): Float32Array {
  const music = new Float32Array(length);
  for (const { from, to, kind } of sounds) if (kind === 'music') music.fill(1, from, to);
  return music;
}

/** Returns functions for the mean and standard deviation of any range, calculated from running sums. */
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
