/** Compares transcripts with the true words, and those of a synthetic talk also with its speakers and times. */
import type { Interval } from '../../shared/sound.ts';
import type { Talk } from './talk.ts';

type HeardWord = Interval & { text: string };
export type HeardSegment = Interval & { text: string; speaker: string | null; words: readonly HeardWord[] };

export type TalkScores = {
  /** Substitutions, deletions and insertions, divided by the number of spoken words. */
  word_error_rate: number;
  /** The distances in ms between the first word of each sentence and the start of the sentence, sorted. */
  start_errors_ms: number[];
  /** Sentences without a segment that starts with them (± 400 ms). */
  sentences_without_segment: number;
  shortest_word_ms: number;
  /** Words whose middle is in music, noise or silence between sentences. */
  words_outside_of_speech: HeardWord[];
  /** The share of the speaking time with a wrong speaker or none. */
  speaker_error: number;
  segments_across_sentences: string[];
};

/** The middle of a word may be this far outside of its sentence, because recognizers end words late. */
const EDGE_MS = 300;
const NEAR_MS = 400;

export function scoresOf(talk: Talk, segments: readonly HeardSegment[]): TalkScores {
  const said = talk.sentences.flatMap(({ text }, sentence) =>
    wordsOf(text).map((word, i) => ({ text: word, sentence, isFirst: i === 0 })),
  );
  const heard = segments.flatMap(({ words }, segment) => words.map((word) => ({ ...word, segment })));
  const { distance, pairs } = aligned(
    said.map(({ text }) => text),
    heard.map(({ text }) => plain(text)),
  );
  const startErrors = said.flatMap(({ sentence, isFirst }, i) => {
    const other = isFirst ? heard[pairs[i]!] : undefined;
    return other ? [Math.abs(other.start_ms - talk.sentences[sentence]!.start_ms)] : [];
  });
  const sentencesOf = new Map<number, Set<number>>();
  said.forEach(({ text, sentence }, i) => {
    const other = heard[pairs[i]!];
    // A wrong word may replace a word of either sentence.
    if (!other || plain(other.text) !== text) return;
    sentencesOf.set(other.segment, (sentencesOf.get(other.segment) ?? new Set()).add(sentence));
  });
  return {
    word_error_rate: distance / Math.max(1, said.length),
    start_errors_ms: startErrors.sort((a, b) => a - b),
    sentences_without_segment: talk.sentences.filter(
      ({ start_ms }) => !segments.some((segment) => Math.abs(segment.start_ms - start_ms) <= NEAR_MS),
    ).length,
    shortest_word_ms: Math.min(...heard.map(({ start_ms, end_ms }) => end_ms - start_ms)),
    words_outside_of_speech: heard.filter((word) => isOutside(talk, word)),
    speaker_error: speakerError(talk, segments),
    segments_across_sentences: [...sentencesOf].flatMap(([segment, sentences]) =>
      sentences.size > 1 ? [segments[segment]!.text] : [],
    ),
  };
}

/**
 * The word error rate: substitutions, deletions and insertions, divided by the number of words of the reference. 0 is
 * perfect. Values above 1 are possible. Ignores case and punctuation. An empty reference counts as one word.
 */
export function wordErrorRate(reference: string, hypothesis: string): number {
  const said = wordsOf(reference);
  return aligned(said, wordsOf(hypothesis)).distance / Math.max(said.length, 1);
}

const plain = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[’ʼ]/g, "'")
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');

const wordsOf = (text: string) => text.split(/[\s—–-]+/u).flatMap((word) => plain(word) || []);

function isOutside(talk: Talk, { start_ms, end_ms }: Interval): boolean {
  const middle = (start_ms + end_ms) / 2;
  const isIn = (interval: Interval, edge: number) =>
    middle > interval.start_ms - edge && middle < interval.end_ms + edge;
  return talk.stretches.some((one) => isIn(one, 0)) && !talk.sentences.some((one) => isIn(one, EDGE_MS));
}

/** Returns the cheapest alignment of the two lists (Levenshtein): for each word of `said`, its index in `heard`, or -1. */
function aligned(said: readonly string[], heard: readonly string[]): { distance: number; pairs: Int32Array } {
  const width = heard.length + 1;
  const steps = new Uint8Array((said.length + 1) * width);
  let previous = Uint32Array.from({ length: width }, (_, j) => j);
  steps.fill(INSERTED, 1, width);
  for (let i = 1; i <= said.length; i++) {
    const current = new Uint32Array(width);
    current[0] = i;
    steps[i * width] = DELETED;
    for (let j = 1; j < width; j++) {
      const met = previous[j - 1]! + (said[i - 1] === heard[j - 1] ? 0 : 1);
      const deleted = previous[j]! + 1;
      const inserted = current[j - 1]! + 1;
      const least = Math.min(met, deleted, inserted);
      current[j] = least;
      steps[i * width + j] = least === met ? MET : least === deleted ? DELETED : INSERTED;
    }
    previous = current;
  }
  const pairs = new Int32Array(said.length).fill(-1);
  for (let i = said.length, j = heard.length; i > 0; ) {
    const step = steps[i * width + j];
    if (step === MET) pairs[i - 1] = j - 1;
    if (step !== INSERTED) i -= 1;
    if (step !== DELETED) j -= 1;
  }
  return { distance: previous[heard.length]!, pairs };
}

const MET = 1;
const DELETED = 2;
const INSERTED = 3;

/** Matches each voice with one speaker so that the common time is greatest. The rest is error. */
export function speakerError(
  talk: Pick<Talk, 'sentences'>,
  segments: readonly (Interval & { speaker: string | null })[],
): number {
  const shared = new Map<string, number>();
  let next = 0;
  for (const sentence of talk.sentences) {
    while (segments[next] && segments[next]!.end_ms <= sentence.start_ms) next += 1;
    for (let i = next; segments[i] && segments[i]!.start_ms < sentence.end_ms; i++) {
      const { start_ms, end_ms, speaker } = segments[i]!;
      const both = Math.min(end_ms, sentence.end_ms) - Math.max(start_ms, sentence.start_ms);
      const key = JSON.stringify([sentence.voice, speaker]);
      if (both > 0) shared.set(key, (shared.get(key) ?? 0) + both);
    }
  }
  const total = [...shared.values()].reduce((sum, time) => sum + time, 0);
  const voices = new Set<string>();
  const speakers = new Set<string | null>([null]);
  let right = 0;
  for (const [key, time] of [...shared].sort(([, a], [, b]) => b - a)) {
    const [voice, speaker] = JSON.parse(key) as [string, string | null];
    if (voices.has(voice) || speakers.has(speaker)) continue;
    voices.add(voice);
    speakers.add(speaker);
    right += time;
  }
  return total === 0 ? 0 : 1 - right / total;
}
