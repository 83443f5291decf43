/** Assigns a voice to each tick of speech. */

import type { Voice } from './cluster-voices.ts';
import type { SoundClasses } from './speech-sound-classes.ts';
import type { SpeechTicks } from './speech-ticks.ts';
import { SHAPE } from './voice-shapes.ts';

/** The cost of a change of voice, in log likelihood: high within speech, lower in pauses and between utterances. */
const changeCosts = { flow: 30, pause: 18, utterance: 9 };
/** Number of ticks without speech that make a pause: longer than the closure of a "p". */
const PAUSE_TICKS = 8;
/**
 * A voice's own mean is estimated together with the mean of all voices, which has this weight in ticks (Gauvain and Lee
 * 1994).
 */
const PRIOR_TICKS = 10;

/** Progress is reported every time this many ticks are done: ten minutes of speech. */
const REPORT_EVERY = 30_000;

/** Returns the likeliest voice of each tick, as its index in `voices` (Viterbi 1967). Yields the progress, 0 to 1. */
export function* assignVoices(
  ticks: SpeechTicks,
  sounds: SoundClasses,
  voices: readonly Voice[],
): Generator<number, Uint8Array<ArrayBuffer>> {
  const count = voices.length;
  const means = voices.map(adaptedMeans);
  const before = new Uint8Array(ticks.count * count);
  const shape = new Float64Array(2 * SHAPE);
  let scores = new Float64Array(count);
  let next = new Float64Array(count);
  for (let tick = 0; tick < ticks.count; tick++) {
    if (tick % REPORT_EVERY === 0) yield tick / ticks.count;
    const best = largestOf(scores);
    const changed = scores[best]! - changeCost(ticks, tick);
    const share = sounds.shares[tick]!;
    const [first, second] = [sounds.classes[2 * tick]!, sounds.classes[2 * tick + 1]!];
    place(ticks, tick, first, sounds, shape, 0);
    place(ticks, tick, second, sounds, shape, SHAPE);
    for (let voice = 0; voice < count; voice++) {
      const changes = changed > scores[voice]!;
      before[tick * count + voice] = changes ? best : voice;
      const far = share * farness(shape, 0, means[voice]!, first);
      const rest = (1 - share) * farness(shape, SHAPE, means[voice]!, second);
      next[voice] = (changes ? changed : scores[voice]!) - (far + rest) / 2;
    }
    [scores, next] = [next, scores];
  }
  const path = new Uint8Array(ticks.count);
  let voice = largestOf(scores);
  for (let tick = ticks.count - 1; tick >= 0; tick--) {
    path[tick] = voice;
    voice = before[tick * count + voice]!;
  }
  return path;
}

const adaptedMeans = ({ counts, sums }: Voice) =>
  sums.map((sum, at) => sum / (counts[Math.floor(at / SHAPE)]! + PRIOR_TICKS));

function changeCost({ times, utterances }: SpeechTicks, tick: number): number {
  if (tick === 0 || utterances[tick] !== utterances[tick - 1]) return changeCosts.utterance;
  return times[tick]! - times[tick - 1]! > PAUSE_TICKS ? changeCosts.pause : changeCosts.flow;
}

/** Writes the shape of a tick to `out`, in deviations from the mean of all voices for this class of sounds. */
function place(
  { shapes }: SpeechTicks,
  tick: number,
  sound: number,
  { means, scales }: SoundClasses,
  out: Float64Array,
  from: number,
): void {
  for (let d = 0; d < SHAPE; d++) {
    const at = sound * SHAPE + d;
    out[from + d] = (shapes[tick * SHAPE + d]! - means[at]!) * scales[at]!;
  }
}

function farness(shape: Float64Array, from: number, means: Float64Array, sound: number): number {
  let sum = 0;
  for (let d = 0; d < SHAPE; d++) {
    const away = shape[from + d]! - means[sound * SHAPE + d]!;
    sum += away * away;
  }
  return sum;
}

function largestOf(values: Float64Array): number {
  let largest = 0;
  for (let i = 1; i < values.length; i++) if (values[i]! > values[largest]!) largest = i;
  return largest;
}
