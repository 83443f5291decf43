/** Decides which words of an engine can be trusted, and when they were spoken. */
import { itemAt } from '../../../../shared/checked-access.ts';
import type { Word } from '../../../../shared/segments.ts';
import { firstEndingAfter, type Sound, type SoundMap } from '../../../../shared/sound.ts';
import { understood } from './find-speech.ts';
import { withoutPauses } from './trim-pauses.ts';

/** An engine's result for one piece of the audio. */
export type Heard = {
  words: readonly Word[];
  /** Whether the engine itself distinguishes speech from music and noise. If not, the sound map decides. */
  tells_speech_apart: boolean;
};

type Where = Pick<SoundMap, 'sounds' | 'utterances' | 'pauses'>;

/** The shortest duration of speech: three frames of 10 ms. Recognizers cannot detect shorter sounds. */
const SHORTEST_MS = 30;
/** Speech below this level is too quiet even for a good engine. */
const INAUDIBLE_DB = -60;

/**
 * The words in spoken order with valid times: whole milliseconds, at least 30 ms each, without overlap. The function
 * invents no times. A word begins when the engine says, or at most 30 ms later if the word before it needs that time.
 *
 * The function removes four kinds of words:
 * - words with impossible times: as few as possible, to restore the order.
 * - words without enough time.
 * - words at times without speech.
 * - words of utterances of which the engine understood almost nothing, if the engine does not detect speech itself.
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

/** Returns a function that says whether a word is possible at a time. The sounds cover the audio in order. */
function speechIn(sounds: readonly Sound[], tellsSpeechApart: boolean): (at_ms: number) => boolean {
  const hasSpeech = ({ kind, level_db }: Sound) =>
    tellsSpeechApart ? kind !== 'silence' || level_db > INAUDIBLE_DB : kind === 'speech';
  return (at_ms) => {
    const sound = sounds[Math.min(firstEndingAfter(sounds, at_ms), sounds.length - 1)];
    return sound !== undefined && hasSpeech(sound);
  };
}

/** The largest set of words that are in order: the longest non-decreasing subsequence, by patience sorting. */
function inOrder(words: readonly Word[]): Word[] {
  const before: number[] = [];
  // For each length, the earliest last word of a subsequence with this length.
  const lasts: number[] = [];
  words.forEach((word, i) => {
    const fits = lasts.findLastIndex((last) => itemAt(words, last).start_ms <= word.start_ms);
    before[i] = fits < 0 ? -1 : itemAt(lasts, fits);
    lasts[fits + 1] = i;
  });
  const row: Word[] = [];
  for (let i = lasts.at(-1) ?? -1; i >= 0; i = itemAt(before, i)) row.push(itemAt(words, i));
  return row.reverse();
}

/** Ends each word before the next one begins. Removes a word that would keep less than 30 ms. */
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
