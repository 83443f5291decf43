/** Clusters parts of a recording by voice. */
import { CLASSES, type SoundClasses } from './speech-sound-classes.ts';
import type { SpeechTicks } from './speech-ticks.ts';
import { SHAPE } from './voice-shapes.ts';

/** The statistics of a voice. For each class of sounds: the number of ticks, and the sum of their shapes relative to the mean of all voices. */
export type Voice = { ticks: number; counts: Float64Array; sums: Float64Array };

/**
 * The minimum distance between two different voices: the squared distance of their shapes, in deviations, as a mean over classes
 * and dimensions. Measured: two halves of one speaker's talk have a distance of up to 0.13, two speakers of at least 0.31
 * (docs/decisions/0032-speaker-diarization.md).
 */
const APART = 0.25;
/** The number of ticks that count as one independent observation, because neighboring ticks sound alike. */
const TICKS_ALIKE = 8;
/** The maximum number of voices that are compared at the same time: the chunks of 15 minutes. This limits memory and time. */
const AT_ONCE = 600;

export const emptyVoice = (): Voice => ({
  ticks: 0,
  counts: new Float64Array(CLASSES),
  sums: new Float64Array(CLASSES * SHAPE),
});

export function addTick(voice: Voice, tick: number, { shapes }: SpeechTicks, sounds: SoundClasses): void {
  const { classes, shares, means, scales } = sounds;
  voice.ticks += 1;
  for (let i = 2 * tick; i < 2 * tick + 2; i++) {
    const c = classes[i]!;
    const share = i % 2 === 0 ? shares[tick]! : 1 - shares[tick]!;
    voice.counts[c] = voice.counts[c]! + share;
    for (let d = 0; d < SHAPE; d++) {
      const at = c * SHAPE + d;
      voice.sums[at] = voice.sums[at]! + share * (shapes[tick * SHAPE + d]! - means[at]!) * scales[at]!;
    }
  }
}

/** Merges the given voices until all are different, and not more than `max` remain. Changes the given voices in place. */
export function clusterVoices(given: readonly Voice[], max: number): Voice[] {
  let voices = [...given];
  while (voices.length > AT_ONCE) {
    const blocks = Math.ceil(voices.length / AT_ONCE);
    const size = Math.ceil(voices.length / blocks);
    voices = Array.from({ length: blocks }, (_, block) =>
      agglomerate(voices.slice(block * size, (block + 1) * size), AT_ONCE / 4),
    ).flat();
  }
  return agglomerate(voices, max);
}

/**
 * Returns the evidence that two clusters are different voices. They are different if the evidence is above 0. The evidence is the
 * likelihood ratio of separate means in each class, minus the effect of chance, minus the distance that parts of one voice may have. The
 * last term grows with the number of ticks, like the first one. So an hour of one voice is not split. With a penalty only for parameters
 * (BIC), it would be split.
 */
function evidenceForTwo(one: Voice, other: Voice): number {
  let evidence = 0;
  for (let c = 0; c < CLASSES; c++) {
    const ones = one.counts[c]!;
    const others = other.counts[c]!;
    const shared = (ones * others) / (ones + others + 1e-9);
    if (shared < 0.5) continue;
    let apart = 0;
    for (let at = c * SHAPE; at < (c + 1) * SHAPE; at++) {
      const distance = one.sums[at]! / ones - other.sums[at]! / others;
      apart += distance * distance;
    }
    evidence += shared * (apart / SHAPE - APART) - TICKS_ALIKE;
  }
  return evidence;
}

/** Merges the two voices with the least evidence of a difference, until all are different and not more than `max`. */
function agglomerate(given: readonly Voice[], max: number): Voice[] {
  const voices: (Voice | null)[] = [...given];
  const evidence = voices.map((voice, i) =>
    Float32Array.from({ length: i }, (_, j) => evidenceForTwo(voice!, voices[j]!)),
  );
  /** For each voice, the index of the earlier voice that is most likely the same voice. */
  const nearest = voices.map((_, i) => leastIn(evidence[i]!));
  for (let left = voices.length; left > 1; left--) {
    let later = 1;
    for (let i = 1; i < voices.length; i++)
      if (valueAt(evidence, i, nearest[i]!) < valueAt(evidence, later, nearest[later]!)) later = i;
    const earlier = nearest[later]!;
    if (valueAt(evidence, later, earlier) > 0 && left <= max) break;
    join(voices[earlier]!, voices[later]!);
    voices[later] = null;
    nearest[later] = -1;
    evidence[later]!.fill(Number.POSITIVE_INFINITY);
    for (let i = 0; i < voices.length; i++) {
      const voice = voices[i];
      if (i > later) evidence[i]![later] = Number.POSITIVE_INFINITY;
      if (!voice || i === earlier) continue;
      evidence[Math.max(i, earlier)]![Math.min(i, earlier)] = evidenceForTwo(voice, voices[earlier]!);
    }
    for (let i = earlier; i < voices.length; i++) {
      if (!voices[i]) continue;
      const isChanged = i === earlier || nearest[i] === earlier || nearest[i] === later;
      if (isChanged) nearest[i] = leastIn(evidence[i]!);
      else if (valueAt(evidence, i, earlier) < valueAt(evidence, i, nearest[i]!)) nearest[i] = earlier;
    }
  }
  return voices.filter((voice) => voice !== null);
}

const valueAt = (evidence: readonly Float32Array[], i: number, j: number) =>
  j < 0 ? Number.POSITIVE_INFINITY : evidence[i]![j]!;

/** Returns the index of the lowest finite value, or -1. */
function leastIn(values: Float32Array): number {
  let least = -1;
  for (let j = 0; j < values.length; j++)
    if (values[j]! < (least < 0 ? Number.POSITIVE_INFINITY : values[least]!)) least = j;
  return least;
}

function join(into: Voice, voice: Voice): void {
  into.ticks += voice.ticks;
  for (let c = 0; c < CLASSES; c++) into.counts[c] = into.counts[c]! + voice.counts[c]!;
  for (let at = 0; at < into.sums.length; at++) into.sums[at] = into.sums[at]! + voice.sums[at]!;
}
