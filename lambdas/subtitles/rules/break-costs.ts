/** Finds where to divide speech: the ends of sentences, the cost of a break, and the cheapest division. */
import { itemAt } from '../../../shared/checked-access.ts';
import type { LanguageRules } from './language-rules.ts';

export type SentenceContext = {
  next: string | undefined;
  pause_ms: number;
  /** Whether the text has capital letters. */
  cased: boolean;
  rules: LanguageRules;
};

const SENTENCE_END = /[.!?…。！？｡؟۔।॥]$/u;
const CLAUSE_END = /[,;:–—،؛、，；：]$/u;
// French puts spaces around these marks, so the pattern includes spaces. The lookbehind keeps the search linear: a
// match begins only at the first mark.
const CLOSERS = /(?<!["'”’»)\]}」』）】\s])["'”’»)\]}」』）】\s]+$/u;
const OPENERS = /^["'“‘«([{¿¡「『（【\s]+/u;
const EDGES = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;
const INITIALS = /^\p{L}(\.\p{L})*$/u;
const STARTS_LOWER = /^\p{Ll}/u;
const STARTS_UPPER = /^\p{Lu}/u;
const NUMBER = /^\p{N}[\p{N}.,]*$/u;
// Hiragana usually belongs to the word before it, as an ending or a particle. The same is true of these Chinese
// characters.
const DEPENDENT = /^(?:[\u3041-\u3096]|[的了吗呢吧嗎]$)/u;
const HIRAGANA_LAST = /[\u3041-\u3096]$/u;
const IDEOGRAPH_FIRST = /^[\p{sc=Han}\p{sc=Katakana}]/u;

// After an abbreviation, a pause of at least this length ends the sentence, ms.
const TELLING_PAUSE_MS = 250;
// After an ordinal, a pause of at least this length ends the sentence, ms.
const ORDINAL_PAUSE_MS = 400;

/** Whether a sentence ends with this word. The full stop of an abbreviation, initial or ordinal does not end a sentence. */
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

export const LEAST_BREAK_COST = -8;

/**
 * The cost of a break between two words, on the scale of `pieceCost`. It is negative at the ends of sentences and
 * clauses, and high between words that belong together. `earlier` is the word before `before`. With it, the function
 * can distinguish the "them" of "of them" from a subject such as "they".
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

/** How much a pause lowers the cost of a break. `weight` is the relief of a pause of 700 ms. */
export function pauseRelief(pause_ms: number, weight: number): number {
  return (weight * Math.min(Math.max(pause_ms, 0), 2100)) / 700;
}

/**
 * The cost of one piece of a divided text. The base cost prevents needless divisions. A piece costs more if it is very
 * short, or longer than comfortable (56 columns, 4.5 s).
 */
export function pieceCost(columns: number, duration_ms: number): number {
  const wide = Math.max(0, columns - 56) / 28;
  const slow = Math.max(0, duration_ms - 4500) / 2500;
  return 10 + 6 * wide * wide + 6 * slow * slow + 0.6 * Math.max(0, 16 - columns);
}

/** A division problem: the costs of pieces and breaks, and the limit for pieces of several items. */
export type Division = {
  pieceCost(from: number, to: number): number;
  breakCost(at: number): number;
  /** Whether a piece is too long. If it is true for a piece, it must be true for every longer piece. */
  tooLong(from: number, to: number): boolean;
};

/** Finds the cheapest division of items into pieces. Takes linear time, because `tooLong` limits the pieces. */
export function divide<Item>(items: readonly Item[], { pieceCost, breakCost, tooLong }: Division): Item[][] {
  const count = items.length;
  const best = new Float64Array(count + 1);
  const cameFrom = new Int32Array(count + 1);
  // For each item, the lowest cost of all pieces before it, if a piece begins with that item.
  const begin = new Float64Array(count + 1);
  for (let to = 1; to <= count; to++) {
    best[to] = Number.POSITIVE_INFINITY;
    for (let from = to - 1; from >= 0; from--) {
      if (from < to - 1 && tooLong(from, to)) break;
      const cost = itemAt(begin, from) + pieceCost(from, to);
      if (cost < itemAt(best, to)) {
        best[to] = cost;
        cameFrom[to] = from;
      }
    }
    if (to < count) begin[to] = itemAt(best, to) + breakCost(to);
  }
  const pieces: Item[][] = [];
  for (let to = count; to > 0; to = itemAt(cameFrom, to)) pieces.push(items.slice(itemAt(cameFrom, to), to));
  return pieces.reverse();
}

export function splitAfter<Item>(
  items: readonly Item[],
  isLast: (item: Item, next: Item) => boolean,
): Item[][] {
  const parts: Item[][] = [];
  let from = 0;
  items.forEach((item, i) => {
    const next = items[i + 1];
    if (next !== undefined && !isLast(item, next)) return;
    parts.push(items.slice(from, i + 1));
    from = i + 1;
  });
  return parts;
}

/** The text in lower case. Characters other than letters and digits are removed at both ends. */
function wordOf(text: string): string {
  const isBare = isLetter(text.charCodeAt(0)) && isLetter(text.charCodeAt(text.length - 1));
  return (isBare ? text : text.replace(EDGES, '')).toLowerCase();
}

/** Recognizes only the most common letters: a to z, and ideographs and kana of one code unit. */
const isLetter = (code: number) =>
  (code >= 97 && code <= 122) ||
  (code >= 0x4e00 && code <= 0x9fff) ||
  (code >= 0x3041 && code <= 0x3096) ||
  (code >= 0x30a1 && code <= 0x30fa);

function isFunctionWord(word: string, rules: LanguageRules): boolean {
  return rules.clinging.has(word) || rules.prepositions.has(word) || rules.conjunctions.has(word);
}
