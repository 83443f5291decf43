/** The line width of writing systems, and which of them have no spaces between words. */
import { defined, lastOf } from '../../../shared/checked-access.ts';

// 16 full-width characters are as wide as 42 letters.
const WIDE_COLUMNS = 42 / 16;

const PLAIN = /^[\u0020-\u02ff]*$/;
const INVISIBLE = /[\p{M}\p{Cf}]/u;
// Unicode Standard Annex #11: East Asian Wide and Fullwidth, and wide pictographs.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const IDEOGRAPHIC_EDGE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303f\uff01-\uff65]/u;
const CLOSING_ONLY = /^[\p{Pe}\p{Pf}.,!?;:…%、。，！？；：؟،]+$/u;

/** The width of a text in columns: 1 for a letter, 42/16 for a full-width character, 0 for a combining mark. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let columns = 0;
  for (const character of text) {
    if (character < '\u0300') columns += 1;
    else if (WIDE.test(character)) columns += WIDE_COLUMNS;
    else if (!INVISIBLE.test(character)) columns += 1;
  }
  return columns;
}

/** Whether a text has a script without spaces between words (Chinese, Japanese, Thai, …). */
export function isUnspaced(text: string): boolean {
  return UNSPACED.test(text);
}

export function needsSpace(before: string, after: string): boolean {
  if (before === '' || after === '' || CLOSING_ONLY.test(after)) return false;
  const left = lastOf([...before.slice(-2)]);
  const right = String.fromCodePoint(defined(after.codePointAt(0)));
  if (IDEOGRAPHIC_EDGE.test(left) || IDEOGRAPHIC_EDGE.test(right)) return false;
  return !(UNSPACED.test(left) && UNSPACED.test(right));
}
