/** What of a text is no language: addresses, placeholders, marks and pictures. No engine has anything to translate in it. */
import type { Span } from './mask-text.ts';

/** `{name}`, `<b>`, `{{ count }}`. Of bounded length, so that an open bracket costs no search through all that follows. */
const BRACED = /\{{1,2}[^{}]{0,80}\}{1,2}|<[^<>]{0,80}>/gu;
const TOKEN = /\S+/gu;
/** What stands around a word and is none of it. */
const LEADING = /^[("'“‘«¿¡[]+/u;
const TRAILING = new Set('.,;:!?)"\'”’»…]');
/** Makes the whole of a token something else than a word: mail@example.com, #tag, %s, 50%, C:\x, a_b, https://a.b/c. */
const MARKED = /[@#\\^$*_=%~|`]|:\/\//u;
/** The halves of a day, which engines take for the end of a sentence; and a name whose first letter is a word elsewhere: O'Brien. */
const HALF_OF_DAY = /^([ap]\.m\.?)[.,;:!?)"'”’»…\]]*$/iu;
const IRISH_NAME = /^[OÓ]['’]\p{Lu}\p{L}+/u;
/** Two words with a mark between. */
const JOINED = /^\p{L}+[/&+]\p{L}+$/u;
/** All but letters, numbers and the punctuation of sentences. */
const SIGNS = /[^\p{L}\p{M}\p{N}\s.,;:!?¿¡'"’‘“”«»()…—–-]+/gu;

/** In one pass: an expression looks at each of many marks in turn, and from each at all that follow. */
export function withoutMarksBehind(word: string): string {
  let end = word.length;
  while (end > 0 && TRAILING.has(word[end - 1]!)) end -= 1;
  return word.slice(0, end);
}

/** Spans in order, without overlap. */
export function opaqueSpans(text: string): Span[] {
  const braced = spansOf(text, BRACED);
  return between(text, braced).flatMap(({ start, end, after }) => [
    ...[...text.slice(start, end).matchAll(TOKEN)].flatMap(({ 0: token, index }) =>
      moved(spansInToken(token), start + index),
    ),
    ...after,
  ]);
}

function spansInToken(token: string): Span[] {
  const start = LEADING.exec(token)?.[0].length ?? 0;
  const core = withoutMarksBehind(token.slice(start));
  const isOther = /[/&+]/.test(core) && !JOINED.test(core) && /[\p{L}\p{N}]/u.test(core);
  if (MARKED.test(core) || isOther) return [{ start, end: start + core.length }];
  const halfOfDay = HALF_OF_DAY.exec(token.slice(start))?.[1];
  const meant = halfOfDay ?? IRISH_NAME.exec(core)?.[0];
  if (meant !== undefined) return [{ start, end: start + meant.length }];
  return spansOf(token, SIGNS);
}

/** The stretches between spans, each with the span after it. */
function between(text: string, spans: readonly Span[]): (Span & { after: Span[] })[] {
  return [...spans, null].map((span, at) => ({
    start: spans[at - 1]?.end ?? 0,
    end: span?.start ?? text.length,
    after: span === null ? [] : [span],
  }));
}

const spansOf = (text: string, pattern: RegExp): Span[] =>
  [...text.matchAll(pattern)].map(({ 0: found, index }) => ({ start: index, end: index + found.length }));

const moved = (spans: readonly Span[], by: number): Span[] =>
  spans.map(({ start, end }) => ({ start: start + by, end: end + by }));
