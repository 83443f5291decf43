/** Which of the words that an engine gives can be believed, and when they were spoken. */
import type { Word } from '../../../../shared/segments.ts';
import { firstEndingAfter, type Sound, type SoundMap } from '../../../../shared/sound.ts';
import { understood } from './find-speech.ts';
import { withoutPauses } from './trim-pauses.ts';

/** What an engine gave for one piece of the audio. */
export type Heard = {
  words: readonly Word[];
  /** Whether it tells speech from music and noise by itself. */
  tells_speech_apart: boolean;
};

/** Where somebody speaks, and what is heard elsewhere. */
type Where = Pick<SoundMap, 'sounds' | 'utterances' | 'pauses'>;

/** The shortest sounds of speech last three frames of 10 ms, which is also the least that recognisers can hear. */
const SHORTEST_MS = 30;
/** Nobody is heard below that, however well an engine may know speech. */
const INAUDIBLE_DB = -60;

/**
 * The words in the order in which they are spoken, with times that are possible: whole milliseconds, at least 30 a word, none
 * overlapping. No time is made up: a word begins where the engine says, or at most 30 ms later where the one before
 * needs them. Left out are words whose times cannot be (the fewest without which the others are in order), those that leave no
 * room for one another, those where the sounds have no speech, and those of utterances in which an engine that does not tell
 * speech apart understood next to nothing.
 */
export function trustedWords(heard: readonly Heard[], map: Where): Word[] {
  const audible = heard.flatMap(({ words, tells_speech_apart }) => {
    const isSpeech = speechIn(map.sounds, tells_speech_apart);
    const said = tells_speech_apart ? words : withoutPauses(understood(words, map), map.pauses);
    return said.filter((word) => isPossible(word) && isSpeech((word.start_ms + word.end_ms) / 2));
  });
  return withRoom(inOrder(audible.map(rounded)));
}

const isPossible = ({ start_ms, end_ms }: Word) =>
  start_ms >= 0 && end_ms >= start_ms && end_ms < Number.POSITIVE_INFINITY;

const rounded = (word: Word): Word => ({
  ...word,
  start_ms: Math.round(word.start_ms),
  end_ms: Math.round(word.end_ms),
});

/** Tells of a moment whether words can be there. The sounds cover the audio in order. */
function speechIn(sounds: readonly Sound[], tellsSpeechApart: boolean): (at_ms: number) => boolean {
  const hasSpeech = ({ kind, level_db }: Sound) =>
    tellsSpeechApart ? kind !== 'silence' || level_db > INAUDIBLE_DB : kind === 'speech';
  return (at_ms) => {
    const sound = sounds[Math.min(firstEndingAfter(sounds, at_ms), sounds.length - 1)];
    return sound !== undefined && hasSpeech(sound);
  };
}

/** The most words that begin one after the other: the longest subsequence that never falls, by patience sorting. */
function inOrder(words: readonly Word[]): Word[] {
  const before: number[] = [];
  // Of all rows of a length, the one that ends earliest, by the index of its last word.
  const lasts: number[] = [];
  words.forEach((word, i) => {
    const fits = lasts.findLastIndex((last) => words[last]!.start_ms <= word.start_ms);
    before[i] = fits < 0 ? -1 : lasts[fits]!;
    lasts[fits + 1] = i;
  });
  const row: Word[] = [];
  for (let i = lasts.at(-1) ?? -1; i >= 0; i = before[i]!) row.push(words[i]!);
  return row.reverse();
}

/** Each word ends where the next begins at the latest, but has its 30 ms; one that would begin later for it is left out. */
function withRoom(words: readonly Word[]): Word[] {
  const placed: Word[] = [];
  words.forEach((word, i) => {
    const start_ms = Math.max(word.start_ms, placed.at(-1)?.end_ms ?? 0);
    if (start_ms - word.start_ms > SHORTEST_MS) return;
    const end_ms = Math.min(word.end_ms, words[i + 1]?.start_ms ?? word.end_ms);
    placed.push({ ...word, start_ms, end_ms: Math.max(end_ms, start_ms + SHORTEST_MS) });
  });
  return placed;
}
