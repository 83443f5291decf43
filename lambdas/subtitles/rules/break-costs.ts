/** Where speech is best divided: what ends a sentence, what a break costs, and the cheapest division. */

import type { LanguageRules } from './language-rules.ts';

/** What the neighbourhood of a word tells about a sentence ending with it. */
export type SentenceContext = {
  next: string | undefined;
  pause_ms: number;
  /** Whether the text has upper and lower case to go by. */
  cased: boolean;
  rules: LanguageRules;
};

const SENTENCE_END = /[.!?…。！？｡؟۔।॥]$/u;
const CLAUSE_END = /[,;:–—،؛、，；：]$/u;
// With the spaces that French has before and after them. From where they begin alone, since what begins at each looks at all that follow.
const CLOSERS = /(?<!["'”’»)\]}」』）】\s])["'”’»)\]}」』）】\s]+$/u;
const OPENERS = /^["'“‘«([{¿¡「『（【\s]+/u;
const EDGES = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;
const INITIALS = /^\p{L}(\.\p{L})*$/u;
const STARTS_LOWER = /^\p{Ll}/u;
const STARTS_UPPER = /^\p{Lu}/u;
const NUMBER = /^\p{N}[\p{N}.,]*$/u;
// Hiragana is mostly an ending or particle of the word before it; so are these in Chinese.
const DEPENDENT = /^(?:[\u3041-\u3096]|[的了吗呢吧嗎]$)/u;
const HIRAGANA_LAST = /[\u3041-\u3096]$/u;
const IDEOGRAPH_FIRST = /^[\p{sc=Han}\p{sc=Katakana}]/u;

// A pause after an abbreviation that tells the end of a sentence from an abbreviation inside it.
const TELLING_PAUSE_MS = 250;
const ORDINAL_PAUSE_MS = 400;

/** Whether a sentence ends with this word. Abbreviations, initials and ordinals do not end one by their stop. */
export function endsSentence(word: string, { next, pause_ms, cased, rules }: SentenceContext): boolean {
  const core = word.replace(CLOSERS, '');
  if (!SENTENCE_END.test(core)) return false;
  if (next === undefined) return true;
  const following = next.replace(OPENERS, '');
  const goesOn = cased && STARTS_LOWER.test(following);
  if (!core.endsWith('.')) return !goesOn;

  const stem = core.slice(0, -1).replace(OPENERS, '').toLowerCase();
  if (rules.neverLast.has(stem)) return false;
  if (rules.ordinalStop && /^\d{1,2}$/.test(stem)) return pause_ms >= ORDINAL_PAUSE_MS;
  if (INITIALS.test(stem) || rules.maybeLast.has(stem)) {
    const mayStart = !cased || STARTS_UPPER.test(following);
    return mayStart && (pause_ms >= TELLING_PAUSE_MS || isFunctionWord(following.toLowerCase(), rules));
  }
  return !goesOn;
}

/** What a break costs at least. */
export const LEAST_BREAK_COST = -8;

/**
 * What it costs the reader to break between two words: below zero at the ends of sentences and clauses,
 * high where words belong together. Comparable to `pieceCost`. `earlier` is the word before `before`, which tells
 * "of them" from "they".
 */
export function breakCost(before: string, after: string, rules: LanguageRules, earlier = ''): number {
  const core = before.replace(CLOSERS, '');
  const last = wordOf(before);
  const first = wordOf(after);
  const stem = core.endsWith('.') ? core.slice(0, -1).replace(OPENERS, '').toLowerCase() : undefined;
  if (stem !== undefined && rules.neverLast.has(stem)) return 14;
  if (stem !== undefined && (INITIALS.test(stem) || rules.maybeLast.has(stem))) return 8;
  if (SENTENCE_END.test(core)) return LEAST_BREAK_COST;
  if (CLAUSE_END.test(core)) return -6;
  const isObject = rules.pronouns.has(last) && rules.prepositions.has(wordOf(earlier));
  if (isFunctionWord(last, rules) && !isObject) return 10;
  if (rules.quantifiers.has(last) && rules.partitives.has(first)) return 8;
  if (DEPENDENT.test(after)) return 12;
  if (HIRAGANA_LAST.test(before) && IDEOGRAPH_FIRST.test(after)) return 0;
  if (rules.conjunctions.has(first)) return -3;
  if (rules.prepositions.has(first)) return -1;
  if (NUMBER.test(before)) return 8;
  const looksLikeName = STARTS_UPPER.test(before) && STARTS_UPPER.test(after);
  return looksLikeName ? 8 : 4;
}

/** What a pause takes off the cost of a break; `weight` is the worth of a long one (700 ms). */
export function pauseRelief(pause_ms: number, weight: number): number {
  return (weight * Math.min(Math.max(pause_ms, 0), 2100)) / 700;
}

/**
 * What a piece costs: one for being a piece, so that nothing is divided without a reason, more when it is
 * longer than one reads at ease (56 columns, 4.5 s), more when it is a mere scrap.
 */
export function pieceCost(columns: number, duration_ms: number): number {
  const wide = Math.max(0, columns - 56) / 28;
  const slow = Math.max(0, duration_ms - 4500) / 2500;
  return 10 + 6 * wide * wide + 6 * slow * slow + 0.6 * Math.max(0, 16 - columns);
}

/** The parts of a division: what a piece and a break cost, and what no piece of several items may be. */
export type Division = {
  count: number;
  pieceCost(from: number, to: number): number;
  /** The cost of breaking before item `at`. */
  breakCost(at: number): number;
  /** Must stay true when the piece grows. */
  tooLong(from: number, to: number): boolean;
};

/** The cheapest division of `count` items in a row, as the end (exclusive) of each piece. Linear in `count`. */
export function divide({ count, pieceCost, breakCost, tooLong }: Division): number[] {
  const best = new Float64Array(count + 1);
  const cameFrom = new Int32Array(count + 1);
  // What it costs to begin a piece at an item, all before it included.
  const begin = new Float64Array(count + 1);
  for (let to = 1; to <= count; to++) {
    best[to] = Number.POSITIVE_INFINITY;
    for (let from = to - 1; from >= 0; from--) {
      if (from < to - 1 && tooLong(from, to)) break;
      const cost = begin[from]! + pieceCost(from, to);
      if (cost < best[to]!) {
        best[to] = cost;
        cameFrom[to] = from;
      }
    }
    if (to < count) begin[to] = best[to]! + breakCost(to);
  }
  const ends: number[] = [];
  for (let to = count; to > 0; to = cameFrom[to]!) ends.push(to);
  return ends.reverse();
}

/** A text without what is no letter or digit at its ends. */
function wordOf(text: string): string {
  const isBare = isLetter(text.charCodeAt(0)) && isLetter(text.charCodeAt(text.length - 1));
  return (isBare ? text : text.replace(EDGES, '')).toLowerCase();
}

/** Of the letters that are most common: a to z, and ideographs and kana of one code unit. */
const isLetter = (code: number) =>
  (code >= 97 && code <= 122) ||
  (code >= 0x4e00 && code <= 0x9fff) ||
  (code >= 0x3041 && code <= 0x3096) ||
  (code >= 0x30a1 && code <= 0x30fa);

function isFunctionWord(word: string, rules: LanguageRules): boolean {
  return rules.clinging.has(word) || rules.prepositions.has(word) || rules.conjunctions.has(word);
}
