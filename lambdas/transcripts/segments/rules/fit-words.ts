/** Keeps the words of a segment in step with it when a person moves the segment or edits its text. */
import type { Word } from '../../../../shared/segments.ts';
import { isUnspaced } from '../../../subtitles/rules/script.ts';

interface Span {
  readonly start_ms: number;
  readonly end_ms: number;
}

/** Beyond this many comparisons an edit is a rewrite, and no word of it is known. */
const MAX_COMPARISONS = 250_000;
/** Letters a second. Fast speech has about 20; where words would need more, their neighbours are not where they seem. */
const FASTEST_PACE = 25;
/** A text of so many words or more is a rewrite where less than this share of its letters was heard. */
const REWRITTEN_WORDS = 5;
const REWRITTEN_SHARE = 0.4;

/**
 * The words of a segment that was moved from one span to another, at the same part of it as before; each lasts at least a
 * millisecond. None at all where there are more words than milliseconds.
 */
export function wordsWithin(words: readonly Word[], from: Span, to: Span): Word[] {
  if (to.end_ms - to.start_ms < words.length) return [];
  const scale = (to.end_ms - to.start_ms) / Math.max(from.end_ms - from.start_ms, 1);
  const at = (ms: number) => to.start_ms + Math.round((ms - from.start_ms) * scale);
  let free = to.start_ms;
  return words.map((word, i) => {
    const latest = to.end_ms - (words.length - i);
    const start_ms = Math.min(Math.max(at(word.start_ms), free), latest);
    free = Math.min(Math.max(at(word.end_ms), start_ms + 1), latest + 1);
    return { ...word, start_ms, end_ms: free };
  });
}

/**
 * The words of an edited text, by what was heard. Words that were heard keep their times where the rest can be said in
 * the time that they leave; what was put in the place of others shares theirs, by length. A text that has little in
 * common with what was heard is divided over all of its time. None at all where nothing is known: the script has no
 * spaces, or there were no words.
 */
export function wordsOfText(words: readonly Word[], text: string): Word[] {
  const tokens = text.split(/\s+/u).filter((token) => token !== '');
  const isUnknown = words.length === 0 || isUnspaced(text) || tokens.length * words.length > MAX_COMPARISONS;
  if (isUnknown) return [];
  const common = commonWords(words, tokens);
  let anchors = isRewritten(common, tokens) ? [] : common;
  const fastest = fastestPace(words);
  for (;;) {
    const runs = runsBetween(anchors, words, tokens);
    const crowded = runs.find((run) => run.tokens.length > 0 && paceOf(run) > fastest);
    if (crowded === undefined || anchors.length === 0) return joined(runs, anchors, words, tokens);
    anchors = withoutNeighbour(crowded, anchors, words, tokens);
  }
}

/** A word that stands in both texts: its place among the tokens, and among the words. */
type Anchor = readonly [token: number, word: number];

const spoken = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}\p{M}]/gu, '') || text;

/** The longest common subsequence, without regard to case and punctuation. */
function commonWords(words: readonly Word[], tokens: readonly string[]): Anchor[] {
  const heard = words.map(({ text }) => spoken(text));
  const written = tokens.map(spoken);
  const width = heard.length + 1;
  const longest = new Uint32Array((written.length + 1) * width);
  for (let t = written.length - 1; t >= 0; t -= 1) {
    for (let w = heard.length - 1; w >= 0; w -= 1) {
      longest[t * width + w] =
        written[t] === heard[w]
          ? longest[(t + 1) * width + w + 1]! + 1
          : Math.max(longest[(t + 1) * width + w]!, longest[t * width + w + 1]!);
    }
  }
  const anchors: Anchor[] = [];
  for (let t = 0, w = 0; t < written.length && w < heard.length; ) {
    if (written[t] === heard[w]) anchors.push([t++, w++]);
    else if (longest[(t + 1) * width + w]! >= longest[t * width + w + 1]!) t += 1;
    else w += 1;
  }
  return anchors;
}

interface Run extends Span {
  readonly tokens: readonly string[];
  /** Index of the anchor that it follows; -1 at the beginning. */
  readonly anchorBefore: number;
}

/** Whether so little of the text was heard that the words in common are there by chance. */
function isRewritten(anchors: readonly Anchor[], tokens: readonly string[]): boolean {
  const kept = lettersOf(anchors.map(([token]) => tokens[token]!));
  return tokens.length >= REWRITTEN_WORDS && kept < REWRITTEN_SHARE * lettersOf(tokens);
}

/** Letters a second that nobody exceeds, but speakers who did so before. */
function fastestPace(words: readonly Word[]): number {
  const said_ms = words.reduce((sum, { start_ms, end_ms }) => sum + end_ms - start_ms, 0);
  const heard = (lettersOf(words.map(({ text }) => text)) * 1000) / Math.max(said_ms, 1);
  return Math.max(FASTEST_PACE, 1.5 * heard);
}

const lettersOf = (tokens: readonly string[]): number => tokens.reduce((sum, { length }) => sum + length, 0);

/** Letters a second. */
const paceOf = ({ tokens, start_ms, end_ms }: Run): number =>
  (lettersOf(tokens) * 1000) / Math.max(end_ms - start_ms, 0.001);

/** The anchors without the one beside a run that leaves it the most time. */
function withoutNeighbour(
  { anchorBefore }: Run,
  anchors: readonly Anchor[],
  words: readonly Word[],
  tokens: readonly string[],
): Anchor[] {
  const [one, other] = [anchorBefore, anchorBefore + 1]
    .filter((at) => anchors[at] !== undefined)
    .map((at) => {
      const rest = anchors.toSpliced(at, 1);
      return { rest, pace: paceOf(runsBetween(rest, words, tokens)[at]!) };
    });
  return other === undefined || one!.pace <= other.pace ? one!.rest : other.rest;
}

/** What was written between the anchors, and the time there is for it. */
function runsBetween(anchors: readonly Anchor[], words: readonly Word[], tokens: readonly string[]): Run[] {
  const edges: Anchor[] = [[-1, -1], ...anchors, [tokens.length, words.length]];
  return edges.slice(1).map(([token, word], at) => {
    const [tokenBefore, wordBefore] = edges[at]!;
    const replaced = words.slice(wordBefore + 1, word);
    const start_ms = replaced[0]?.start_ms ?? words[wordBefore]?.end_ms ?? words[0]!.start_ms;
    const end_ms = replaced.at(-1)?.end_ms ?? words[word]?.start_ms ?? words.at(-1)!.end_ms;
    return { tokens: tokens.slice(tokenBefore + 1, token), start_ms, end_ms, anchorBefore: at - 1 };
  });
}

/** None at all where there is less than a millisecond a word. */
function joined(
  runs: readonly Run[],
  anchors: readonly Anchor[],
  words: readonly Word[],
  tokens: readonly string[],
): Word[] {
  const isTooShort = runs.some((run) => run.tokens.length > Math.max(run.end_ms - run.start_ms, 0));
  if (isTooShort) return [];
  return runs.flatMap((run, at) => {
    const anchor = anchors[at];
    const kept = anchor === undefined ? [] : [{ ...words[anchor[1]]!, text: tokens[anchor[0]]! }];
    return [...spread(run), ...kept];
  });
}

/** The tokens of a run over its time, by their lengths; each at least a millisecond. */
function spread({ tokens, start_ms, end_ms }: Run): Word[] {
  const letters = tokens.reduce((sum, token) => sum + token.length, 0);
  const spare = end_ms - start_ms - tokens.length;
  let before = 0;
  return tokens.map((text, at) => {
    const from = start_ms + at + Math.floor((spare * before) / letters);
    before += text.length;
    const to = start_ms + at + 1 + Math.floor((spare * before) / letters);
    return { text, start_ms: from, end_ms: to, confidence: Number.NaN };
  });
}
