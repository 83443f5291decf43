/** Assigns a voice to each tick of speech. */
import type { Voice } from './cluster-voices.ts';
import { createLikeliestPath } from './likeliest-path.ts';
import type { SoundClasses } from './speech-sound-classes.ts';
import type { SpeechTicks } from './speech-ticks.ts';
import { SHAPE } from './voice-shapes.ts';

/** The cost of a change of voice, as log likelihood. `flow`: within speech. `pause`: in a pause. `utterance`: between utterances. */
const changeCosts = { flow: 30, pause: 18, utterance: 9 };
/** The minimum number of ticks without speech in a pause. It is longer than the closure of a "p". */
const PAUSE_TICKS = 8;
/** A voice's mean is estimated from its own ticks and the mean of all voices. The latter counts as much as this many ticks (Gauvain and Lee 1994). */
const PRIOR_TICKS = 10;

/** Progress is reported each time this many ticks are done: ten minutes of speech. */
const REPORT_EVERY = 30_000;

/** Returns the most likely voice of each tick, as its index in `voices`. Yields the progress, 0 to 1. */
export function* assignVoices(ticks: SpeechTicks, sounds: SoundClasses, voices: readonly Voice[]) {
  const means = voices.map(adaptedMeans);
  const path = createLikeliestPath(ticks.count, voices.length);
  const evidence = new Float64Array(voices.length);
  const shape = new Float64Array(2 * SHAPE);
  const [byFirst, bySecond] = [shape.subarray(0, SHAPE), shape.subarray(SHAPE)];
  for (let tick = 0; tick < ticks.count; tick++) {
    if (tick % REPORT_EVERY === 0) yield tick / ticks.count;
    const share = sounds.shares[tick]!;
    const [first, second] = [sounds.classes[2 * tick]!, sounds.classes[2 * tick + 1]!];
    const own = ticks.shapes.subarray(tick * SHAPE, (tick + 1) * SHAPE);
    place(own, first, sounds, byFirst);
    place(own, second, sounds, bySecond);
    for (let voice = 0; voice < voices.length; voice++) {
      const far = share * farness(shape, 0, means[voice]!, first);
      const rest = (1 - share) * farness(shape, SHAPE, means[voice]!, second);
      evidence[voice] = -(far + rest) / 2;
    }
    path.add(evidence, changeCost(ticks, tick));
  }
  return path.end();
}

const adaptedMeans = ({ counts, sums }: Voice) =>
  sums.map((sum, at) => sum / (counts[Math.floor(at / SHAPE)]! + PRIOR_TICKS));

function changeCost({ times, utterances }: SpeechTicks, tick: number): number {
  if (tick === 0 || utterances[tick] !== utterances[tick - 1]) return changeCosts.utterance;
  return times[tick]! - times[tick - 1]! > PAUSE_TICKS ? changeCosts.pause : changeCosts.flow;
}

/** Writes a tick's shape to `out`, relative to its class of sounds: the distance from the mean, in standard deviations. */
function place(shape: Float32Array, sound: number, { means, scales }: SoundClasses, out: Float64Array): void {
  for (let d = 0; d < SHAPE; d++) {
    const at = sound * SHAPE + d;
    out[d] = (shape[d]! - means[at]!) * scales[at]!;
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
