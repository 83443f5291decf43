/** Says of each word who spoke it, where voices were told apart on the sound. */
import type { Word } from '../../../../shared/segments.ts';
import type { Turn } from '../../../../shared/sound.ts';

/** Between words that are closer to each other nobody else has had time to speak. */
const PAUSE_MS = 300;
/** Changes of voice are found to about half a second. */
const REACH_MS = 500;
/** What the end of a sentence says for a change of voice, as if the pause there were longer. */
const SENTENCE_END_MS = 300;
/** So much longer a pause must be to be where the voice changes. */
const LONGER_MS = 150;

/**
 * The words, in order, under "Speaker 1", "Speaker 2" …: each under the voice of the turn that it shares most
 * of its time with, or of the nearest one. A word whose engine named a speaker keeps it. Where a single voice
 * is heard, all words are Speaker 1's: a label that can be named is there in either case.
 *
 * Turns are less exact than words: a single word does not change voice in the flow of speech, and a change
 * moves to the pause or sentence end that is nearby.
 *
 * @param turns in order, without overlap; where there are none, the words stay as they are.
 */
export function withVoices(words: readonly Word[], turns: readonly Turn[]): Word[] {
  if (turns.length === 0) return [...words];
  const heard = words.map((word) => (word.speaker === undefined ? turnOf(word, turns).voice : null));
  const voices = atPauses(words, withoutFlicker(words, heard));
  return words.map((word, i) => (voices[i] === null ? word : { ...word, speaker: `Speaker ${voices[i]}` }));
}

/** The turn that shares most of a word's time, or is nearest to it. */
function turnOf(word: Word, turns: readonly Turn[]): Turn {
  const shared = (turn: Turn) => Math.min(word.end_ms, turn.end_ms) - Math.max(word.start_ms, turn.start_ms);
  const first = Math.max(0, firstEndingAfter(word.start_ms, turns) - 1);
  let best = turns[first]!;
  for (let i = first + 1; i < turns.length && turns[i - 1]!.start_ms < word.end_ms; i++)
    if (shared(turns[i]!) > shared(best)) best = turns[i]!;
  return best;
}

function firstEndingAfter(at_ms: number, turns: readonly Turn[]): number {
  let from = 0;
  let to = turns.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (turns[middle]!.end_ms > at_ms) to = middle;
    else from = middle + 1;
  }
  return from;
}

type Voices = readonly (number | null)[];

/** A word between two of another voice, close to both of them, is that voice's. */
function withoutFlicker(words: readonly Word[], voices: Voices): Voices {
  return voices.map((voice, i) => {
    const [before, after] = [voices[i - 1], voices[i + 1]];
    const isBetween = voice !== null && typeof before === 'number' && before === after && before !== voice;
    const isClose = isBetween && pauseBefore(words, i) < PAUSE_MS && pauseBefore(words, i + 1) < PAUSE_MS;
    return isClose ? before : voice;
  });
}

/** Each change of voice at the longest pause within reach, if that is clearly longer than where it was found. */
function atPauses(words: readonly Word[], voices: Voices): Voices {
  const moved = [...voices];
  let settled = 0;
  for (let at = 1; at < words.length; at++) {
    const [before, after] = [moved[at - 1]!, moved[at]!];
    if (before === after || typeof before !== 'number' || typeof after !== 'number') continue;
    const place = bestPlace(words, moved, at, settled);
    moved.fill(before, at, Math.max(at, place));
    moved.fill(after, Math.min(at, place), at);
    at = Math.max(at, place);
    settled = place;
  }
  return moved;
}

/** Before which word a change that was found before word `at` belongs; after word `settled` in any case. */
function bestPlace(words: readonly Word[], voices: Voices, at: number, settled: number): number {
  const found_ms = words[at]!.start_ms;
  let best = at;
  const weigh = (place: number) => {
    const advantage = place === at ? 0 : LONGER_MS;
    if (breakAt(words, place) - advantage > breakAt(words, best) - (best === at ? 0 : LONGER_MS))
      best = place;
  };
  for (let i = at - 1; i > settled && voices[i - 1] === voices[at - 1]; i--) {
    if (found_ms - words[i]!.start_ms > REACH_MS) break;
    weigh(i);
  }
  for (let i = at + 1; i < words.length && voices[i] === voices[at]; i++) {
    if (words[i - 1]!.end_ms - found_ms > REACH_MS) break;
    weigh(i);
  }
  return best;
}

const pauseBefore = (words: readonly Word[], at: number) => words[at]!.start_ms - words[at - 1]!.end_ms;

const breakAt = (words: readonly Word[], at: number) =>
  pauseBefore(words, at) + (/[.!?。？！]["'”’)]*$/u.test(words[at - 1]!.text) ? SENTENCE_END_MS : 0);
