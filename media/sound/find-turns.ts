/** Diarization: finds the parts of a recording that have the same voice. No voice is known in advance. */
import { mergeNeighbors } from '../../shared/merge-neighbors.ts';
import type { Interval, Turn } from '../../shared/sound.ts';
import { assignVoices } from './assign-voices.ts';
import { addTick, clusterVoices, emptyVoice, type Voice } from './cluster-voices.ts';
import { type SoundClasses, soundClasses } from './speech-sound-classes.ts';
import { type SpeechTicks, speechTicks } from './speech-ticks.ts';
import { TICK_MS, type VoiceShapes } from './voice-shapes.ts';

/** A voice is merged with the nearest one if it speaks for less than this share or `LEAST_MS`, but never from `MOST_IGNORED_MS` on. */
const LEAST_SHARE = 0.02;
const LEAST_MS = 2_500;
const MOST_IGNORED_MS = 20_000;
/** The minimum duration of a turn within an utterance. */
const SHORTEST_TURN_MS = 1_000;
/** The maximum number of voices. With more, some would be too similar to distinguish. */
const MOST_VOICES = 16;
/** The number of times that voices are estimated again, from the ticks that were assigned to them. */
const ROUNDS = 2;

/** Returns turns that cover each utterance without gap or overlap. Voices are numbered by their first turns. Yields the progress, 0 to 1. */
export function* findTurns(facts: VoiceShapes, utterances: readonly Interval[]): Generator<number, Turn[]> {
  const ticks = speechTicks(facts, utterances);
  const path = yield* pathOf(ticks);
  const runs = runsOf(ticks, path, utterances);
  return numbered(
    utterances.flatMap((utterance, i) =>
      smooth(runs[i]!.length > 0 ? runs[i]! : borrowed(runs, i, utterance)),
    ),
  );
}

/** Returns the voice of each tick. For the progress, the search for classes of sounds counts as one round. */
function* pathOf(ticks: SpeechTicks): Generator<number, Uint8Array<ArrayBuffer>> {
  if (ticks.count * TICK_MS < 2 * LEAST_MS) return new Uint8Array(ticks.count);
  const sounds = soundClasses(ticks);
  let voices = clusterVoices(voicesOfChunks(ticks, sounds), MOST_VOICES);
  for (let round = 0; round < ROUNDS; round++) {
    const path = yield* within(round + 1, assignVoices(ticks, sounds, lasting(voices)));
    voices = clusterVoices(voicesOfPath(ticks, sounds, path), MOST_VOICES);
  }
  return yield* within(ROUNDS + 1, assignVoices(ticks, sounds, lasting(voices)));
}

/** Converts the progress of one round to the progress of all rounds. */
function* within<T>(round: number, work: Generator<number, T>): Generator<number, T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    yield (round + step.value) / (ROUNDS + 2);
  }
}

function voicesOfChunks(ticks: SpeechTicks, sounds: SoundClasses): Voice[] {
  return ticks.chunks.map(({ from, to }) => {
    const voice = emptyVoice();
    for (let tick = from; tick < to; tick++) addTick(voice, tick, ticks, sounds);
    return voice;
  });
}

function voicesOfPath(ticks: SpeechTicks, sounds: SoundClasses, path: Uint8Array): Voice[] {
  const voices = new Map<number, Voice>();
  for (const [tick, place] of path.entries()) {
    if (!voices.has(place)) voices.set(place, emptyVoice());
    addTick(voices.get(place)!, tick, ticks, sounds);
  }
  return [...voices.values()];
}

function lasting(voices: readonly Voice[]): Voice[] {
  const speech_ms = voices.reduce((sum, { ticks }) => sum + ticks, 0) * TICK_MS;
  const least_ms = Math.min(MOST_IGNORED_MS, Math.max(LEAST_MS, LEAST_SHARE * speech_ms));
  const long = voices.filter(({ ticks }) => ticks * TICK_MS >= least_ms);
  return long.length > 0 ? long : voices.toSorted((one, other) => other.ticks - one.ticks).slice(0, 1);
}

/** Returns the turns of one voice that cover each utterance. A turn ends midway between two ticks. */
function runsOf(ticks: SpeechTicks, path: Uint8Array, utterances: readonly Interval[]): Turn[][] {
  const runs: Turn[][] = utterances.map(() => []);
  for (let tick = 0; tick < ticks.count; tick++) {
    const owner = ticks.utterances[tick]!;
    const { start_ms, end_ms } = utterances[owner]!;
    const last = runs[owner]!.at(-1);
    if (last?.voice === path[tick]) continue;
    const change_ms = ((ticks.times[tick]! + ticks.times[Math.max(0, tick - 1)]! + 1) / 2) * TICK_MS;
    if (last) last.end_ms = change_ms;
    runs[owner]!.push({ start_ms: last ? change_ms : start_ms, end_ms, voice: path[tick]! });
  }
  return runs;
}

/** Returns one turn for an utterance without ticks. Its voice is the previous voice, or else the first one. */
function borrowed(runs: readonly Turn[][], at: number, { start_ms, end_ms }: Interval): Turn[] {
  const heard =
    runs
      .slice(0, at)
      .findLast(({ length }) => length > 0)
      ?.at(-1) ?? runs.flat()[0];
  return [{ start_ms, end_ms, voice: heard?.voice ?? 0 }];
}

/** Merges each turn that is too short with the longer of its neighbors, starting with the shortest turn. */
function smooth(turns: readonly Turn[]): Turn[] {
  const length = (turn: Turn | undefined) => (turn ? turn.end_ms - turn.start_ms : 0);
  const shortest = turns.toSorted((one, other) => length(one) - length(other))[0]!;
  if (turns.length === 1 || length(shortest) >= SHORTEST_TURN_MS) return [...turns];
  const at = turns.indexOf(shortest);
  const [before, after] = [turns[at - 1], turns[at + 1]];
  const voice = length(before) >= length(after) ? before!.voice : after!.voice;
  return smooth(joined(turns.with(at, { ...shortest, voice })));
}

const joined = (turns: readonly Turn[]): Turn[] =>
  mergeNeighbors(turns, (last, { voice, end_ms }) => (last.voice === voice ? { ...last, end_ms } : null));

function numbered(turns: readonly Turn[]): Turn[] {
  const order = [...new Set(turns.map(({ voice }) => voice))];
  return turns.map((turn) => ({ ...turn, voice: order.indexOf(turn.voice) + 1 }));
}
