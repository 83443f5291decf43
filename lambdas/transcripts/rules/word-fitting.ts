/** Keeps the words of a segment in step with it when a person moves the segment or edits its text. */
import type { Word } from '../../../platform/shared/segments.ts';
import { isUnspaced } from '../../subtitles/rules/script.ts';

interface Span {
  readonly start_ms: number;
  readonly end_ms: number;
}

/** Beyond this many comparisons an edit is a rewrite, and no word of it is known. */
const MAX_COMPARISONS = 250_000;

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
 * The words of an edited text. Those that were heard keep their times; what was put in their place shares
 * theirs, by length. None at all where nothing is known: the script has no spaces, or there were no words.
 */
export function wordsOfText(words: readonly Word[], text: string): Word[] {
  const tokens = text.split(/\s+/u).filter((token) => token !== '');
  const isUnknown = words.length === 0 || isUnspaced(text) || tokens.length * words.length > MAX_COMPARISONS;
  if (isUnknown) return [];
  let anchors = commonWords(words, tokens);
  for (;;) {
    const runs = runsBetween(anchors, words, tokens);
    const crowded = runs.find(isCrowded);
    if (crowded === undefined) return joined(runs, anchors, words, tokens);
    // Words put between two that follow each other at once take their time from a neighbour.
    const neighbour = crowded.anchorBefore >= 0 ? crowded.anchorBefore : crowded.anchorBefore + 1;
    if (anchors[neighbour] === undefined) return [];
    anchors = anchors.toSpliced(neighbour, 1);
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

/** Whether there is less than a millisecond a word. */
const isCrowded = ({ tokens, start_ms, end_ms }: Run) => tokens.length > Math.max(end_ms - start_ms, 0);

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

function joined(
  runs: readonly Run[],
  anchors: readonly Anchor[],
  words: readonly Word[],
  tokens: readonly string[],
): Word[] {
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
