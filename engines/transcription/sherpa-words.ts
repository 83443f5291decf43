/** Joins the tokens of sherpa-onnx to words. Tokens are parts of words with times. */
import type { Word } from '../../shared/segments.ts';

/** The type `OfflineRecognizerResult`. Times are seconds from the start of the chunk. Some models leave the arrays empty. */
export type SherpaResult = {
  text: string;
  tokens?: string[];
  timestamps?: number[];
  durations?: number[];
  /** Natural logarithms of the tokens' probabilities. */
  ys_log_probs?: number[];
  /** The detected language, such as "en" (Whisper) or "<|en|>" (SenseVoice). */
  lang?: string;
  /** Only Whisper returns segments: passages of a few seconds. */
  segment_timestamps?: number[];
  segment_durations?: number[];
  segment_texts?: string[];
};

export type Turn = { start: number; end: number; speaker: number };

/** The duration of the last token of a chunk, seconds, if the model returns no durations. */
const LAST_TOKEN_S = 0.4;
/** The maximum duration of any other token, seconds. If the next token starts later, there is a pause between both. */
const MAX_TOKEN_S = 0.8;

/**
 * Returns the words of a chunk from `start_ms` to `end_ms`. A token that starts with a space or "▁" starts a word (sentencepiece,
 * Whisper). A token after "@@" continues a word (Paraformer). Each Han, Kana or Thai character is a word.
 * If the model returns no times, the words share the duration of their passage, or of the chunk, by their length.
 */
export function wordsFromResult(result: SherpaResult, start_ms: number, end_ms: number): Word[] {
  const text = withNaturalCase(result.text);
  const { tokens = [], timestamps = [] } = result;
  const hasTimes = tokens.length > 0 && timestamps.length === tokens.length;
  if (!hasTimes) return spreadPassages(result, start_ms, end_ms) ?? spread(text, start_ms, end_ms);
  const isShouted = text !== result.text;
  return groupTokens(tokens).map(({ first, last, text: word }) => {
    const lastStart = timestamps[last] ?? 0;
    const duration = result.durations?.[last];
    const ends =
      duration === undefined
        ? Math.min(timestamps[last + 1] ?? lastStart + LAST_TOKEN_S, lastStart + MAX_TOKEN_S)
        : lastStart + duration;
    const from = start_ms + Math.round((timestamps[first] ?? 0) * 1000);
    return {
      text: isShouted ? word.toLowerCase() : word,
      start_ms: Math.min(from, end_ms),
      end_ms: Math.min(Math.max(from + 1, start_ms + Math.round(ends * 1000)), end_ms),
      confidence: meanProbability(result.ys_log_probs?.slice(first, last + 1)),
    };
  });
}

/** Converts a text without lower-case letters to lower case. Models that were trained on LibriSpeech write only capital letters. */
const withNaturalCase = (text: string) => (/\p{Ll}/u.test(text) ? text : text.toLowerCase());

type Group = { first: number; last: number; text: string };

function groupTokens(tokens: readonly string[]): Group[] {
  const groups: Group[] = [];
  let goesOn = false;
  tokens.forEach((token, i) => {
    if (/^<.*>$|^\[.*\]$/.test(token.trim())) return;
    const startsWord =
      !goesOn && /^[\s▁]|^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(token);
    const text = token.replace(/^[\s▁]+/u, '').replace(/@@$/, '');
    const previous = groups.at(-1);
    // Paraformer marks each token that the next token continues. Any other token ends its word.
    const isPlainWord = !goesOn && tokens.some((other) => other.endsWith('@@'));
    if (previous && !startsWord && !isPlainWord) {
      previous.text += text;
      previous.last = i;
    } else {
      groups.push({ first: i, last: i, text });
    }
    goesOn = token.endsWith('@@');
  });
  return groups.filter(({ text }) => text.trim() !== '');
}

/** Spreads the words over the passages of the result. Returns null if the result has no passages. */
function spreadPassages(result: SherpaResult, start_ms: number, end_ms: number): Word[] | null {
  const { segment_timestamps: starts = [], segment_durations: durations = [], segment_texts = [] } = result;
  if (starts.length === 0) return null;
  const at = (seconds: number) => Math.min(start_ms + Math.round(seconds * 1000), end_ms);
  return segment_texts.flatMap((text, i) => {
    const start = starts[i] ?? 0;
    return spread(text, at(start), at(start + (durations[i] ?? 0)));
  });
}

function spread(text: string, start_ms: number, end_ms: number): Word[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  const at = (count: number) => start_ms + Math.round(((end_ms - start_ms) * count) / letters);
  let spoken = 0;
  return words.map((word) => {
    const from = at(spoken);
    spoken += word.length;
    return { text: word, start_ms: from, end_ms: at(spoken), confidence: Number.NaN };
  });
}

function meanProbability(logs: readonly number[] | undefined): number {
  if (!logs || logs.length === 0) return Number.NaN;
  return Math.min(1, Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length));
}

/** Assigns to each word the speaker who speaks longest during the word. Speakers are numbered in the order of their first words. */
export function assignSpeakers(words: readonly Word[], turns: readonly Turn[], offset_ms: number): Word[] {
  const numbers = new Map<number, number>();
  return words.map((word) => {
    const shared = ({ start, end }: Turn) =>
      Math.min(word.end_ms, offset_ms + end * 1000) - Math.max(word.start_ms, offset_ms + start * 1000);
    const [heard] = turns.filter((turn) => shared(turn) > 0).sort((a, b) => shared(b) - shared(a));
    if (!heard) return word;
    if (!numbers.has(heard.speaker)) numbers.set(heard.speaker, numbers.size + 1);
    return { ...word, speaker: `Speaker ${numbers.get(heard.speaker)}` };
  });
}
