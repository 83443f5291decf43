/** Keeps right-to-left text readable. Players treat every line of a cue as a paragraph of its own. */

const RIGHT_TO_LEFT =
  /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}\p{sc=Adlam}\p{sc=Samaritan}\p{sc=Mandaic}]/u;
const HAS_DIRECTION =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{1e900}-\u{1e95f}]/u;
const LETTER = /\p{L}/u;

const leftToRightMark = '\u200e';
const rightToLeftMark = '\u200f';

// Unicode Standard Annex #9, §2: embeddings and overrides end with PDF, isolates with PDI.
const closerOf: Record<string, string> = {
  '\u202a': '\u202c',
  '\u202b': '\u202c',
  '\u202d': '\u202c',
  '\u202e': '\u202c',
  '\u2066': '\u2069',
  '\u2067': '\u2069',
  '\u2068': '\u2069',
};
const closers = new Set(['\u202c', '\u2069']);

/**
 * Makes a player show every line of a cue in the direction of the whole cue. WebVTT §7.1 takes the base direction of a
 * line from its first strong character. A line therefore gets a direction mark if it begins with a script of the other
 * direction. The function closes embeddings that a line break leaves open. It removes closing characters without an
 * opening one.
 */
export function addDirectionMarks(lines: string[]): string[] {
  const text = lines.join(' ');
  if (!HAS_DIRECTION.test(text)) return lines;
  const isRightToLeft = mostlyRightToLeft(text);
  return lines.map((line) => {
    const balancedLine = closeEmbeddings(line);
    const first = firstStrong(balancedLine);
    if (first === undefined || first === isRightToLeft) return balancedLine;
    return (isRightToLeft ? rightToLeftMark : leftToRightMark) + balancedLine;
  });
}

function mostlyRightToLeft(text: string): boolean {
  let balance = 0;
  for (const character of text) {
    if (LETTER.test(character)) balance += RIGHT_TO_LEFT.test(character) ? 1 : -1;
  }
  return balance > 0;
}

/** True for right to left, false for left to right. Undefined if no character of the line has a direction. */
function firstStrong(line: string): boolean | undefined {
  for (const character of line) {
    if (character === rightToLeftMark) return true;
    if (character === leftToRightMark) return false;
    if (LETTER.test(character)) return RIGHT_TO_LEFT.test(character);
  }
  return undefined;
}

function closeEmbeddings(line: string): string {
  const open: string[] = [];
  let kept = '';
  for (const character of line) {
    if (closers.has(character)) {
      if (open.at(-1) !== character) continue;
      open.pop();
    }
    const closer = closerOf[character];
    if (closer) open.push(closer);
    kept += character;
  }
  return kept + open.reverse().join('');
}
