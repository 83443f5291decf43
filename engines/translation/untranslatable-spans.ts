/** Finds the parts of a text that no engine can translate: URLs, placeholders, symbols and emoji. */
import type { Span } from './mask-text.ts';

/** Matches `{name}`, `<b>`, `{{ count }}`. Without the limit of 80, each open bracket would cause a search to the end of the text. */
const BRACED = /\{{1,2}[^{}]{0,80}\}{1,2}|<[^<>]{0,80}>/gu;
const TOKEN = /\S+/gu;
const LEADING = /^[("'“‘«¿¡[]+/u;
const TRAILING = new Set('.,;:!?)"\'”’»…]');
/** Matches tokens that are not words: mail@example.com, #tag, %s, 50%, C:\x, a_b, https://a.b/c. */
const MARKED = /[@#\\^$*_=%~|`]|:\/\//u;
/** `HALF_OF_DAY`: engines mistake "a.m." for the end of a sentence. `IRISH_NAME`: in other languages, the "O" of "O'Brien" is a word. */
const HALF_OF_DAY = /^([ap]\.m\.?)[.,;:!?)"'”’»…\]]*$/iu;
const IRISH_NAME = /^[OÓ]['’]\p{Lu}\p{L}+/u;
/** Matches two words with a symbol between them. */
const JOINED = /^\p{L}+[/&+]\p{L}+$/u;
/** Matches all characters except letters, numbers, spaces and the punctuation of sentences. */
const SIGNS = /[^\p{L}\p{M}\p{N}\s.,;:!?¿¡'"’‘“”«»()…—–-]+/gu;

/** Removes marks from the end of a word. A regular expression would take quadratic time for many marks. */
export function withoutTrailingMarks(word: string): string {
  let end = word.length;
  while (end > 0 && TRAILING.has(word.charAt(end - 1))) end -= 1;
  return word.slice(0, end);
}

/** Returns the parts that no engine can translate, in order and without overlap. */
export function untranslatableSpans(text: string): Span[] {
  const braced = spansOf(text, BRACED);
  return between(text, braced).flatMap(({ start, end, after }) => [
    ...[...text.slice(start, end).matchAll(TOKEN)].flatMap(({ 0: token, index }) =>
      shiftSpans(spansInToken(token), start + index),
    ),
    ...after,
  ]);
}

function spansInToken(token: string): Span[] {
  const start = LEADING.exec(token)?.[0].length ?? 0;
  const core = withoutTrailingMarks(token.slice(start));
  const isOther = /[/&+]/.test(core) && !JOINED.test(core) && /[\p{L}\p{N}]/u.test(core);
  if (MARKED.test(core) || isOther) return [{ start, end: start + core.length }];
  const halfOfDay = HALF_OF_DAY.exec(token.slice(start))?.[1];
  const meant = halfOfDay ?? IRISH_NAME.exec(core)?.[0];
  if (meant !== undefined) return [{ start, end: start + meant.length }];
  return spansOf(token, SIGNS);
}

function between(text: string, spans: readonly Span[]): (Span & { after: Span[] })[] {
  return [...spans, null].map((span, at) => ({
    start: spans[at - 1]?.end ?? 0,
    end: span?.start ?? text.length,
    after: span === null ? [] : [span],
  }));
}

const spansOf = (text: string, pattern: RegExp): Span[] =>
  [...text.matchAll(pattern)].map(({ 0: found, index }) => ({ start: index, end: index + found.length }));

const shiftSpans = (spans: readonly Span[], by: number): Span[] =>
  spans.map(({ start, end }) => ({ start: start + by, end: end + by }));
