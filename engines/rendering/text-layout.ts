/** Lays text out in fonts: which font has which characters, how wide they are, and where lines break. */
import type { Font } from './font-file.ts';
import type { Fonts } from './fonts.ts';

/** Text of one font on one line. */
export interface Run {
  readonly text: string;
  readonly font: Font;
}

export interface TextLine {
  readonly runs: readonly Run[];
  /** Parts of the em. Joined letters and pairs that are set closer take a little less. */
  readonly width: number;
}

export interface Typeface {
  readonly fonts: Fonts;
  readonly font: Font;
  readonly weight: number;
  /** BCP 47. */
  readonly language?: string | undefined;
}

export interface LaidText {
  readonly lines: readonly TextLine[];
  /** Characters that no font has. */
  readonly missing: readonly string[];
}

/** What is drawn together: a letter with its accents, an emoji of several. */
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const words = new Intl.Segmenter('und', { granularity: 'word' });
// Scripts that do not set spaces between words.
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
// Characters that are seen by what they do to others, if at all: joiners, marks of direction, variation selectors.
const UNSEEN = /^[\p{Default_Ignorable_Code_Point}\p{Cf}]$/u;
// Accents stand over their letter, and are as wide as nothing.
const WIDTHLESS = /^[\p{Mn}\p{Me}]$/u;
// The colour of a hand: the fonts have no colours, and would set a patterned square beside it.
const SKIN = /(?<=\p{Emoji_Modifier_Base}\ufe0f?)\p{Emoji_Modifier}/gu;
const LETTER = /\p{L}/u;
/** ASCII's spaces, digits and signs come before its letters: no script of their own. */
const LAST_NEUTRAL = 0x40;
// JIS X 4051: what may not begin a line.
const NEVER_FIRST = /^[\p{Pe}\p{Pf}\p{Po}ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々]/u;

/**
 * Paragraphs in lines no wider than that, each paragraph beginning a line of its own. Lines of a paragraph are about as long as
 * each other; a word that is wider than a line is cut.
 * @param room parts of the em
 */
export function laidOut(paragraphs: readonly string[], room: number, typeface: Typeface): LaidText {
  const missing = new Set<string>();
  const lines = paragraphs.flatMap((paragraph) => {
    const pieces = piecesOf(paragraph.normalize('NFC').replace(SKIN, '')).flatMap((piece) => {
      const measured = measure(piece, typeface, missing);
      return measured.width <= room ? [measured] : cut(measured, room, typeface, missing);
    });
    return broken(pieces, room).map((line) => measure(line, typeface, missing));
  });
  return { lines: lines.map(({ runs, width }) => ({ runs, width })), missing: [...missing] };
}

interface Piece {
  readonly text: string;
  readonly runs: readonly Run[];
  readonly width: number;
}

/** Between two pieces a line may break; a piece carries the space before it. */
function piecesOf(paragraph: string): string[] {
  const pieces: string[] = [];
  for (const word of paragraph.split(/(?= )/)) {
    if (!UNSPACED.test(word)) {
      pieces.push(word);
      continue;
    }
    let isFirst = true;
    for (const { segment } of words.segment(word)) {
      const clings = !isFirst && (NEVER_FIRST.test(segment) || pieces.at(-1) === ' ');
      if (clings) pieces.push(pieces.pop()! + segment);
      else pieces.push(segment);
      isFirst = false;
    }
  }
  return pieces;
}

function cut(piece: Piece, room: number, typeface: Typeface, missing: Set<string>): Piece[] {
  const parts: string[] = [''];
  let width = 0;
  for (const { segment } of graphemes.segment(piece.text)) {
    const more = measure(segment, typeface, missing).width;
    if (width + more > room && width > 0) {
      parts.push('');
      width = 0;
    }
    parts.push(parts.pop()! + segment);
    width += more;
  }
  return parts.map((part) => measure(part, typeface, missing));
}

/** As few lines as it takes, and then as narrow as these allow. */
function broken(pieces: readonly Piece[], room: number): string[] {
  const filled = filledTo(pieces, room);
  if (filled.length < 2) return filled;
  let [low, high] = [0, room];
  while (high - low > 0.1) {
    const middle = (low + high) / 2;
    if (filledTo(pieces, middle).length <= filled.length) high = middle;
    else low = middle;
  }
  return filledTo(pieces, high);
}

function filledTo(pieces: readonly Piece[], room: number): string[] {
  const lines: string[] = [];
  let [line, width] = ['', 0];
  for (const piece of pieces) {
    if (line !== '' && width + piece.width > room) {
      lines.push(line);
      [line, width] = ['', 0];
    }
    line += line === '' ? piece.text.trimStart() : piece.text;
    width += piece.width;
  }
  return line.trim() === '' ? lines : [...lines, line];
}

/** The text in the fonts that have it: the wanted one, else that of the text before, else another. */
function measure(text: string, typeface: Typeface, missing: Set<string>): Piece {
  const runs: { text: string; font: Font }[] = [];
  let width = 0;
  for (const { segment } of graphemes.segment(text)) {
    const seen = [...segment].filter((character) => !UNSEEN.test(character));
    const codePoints = seen.map((character) => character.codePointAt(0)!);
    const font = fontFor(codePoints, runs.at(-1), typeface);
    if (font === null) for (const one of seen) missing.add(one);
    const used = font ?? runs.at(-1)?.font ?? typeface.font;
    if (runs.at(-1)?.font === used) runs.at(-1)!.text += segment;
    else runs.push({ text: segment, font: used });
    // All that is seen counts: no font here joins the people of a family, a flag's two letters, or a hand and its colour.
    for (const [at, one] of seen.entries()) {
      width += WIDTHLESS.test(one) ? 0 : used.glyphs().advance(codePoints[at]!);
    }
  }
  return { text, runs: withFirstJoined(runs), width };
}

function fontFor(codePoints: readonly number[], run: Run | undefined, typeface: Typeface): Font | null {
  const hasAll = (font: Font) => codePoints.every((one) => font.glyphs().has(one));
  const isNeutral = codePoints.every((one) => one <= LAST_NEUTRAL);
  const before = run?.font;
  // Emoji are no script: what follows them looks like the other words.
  if (isNeutral && before !== undefined && LETTER.test(run!.text) && hasAll(before)) return before;
  if (hasAll(typeface.font)) return typeface.font;
  if (before !== undefined && hasAll(before)) return before;
  return known(codePoints, typeface);
}

const found = new WeakMap<Fonts, Map<string, Font | null>>();

/** Looking through all fonts takes a while, and texts repeat their letters. */
function known(codePoints: readonly number[], { fonts, weight, language }: Typeface): Font | null {
  const answers = found.get(fonts) ?? new Map<string, Font | null>();
  found.set(fonts, answers);
  const key = `${weight} ${language} ${codePoints.join()}`;
  const answer = answers.get(key) ?? fonts.having(codePoints, weight, language);
  answers.set(key, answer);
  return answer;
}

/** Digits, dashes and the like at the beginning of a line are set in the font of the letters that follow, where it has them: one font, one box. */
function withFirstJoined(runs: readonly Run[]): readonly Run[] {
  const [first, second, ...others] = runs;
  if (first === undefined || second === undefined) return runs;
  const { has } = second.font.glyphs();
  const isNeutral = [...first.text].every(
    (one) => one.codePointAt(0)! <= LAST_NEUTRAL && has(one.codePointAt(0)!),
  );
  return isNeutral && LETTER.test(second.text)
    ? [{ text: first.text + second.text, font: second.font }, ...others]
    : runs;
}
