/** How much a word list or dictionary may hold. */
import { Inconsistent, Problem } from '../../../shared/problems.ts';

/** Bytes of UTF-8 JSON: an item of the table holds 400 KB, and the list is read whole by every job. */
export const MAX_INLINE_BYTES = 300 * 1024;

/** Throws payload_too_large where the list, with its other members, cannot be kept in one item. */
export function requireInline(member: string, content: unknown): void {
  const bytes = Buffer.byteLength(JSON.stringify(content));
  if (bytes <= MAX_INLINE_BYTES) return;
  throw new Problem(
    'payload_too_large',
    `${member} has ${bytes} bytes as JSON; at most ${MAX_INLINE_BYTES} are kept. Split it into several.`,
    {
      findings: [{ pointer: `/${member}`, code: 'too_large', detail: `At most ${MAX_INLINE_BYTES} bytes.` }],
    },
  );
}

/** Words that differ in case or outer space alone are one: which form is meant could not be told. Text is NFC already. */
const folded = (word: string) => word.trim().toLowerCase();

/**
 * Throws validation_failed where words stand in a list twice.
 * @param pointerOf the place of a word, by its number
 */
export function requireDistinct(words: readonly string[], pointerOf: (at: number) => string): void {
  const first = new Map<string, number>();
  const findings = words.flatMap((word, at) => {
    const seen = first.get(folded(word));
    first.set(folded(word), seen ?? at);
    if (seen === undefined) return [];
    const detail = `${JSON.stringify(word)} is there already as ${JSON.stringify(words[seen])}: case does not count.`;
    return [{ pointer: pointerOf(at), code: 'duplicate', detail }];
  });
  if (findings.length > 0) throw new Inconsistent(findings);
}

/** The same for the terms of a dictionary, and the expansions of each. */
export function requireDistinctTerms(dictionary: Readonly<Record<string, readonly string[]>>): void {
  const pointerOf = (term: string) => `/dictionary/${term.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const terms = Object.keys(dictionary);
  requireDistinct(terms, (at) => pointerOf(terms[at]!));
  for (const [term, expansions] of Object.entries(dictionary)) {
    requireDistinct(expansions, (at) => `${pointerOf(term)}/${at}`);
  }
}
