/** Chapters: they begin where the topic changes (Hearst 1997, "TextTiling"), at a pause or a cut. */
import { itemAt } from '../../../shared/checked-access.ts';
import type { MetadataDetails } from './analysis-types.ts';
import type { Sentence } from './sentences.ts';
import { capital, summaryOf } from './summary.ts';

export type Chapter = MetadataDetails['chapters'][number];

/** Words within this time before and after a border are compared. */
const AROUND_MS = 60_000;
const SHORTEST_MS = 45_000;
/** A cut counts if it is at most this far from a pause between sentences. */
const CUT_MS = 700;
/** A pause of two seconds or more adds this to the score of a border. The change of words adds 0 to 2. */
const PAUSE_GAIN = 0.1;
const CUT_GAIN = 0.05;
/** The score of a border must exceed the mean by this many standard deviations. */
const OUTSTANDING = 0.8;
/** The minimum score of a border. */
const LEAST_DEPTH = 0.35;

export interface ChapterContext {
  readonly duration_ms: number;
  /** Start times of shots; empty if shots were not analyzed. */
  readonly cuts: readonly number[];
  /** Title of a chapter without keywords; the number of the chapter replaces `#`. */
  readonly untitled: string;
}

/** Chapters that cover the whole media without gaps. Empty if there is no speech. */
export function chaptersOf(sentences: readonly Sentence[], context: ChapterContext): Chapter[] {
  if (sentences.length === 0) return [];
  const { duration_ms } = context;
  const starts = [0, ...bordersOf(sentences, context)];
  const parts = starts.map((start_ms, at) => {
    const end_ms = starts[at + 1] ?? Math.max(duration_ms, start_ms + 1);
    const within = sentences.filter((one) => one.start_ms >= start_ms && one.start_ms < end_ms);
    return { start_ms, end_ms, sentences: within };
  });
  const everywhere = parts.map((part) => new Set(part.sentences.flatMap(({ words }) => words)));
  return parts.map((part, at) => ({
    start_ms: part.start_ms,
    end_ms: part.end_ms,
    title: titleOf(part.sentences, everywhere) ?? context.untitled.replace('#', String(at + 1)),
    summary: parts.length > 1 ? summaryOf(part.sentences) : null,
  }));
}

/** Start times of all chapters except the first, ms. */
function bordersOf(sentences: readonly Sentence[], { duration_ms, cuts }: ChapterContext): number[] {
  const gaps = sentences
    .slice(1)
    .map((next, at) => ({ at_ms: next.start_ms, ...changeAt(sentences, at + 1) }));
  const depths = depthsOf(gaps.map(({ likeness }) => likeness)).map((depth, at) => {
    const { at_ms, pause_ms } = itemAt(gaps, at);
    const isCut = cuts.some((cut) => cut >= at_ms - pause_ms - CUT_MS && cut <= at_ms + CUT_MS);
    return depth + PAUSE_GAIN * Math.min(2, pause_ms / 2000) + (isCut ? CUT_GAIN : 0);
  });
  const mean = depths.reduce((sum, depth) => sum + depth, 0) / Math.max(1, depths.length);
  const deviation = Math.sqrt(
    depths.reduce((sum, depth) => sum + (depth - mean) ** 2, 0) / Math.max(1, depths.length),
  );
  const least = Math.max(LEAST_DEPTH, mean + OUTSTANDING * deviation);
  const borders: number[] = [];
  for (const at of depths
    .map((_, at) => at)
    .sort((one, other) => itemAt(depths, other) - itemAt(depths, one))) {
    const { at_ms } = itemAt(gaps, at);
    const isFarEnough = [0, duration_ms, ...borders].every((other) => Math.abs(other - at_ms) >= SHORTEST_MS);
    if (itemAt(depths, at) >= least && isFarEnough) borders.push(at_ms);
  }
  return borders.sort((one, other) => one - other);
}

/** Similarity of the words before and after the start of a sentence (cosine, 0 to 1), and the pause before it. */
function changeAt(sentences: readonly Sentence[], at: number): { likeness: number; pause_ms: number } {
  const { start_ms } = itemAt(sentences, at);
  const before = new Map<string, number>();
  const after = new Map<string, number>();
  for (let i = at - 1; i >= 0 && start_ms - itemAt(sentences, i).end_ms < AROUND_MS; i--)
    count(itemAt(sentences, i), before);
  for (let i = at; i < sentences.length && itemAt(sentences, i).start_ms - start_ms < AROUND_MS; i++)
    count(itemAt(sentences, i), after);
  let product = 0;
  for (const [word, times] of before) product += times * (after.get(word) ?? 0);
  const length = (bag: ReadonlyMap<string, number>) => Math.hypot(...bag.values());
  return {
    likeness: product / Math.max(1e-9, length(before) * length(after)),
    pause_ms: Math.max(0, start_ms - itemAt(sentences, at - 1).end_ms),
  };
}

function count({ words }: Sentence, bag: Map<string, number>): void {
  for (const word of words) bag.set(word, (bag.get(word) ?? 0) + 1);
}

/** Depth score of each border: how far its similarity lies below the peaks on its left and right. */
function depthsOf(likeness: readonly number[]): number[] {
  return likeness.map((value, at) => {
    let [left, right] = [value, value];
    for (let i = at - 1; i >= 0 && itemAt(likeness, i) >= left; i--) left = itemAt(likeness, i);
    for (let i = at + 1; i < likeness.length && itemAt(likeness, i) >= right; i++)
      right = itemAt(likeness, i);
    return left - value + (right - value);
  });
}

/** Up to three words that are frequent in this chapter and rare in others. */
function titleOf(sentences: readonly Sentence[], chapters: readonly ReadonlySet<string>[]): string | null {
  const counts = new Map<string, number>();
  for (const sentence of sentences) count(sentence, counts);
  const weigh = ([word, times]: readonly [string, number]) =>
    times * (1 + Math.log(chapters.length / chapters.filter((one) => one.has(word)).length));
  const words = [...counts]
    .filter(([, times]) => times > 1)
    .sort((one, other) => weigh(other) - weigh(one))
    .slice(0, 3)
    .map(([word]) => word);
  if (words.length > 0) return capital(words.join(', '));
  const text = sentences[0]?.text;
  return text === undefined || text.length > 60 ? null : capital(text.replace(/[.,;:…]+$/u, ''));
}
