/** Joins segments of a transcription into sentences with times. */
import { contentWords } from '../../../engines/text-analysis/common-words.ts';
import { itemAt } from '../../../shared/checked-access.ts';

export interface Said {
  readonly start_ms: number;
  readonly end_ms: number;
  readonly text: string;
}

export interface Sentence extends Said {
  /** Content words, in lower case. */
  readonly words: readonly string[];
}

const ENDS = /[.!?…。！？]["'”’»)\]]*$/u;
/** If a sentence has more segments than this, its full stop is missing, and the sentence is split. */
const MOST_SEGMENTS = 4;
/** If a sentence contains a longer pause than this, its full stop is missing too, and the sentence is split. */
const PAUSE_MS = 2000;

export function sentencesOf(segments: readonly Said[], language: string): Sentence[] {
  // If the engine writes no punctuation, each segment is a sentence.
  const isPunctuated = segments.some(({ text }) => ENDS.test(text.trim()));
  const sentences: Said[] = [];
  let parts: Said[] = [];
  for (const [at, segment] of segments.entries()) {
    if (segment.text.trim() === '') continue;
    parts.push(segment);
    const next = segments[at + 1];
    const goesOn =
      isPunctuated &&
      next !== undefined &&
      !ENDS.test(segment.text.trim()) &&
      parts.length < MOST_SEGMENTS &&
      next.start_ms - segment.end_ms < PAUSE_MS;
    if (goesOn) continue;
    sentences.push(joined(parts));
    parts = [];
  }
  if (parts.length > 0) sentences.push(joined(parts));
  return sentences.map((sentence) => ({ ...sentence, words: contentWords(sentence.text, language) }));
}

const joined = (parts: readonly Said[]): Said => ({
  start_ms: itemAt(parts, 0).start_ms,
  end_ms: Math.max(...parts.map(({ end_ms }) => end_ms)),
  text: parts.map(({ text }) => text.trim()).join(' '),
});
