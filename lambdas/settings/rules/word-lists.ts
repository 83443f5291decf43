import { itemAt } from '../../../shared/checked-access.ts';
import { Inconsistent, Problem } from '../../../shared/problems.ts';

/** The largest list, as UTF-8 JSON. A table item holds 400 KB, and every job reads the whole list. */
const MAX_INLINE_BYTES = 300 * 1024;

/** Throws payload_too_large if the list does not fit into one item with its other members. */
export function requireInline(member: string, content: unknown): void {
  const bytes = Buffer.byteLength(JSON.stringify(content));
  if (bytes <= MAX_INLINE_BYTES) return;
  throw new Problem(
    'payload_too_large',
    `${member} has ${bytes} bytes as JSON; the maximum is ${MAX_INLINE_BYTES}. Split it into several.`,
    {
      findings: [{ pointer: `/${member}`, code: 'too_large', detail: `At most ${MAX_INLINE_BYTES} bytes.` }],
    },
  );
}

/** The form in which words are compared. Case and spaces at the ends do not matter. Text is NFC already. */
const folded = (word: string) => word.trim().toLowerCase();

/** Throws validation_failed for duplicate words. `pointerOf` gives the JSON pointer of the word at an index. */
export function requireDistinct(words: readonly string[], pointerOf: (at: number) => string): void {
  const first = new Map<string, number>();
  const findings = words.flatMap((word, at) => {
    const seen = first.get(folded(word));
    first.set(folded(word), seen ?? at);
    if (seen === undefined) return [];
    const detail = `${JSON.stringify(word)} is a duplicate of ${JSON.stringify(words[seen])}. Case is ignored.`;
    return [{ pointer: pointerOf(at), code: 'duplicate', detail }];
  });
  if (findings.length > 0) throw new Inconsistent(findings);
}

export function requireDistinctTerms(dictionary: Readonly<Record<string, readonly string[]>>): void {
  const pointerOf = (term: string) => `/dictionary/${term.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const terms = Object.keys(dictionary);
  requireDistinct(terms, (at) => pointerOf(itemAt(terms, at)));
  for (const [term, expansions] of Object.entries(dictionary)) {
    requireDistinct(expansions, (at) => `${pointerOf(term)}/${at}`);
  }
}
