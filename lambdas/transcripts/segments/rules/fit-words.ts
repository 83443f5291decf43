/** Adapts the words of a segment after a person moved the segment or edited its text. */
import { defined, itemAt, lastOf } from '../../../../shared/checked-access.ts';
import type { Word } from '../../../../shared/segments.ts';
import type { Interval } from '../../../../shared/sound.ts';
import { isUnspaced } from '../../../subtitles/rules/script.ts';

/** The maximum number of comparisons for an edit. An edit with more is a rewrite, so none of its words are matched. */
const MAX_COMPARISONS = 250_000;
/** The fastest possible speech, letters a second. Fast speech has about 20. A match that needs faster speech is wrong. */
const FASTEST_PACE = 25;
/** Only a text with at least this many words can be a rewrite. */
const REWRITTEN_WORDS = 5;
/** A text is a rewrite if less than this share of its letters was heard. */
const REWRITTEN_SHARE = 0.4;

/**
 * Moves words with their segment from one span to another. Each word keeps its relative position and lasts at least 1
 * ms. Returns no words if the span has fewer milliseconds than words.
 */
export function wordsWithin(words: readonly Word[], from: Interval, to: Interval): Word[] {
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
 * Gives times to the words of an edited text, using the heard words. Words that were heard keep their times, if the
 * remaining words fit into the remaining time. Replacements share the time of the replaced words, by length. If the
 * text has little in common with the heard words, it is distributed over all their time. Returns no words if the script
 * has no spaces, or no words were heard.
 */
export function wordsOfText(words: readonly Word[], text: string): Word[] {
  const tokens = text.split(/\s+/u).filter((token) => token !== '');
  const isUnknown = words.length === 0 || isUnspaced(text) || tokens.length * words.length > MAX_COMPARISONS;
  if (isUnknown) return [];
  const texts = { words, tokens };
  const common = commonWords(texts);
  let anchors = isRewritten(common, tokens) ? [] : common;
  const fastest = fastestPace(words);
  for (;;) {
    const runs = runsBetween(anchors, texts);
    const crowded = runs.find((run) => run.tokens.length > 0 && paceOf(run) > fastest);
    if (crowded === undefined || anchors.length === 0) return joinRuns(runs, anchors, texts);
    anchors = withoutNeighbour(crowded, anchors, texts);
  }
}

type Texts = { readonly words: readonly Word[]; readonly tokens: readonly string[] };

/** A word that is in both texts: its index among the tokens, and its index among the words. */
type Anchor = readonly [token: number, word: number];

const spoken = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}\p{M}]/gu, '') || text;

/** The longest common subsequence of words and tokens. Ignores case and punctuation. */
function commonWords({ words, tokens }: Texts): Anchor[] {
  const heard = words.map(({ text }) => spoken(text));
  const written = tokens.map(spoken);
  const width = heard.length + 1;
  const longest = new Uint32Array((written.length + 1) * width);
  for (let t = written.length - 1; t >= 0; t -= 1) {
    for (let w = heard.length - 1; w >= 0; w -= 1) {
      longest[t * width + w] =
        written[t] === heard[w]
          ? itemAt(longest, (t + 1) * width + w + 1) + 1
          : Math.max(itemAt(longest, (t + 1) * width + w), itemAt(longest, t * width + w + 1));
    }
  }
  const anchors: Anchor[] = [];
  for (let t = 0, w = 0; t < written.length && w < heard.length; ) {
    if (written[t] === heard[w]) anchors.push([t++, w++]);
    else if (itemAt(longest, (t + 1) * width + w) >= itemAt(longest, t * width + w + 1)) t += 1;
    else w += 1;
  }
  return anchors;
}

interface Run extends Interval {
  readonly tokens: readonly string[];
  /** Index of the anchor before the run, or -1 at the beginning. */
  readonly anchorBefore: number;
}

/** Whether the text is a rewrite: so little of it was heard that common words are coincidences. */
function isRewritten(anchors: readonly Anchor[], tokens: readonly string[]): boolean {
  const kept = lettersOf(anchors.map(([token]) => itemAt(tokens, token)));
  return tokens.length >= REWRITTEN_WORDS && kept < REWRITTEN_SHARE * lettersOf(tokens);
}

/** The fastest possible pace, letters a second. If the heard words were faster, the limit is higher. */
function fastestPace(words: readonly Word[]): number {
  const said_ms = words.reduce((sum, { start_ms, end_ms }) => sum + end_ms - start_ms, 0);
  const heard = (lettersOf(words.map(({ text }) => text)) * 1000) / Math.max(said_ms, 1);
  return Math.max(FASTEST_PACE, 1.5 * heard);
}

const lettersOf = (tokens: readonly string[]): number => tokens.reduce((sum, { length }) => sum + length, 0);

const paceOf = ({ tokens, start_ms, end_ms }: Run): number =>
  (lettersOf(tokens) * 1000) / Math.max(end_ms - start_ms, 0.001);

/** Removes one of the two anchors beside a run: the one whose removal gives the run more time. */
function withoutNeighbour({ anchorBefore }: Run, anchors: readonly Anchor[], texts: Texts): Anchor[] {
  const [one, other] = [anchorBefore, anchorBefore + 1]
    .filter((at) => anchors[at] !== undefined)
    .map((at) => {
      const rest = anchors.toSpliced(at, 1);
      return { rest, pace: paceOf(itemAt(runsBetween(rest, texts), at)) };
    });
  return other === undefined || defined(one).pace <= other.pace ? defined(one).rest : other.rest;
}

function runsBetween(anchors: readonly Anchor[], { words, tokens }: Texts): Run[] {
  const edges: Anchor[] = [[-1, -1], ...anchors, [tokens.length, words.length]];
  return edges.slice(1).map(([token, word], at) => {
    const [tokenBefore, wordBefore] = itemAt(edges, at);
    const replaced = words.slice(wordBefore + 1, word);
    const start_ms = replaced[0]?.start_ms ?? words[wordBefore]?.end_ms ?? itemAt(words, 0).start_ms;
    const end_ms = replaced.at(-1)?.end_ms ?? words[word]?.start_ms ?? lastOf(words).end_ms;
    return { tokens: tokens.slice(tokenBefore + 1, token), start_ms, end_ms, anchorBefore: at - 1 };
  });
}

/** Joins runs and anchors to words. Returns no words if any word would have less than a millisecond. */
function joinRuns(runs: readonly Run[], anchors: readonly Anchor[], { words, tokens }: Texts): Word[] {
  const isTooShort = runs.some((run) => run.tokens.length > Math.max(run.end_ms - run.start_ms, 0));
  if (isTooShort) return [];
  return runs.flatMap((run, at) => {
    const anchor = anchors[at];
    const kept =
      anchor === undefined ? [] : [{ ...itemAt(words, anchor[1]), text: itemAt(tokens, anchor[0]) }];
    return [...spreadTokens(run), ...kept];
  });
}

/** Distributes the tokens of a run over its time by length. Each token gets at least 1 ms. */
function spreadTokens({ tokens, start_ms, end_ms }: Run): Word[] {
  const letters = lettersOf(tokens);
  const spare = end_ms - start_ms - tokens.length;
  let before = 0;
  return tokens.map((text, at) => {
    const from = start_ms + at + Math.floor((spare * before) / letters);
    before += text.length;
    const to = start_ms + at + 1 + Math.floor((spare * before) / letters);
    return { text, start_ms: from, end_ms: to, confidence: Number.NaN };
  });
}
