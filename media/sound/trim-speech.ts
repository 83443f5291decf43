/** Removes the silence around speech. */

/** Samples this far below the loudest sample count as silence. Breath and the ends of words are louder. */
const DEPTH_DB = 50;
/** The duration of silence that is kept on both sides, because consonants begin softly. */
const KEPT_MS = 10;
/** The length of the fades at both ends, which prevent clicks. */
const FADE_MS = 4;

export function trimSpeech(samples: Int16Array, rate: number): Int16Array {
  const loudest = peakOf(samples);
  if (loudest === 0) return new Int16Array(0);
  const least = Math.max(1, loudest * 10 ** (-DEPTH_DB / 20));
  const isHeard = (sample: number) => Math.abs(sample) >= least;
  const kept = Math.round((KEPT_MS * rate) / 1000);
  const from = Math.max(0, samples.findIndex(isHeard) - kept);
  const to = Math.min(samples.length, samples.findLastIndex(isHeard) + 1 + kept);
  return fadeEnds(samples.slice(from, to), Math.round((FADE_MS * rate) / 1000));
}

/** Returns the level of the loudest sample, 0 to 32,768. */
export function peakOf(samples: Int16Array): number {
  let peak = 0;
  for (let at = 0; at < samples.length; at++) peak = Math.max(peak, Math.abs(samples[at]!));
  return peak;
}

/** Fades both ends, or only the last end, over `length` samples. Changes the samples in place. */
export function fadeEnds(samples: Int16Array, length: number, ends: 'both' | 'end' = 'both'): Int16Array {
  const reach = Math.min(length, samples.length >> 1);
  for (let at = 0; at < reach; at++) {
    const gain = (at + 1) / (reach + 1);
    if (ends === 'both') samples[at] = Math.round(samples[at]! * gain);
    const last = samples.length - 1 - at;
    samples[last] = Math.round(samples[last]! * gain);
  }
  return samples;
}
