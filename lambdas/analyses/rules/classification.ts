/** Classifies a text into genres by its words. */
import { primarySubtag } from '../../../engines/engine.ts';
import { itemAt } from '../../../shared/checked-access.ts';
import type { MetadataHead } from './analysis-types.ts';
import { genres } from './genres.ts';
import type { Sentence } from './sentences.ts';

type Classification = MetadataHead['classifications'][number];

/** A text belongs to a genre only if it has at least this many different words of the genre. */
const LEAST_WORDS = 4;
const LEAST_SHARE = 0.03;
/** The weight of a genre's words must be at least this share of the weight of the best genre's words. */
const BESIDE_FIRST = 0.6;
const MOST = 3;

/**
 * The genres of a text, the best first. Empty if no genre fits or the language has no word list. A word of several
 * genres counts less, and a repeated word counts less each time. The confidence is null, because the scores are not
 * probabilities.
 */
export function classificationsOf(sentences: readonly Sentence[], language: string): Classification[] {
  const matchers = matchersOf(primarySubtag(language));
  if (matchers === null) return [];
  const counts = new Map<string, number>();
  for (const word of sentences.flatMap(({ words }) => words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const all = [...counts.values()].reduce((sum, times) => sum + times, 0);
  const found = [...counts].map(([word, times]) => {
    const kinds = matchers.filter(({ matches }) => matches(word)).map(({ code }) => code);
    return { times, kinds };
  });
  const scored = matchers.map(({ code, name }) => {
    const own = found.filter(({ kinds }) => kinds.includes(code));
    const share = own.reduce((sum, { times }) => sum + times, 0) / Math.max(1, all);
    const weight = own.reduce((sum, { times, kinds }) => sum + (1 + Math.log(times)) / kinds.length, 0);
    return { code, name, weight, fits: own.length >= LEAST_WORDS && share >= LEAST_SHARE };
  });
  const fitting = scored.filter(({ fits }) => fits).sort((one, other) => other.weight - one.weight);
  return fitting
    .filter(({ weight }) => weight >= BESIDE_FIRST * itemAt(fitting, 0).weight)
    .slice(0, MOST)
    .map(({ code, name }) => ({ scheme: 'EBU ContentCS', code, name, confidence: null }));
}

interface Matcher {
  readonly code: string;
  readonly name: string;
  readonly matches: (word: string) => boolean;
}

const made = new Map<string, readonly Matcher[]>();

function matchersOf(language: string): readonly Matcher[] | null {
  if (language !== 'en' && language !== 'es') return null;
  const known = made.get(language);
  if (known !== undefined) return known;
  const matchers = Object.entries(genres).map(([code, { name, [language]: words }]) => {
    return { code, name, matches: among(words.split(', ')) };
  });
  made.set(language, matchers);
  return matchers;
}

function among(entries: readonly string[]): (word: string) => boolean {
  const whole = new Set(entries.filter((entry) => !entry.endsWith('*')));
  const beginnings = entries.filter((entry) => entry.endsWith('*')).map((entry) => entry.slice(0, -1));
  return (word) => whole.has(word) || beginnings.some((beginning) => word.startsWith(beginning));
}

/** A code and its parents, so that a filter for 3.1 or 3.1.6 finds 3.1.6.8. */
export function codesOf(code: string): string[] {
  const parts = code.split('.');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 2).join('.'));
}
