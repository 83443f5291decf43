/** Makes words of what sherpa-onnx recognises: pieces of words with times. */
import type { Word } from '../../shared/segments.ts';

/** `OfflineRecognizerResult`: seconds from the start of the chunk; arrays may be empty, depending on the model. */
export type SherpaResult = {
  text: string;
  tokens?: string[];
  timestamps?: number[];
  durations?: number[];
  /** Natural logarithms of the tokens' probabilities. */
  ys_log_probs?: number[];
  /** Whisper: "en"; SenseVoice: "<|en|>". */
  lang?: string;
  /** Whisper marks passages of some seconds. */
  segment_timestamps?: number[];
  segment_durations?: number[];
  segment_texts?: string[];
};

/** A voice heard from `start` to `end`, seconds from the start of the piece. */
export type Turn = { start: number; end: number; speaker: number };

/** How long the last token of a chunk sounds at most, when the model gives no durations. */
const LAST_TOKEN_S = 0.4;
/** How long any other does: what follows it later than that follows a pause. */
const LONGEST_TOKEN_S = 0.8;

/**
 * The words of a chunk that lies at `start_ms` and ends at `end_ms`. Tokens begin a word with a space or "▁"
 * (sentencepiece, Whisper) or go on after "@@" (Paraformer); a Han, Kana or Thai character begins its own.
 * A model that gives no times gets its words spread by their length: over the passages that it marks, else over the chunk.
 */
export function wordsFromResult(result: SherpaResult, start_ms: number, end_ms: number): Word[] {
  const text = withNaturalCase(result.text);
  const { tokens = [], timestamps = [] } = result;
  const hasTimes = tokens.length > 0 && timestamps.length === tokens.length;
  if (!hasTimes) return spreadPassages(result, start_ms, end_ms) ?? spread(text, start_ms, end_ms);
  const isShouted = text !== result.text;
  return groupTokens(tokens).map(({ first, last, text: word }) => {
    const ends =
      result.durations?.[last] !== undefined
        ? timestamps[last]! + result.durations[last]
        : Math.min(
            timestamps[last + 1] ?? timestamps[last]! + LAST_TOKEN_S,
            timestamps[last]! + LONGEST_TOKEN_S,
          );
    const from = start_ms + Math.round(timestamps[first]! * 1000);
    return {
      text: isShouted ? word.toLowerCase() : word,
      start_ms: Math.min(from, end_ms),
      end_ms: Math.min(Math.max(from + 1, start_ms + Math.round(ends * 1000)), end_ms),
      confidence: meanProbability(result.ys_log_probs?.slice(first, last + 1)),
    };
  });
}

/** Models trained on LibriSpeech write capitals only, which says nothing about case. */
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
    // Paraformer marks only what goes on: any other token ends its word.
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

/** Null where none are marked. */
function spreadPassages(result: SherpaResult, start_ms: number, end_ms: number): Word[] | null {
  const { segment_timestamps: starts = [], segment_durations: durations = [], segment_texts = [] } = result;
  if (starts.length === 0) return null;
  const at = (seconds: number) => Math.min(start_ms + Math.round(seconds * 1000), end_ms);
  return segment_texts.flatMap((text, i) => spread(text, at(starts[i]!), at(starts[i]! + durations[i]!)));
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

/** Gives each word the voice that is heard longest during it; voices are numbered as they come in. */
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
