/** Assigns a speaker to each word. The voices were distinguished by their sound. */
import { itemAt } from '../../../../shared/checked-access.ts';
import type { Word } from '../../../../shared/segments.ts';
import { firstEndingAfter, type Turn } from '../../../../shared/sound.ts';

/** In a pause shorter than this, no one else can have spoken. */
const PAUSE_MS = 300;
/** A detected change of voice can be wrong by this much, so it moves at most this far. */
const REACH_MS = 500;
/** The end of a sentence counts as this much additional pause, because a change of voice is likely there. */
const SENTENCE_END_MS = 300;
/** A change of voice moves to another pause only if that pause is longer by more than this. */
const LONGER_MS = 150;

/**
 * Labels the words "Speaker 1", "Speaker 2" and so on. Each word gets the voice of the turn that overlaps it most, or
 * of the nearest turn. If the engine named a speaker, the word keeps that speaker. With a single voice, all words
 * belong to Speaker 1, so that callers have a label to name.
 *
 * Turns are less exact than words. In fluent speech, a single word does not change voice. A change of voice moves to a
 * pause or sentence end nearby.
 *
 * @param turns in order, without overlap. Without turns, the words stay as they are.
 */
export function withVoices(words: readonly Word[], turns: readonly Turn[]): Word[] {
  if (turns.length === 0) return [...words];
  const heard = words.map((word) => (word.speaker === undefined ? turnOf(word, turns).voice : null));
  const voices = atPauses(words, withoutFlicker(words, heard));
  return words.map((word, i) => (voices[i] === null ? word : { ...word, speaker: `Speaker ${voices[i]}` }));
}

function turnOf(word: Word, turns: readonly Turn[]): Turn {
  const shared = (turn: Turn) => Math.min(word.end_ms, turn.end_ms) - Math.max(word.start_ms, turn.start_ms);
  const first = Math.max(0, firstEndingAfter(turns, word.start_ms) - 1);
  let best = itemAt(turns, first);
  for (let i = first + 1; i < turns.length && itemAt(turns, i - 1).start_ms < word.end_ms; i++)
    if (shared(itemAt(turns, i)) > shared(best)) best = itemAt(turns, i);
  return best;
}

type Voices = readonly (number | null)[];

/** Gives a word the voice of both neighbors, if they share a voice and no pause separates them from the word. */
function withoutFlicker(words: readonly Word[], voices: Voices): Voices {
  return voices.map((voice, i) => {
    const [before, after] = [voices[i - 1], voices[i + 1]];
    const isBetween = voice !== null && typeof before === 'number' && before === after && before !== voice;
    const isClose = isBetween && pauseBefore(words, i) < PAUSE_MS && pauseBefore(words, i + 1) < PAUSE_MS;
    return isClose ? before : voice;
  });
}

/** Moves each change of voice to the longest pause nearby, if that pause is clearly longer. */
function atPauses(words: readonly Word[], voices: Voices): Voices {
  const moved = [...voices];
  let settled = 0;
  for (let at = 1; at < words.length; at++) {
    const [before, after] = [itemAt(moved, at - 1), itemAt(moved, at)];
    if (before === after || typeof before !== 'number' || typeof after !== 'number') continue;
    const place = bestPlace(words, moved, at, settled);
    moved.fill(before, at, Math.max(at, place));
    moved.fill(after, Math.min(at, place), at);
    at = Math.max(at, place);
    settled = place;
  }
  return moved;
}

/**
 * Finds the best word for a change of voice. The change was detected before word `at`. It must stay after word
 * `settled`, the previous change.
 */
function bestPlace(words: readonly Word[], voices: Voices, at: number, settled: number): number {
  const found_ms = itemAt(words, at).start_ms;
  let best = at;
  const worth = (place: number) => breakAt(words, place) - (place === at ? 0 : LONGER_MS);
  const weigh = (place: number) => {
    if (worth(place) > worth(best)) best = place;
  };
  for (let i = at - 1; i > settled && voices[i - 1] === voices[at - 1]; i--) {
    if (found_ms - itemAt(words, i).start_ms > REACH_MS) break;
    weigh(i);
  }
  for (let i = at + 1; i < words.length && voices[i] === voices[at]; i++) {
    if (itemAt(words, i - 1).end_ms - found_ms > REACH_MS) break;
    weigh(i);
  }
  return best;
}

const pauseBefore = (words: readonly Word[], at: number) =>
  itemAt(words, at).start_ms - itemAt(words, at - 1).end_ms;

const breakAt = (words: readonly Word[], at: number) =>
  pauseBefore(words, at) + (/[.!?。？！]["'”’)]*$/u.test(itemAt(words, at - 1).text) ? SENTENCE_END_MS : 0);
