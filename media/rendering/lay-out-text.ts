/** Lays out text: finds a font for each character, measures widths, and breaks lines. */
import { defined, itemAt, lastOf } from '../../shared/checked-access.ts';
import type { Fonts } from './choose-font.ts';
import type { Font } from './read-font.ts';

export interface Run {
  readonly text: string;
  readonly font: Font;
}

export interface TextLine {
  readonly runs: readonly Run[];
  /** The width in em, without ligatures and kerning. These would make text slightly narrower. */
  readonly width: number;
}

export interface Typeface {
  readonly fonts: Fonts;
  readonly font: Font;
  readonly weight: number;
  /** BCP 47. */
  readonly language?: string | undefined;
}

/** Splits text into the characters that people see: a letter with its accents, or an emoji of several parts. */
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const words = new Intl.Segmenter('und', { granularity: 'word' });
// Scripts without spaces between words.
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const UNSPACED_END = new RegExp(`(?:${UNSPACED.source}|[。、！？])$`, 'u');
// Invisible characters: joiners, direction marks, variation selectors.
const UNSEEN = /^[\p{Default_Ignorable_Code_Point}\p{Cf}]$/u;
// Accents are drawn over their letter and have no width.
const WIDTHLESS = /^[\p{Mn}\p{Me}]$/u;
// Matches skin tones. They are removed, because the fonts have no colors and would draw a patterned square.
const SKIN = /(?<=\p{Emoji_Modifier_Base}\ufe0f?)\p{Emoji_Modifier}/gu;
const LETTER = /\p{L}/u;
/** A possible break after a hyphen, a dash or a slash within a word. */
const HYPHENATED = /(?<=[^\s\p{Pd}/][\p{Pd}/])(?=[^\s\p{Pd}/])/u;
const SPACE = 0x20;
/** The last ASCII character before the letters. Spaces, digits and signs up to here belong to no script. */
const LAST_NEUTRAL = 0x40;
// JIS X 4051: characters that must not begin a line.
const NEVER_FIRST = /^[\p{Pe}\p{Pf}\p{Po}ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々]/u;

/** A piece of text. Lines may break between two pieces. */
export interface Piece {
  readonly text: string;
  readonly runs: readonly Run[];
  readonly width: number;
  /** The width of the leading space of the piece, in em. This space is dropped at the start of a line. */
  readonly space: number;
}

export interface MeasuredText {
  readonly pieces: readonly Piece[];
  /** The indexes of the pieces that end a written line. */
  readonly ends: ReadonlySet<number>;
}

/**
 * Measures a text as one paragraph. Words that are wider than a line are split at hyphens or between letters.
 * @param room the maximum width of a line, in em @param missing receives the characters that no font has
 */
export function measureText(
  written: readonly string[],
  room: number,
  typeface: Typeface,
  missing: Set<string>,
): MeasuredText {
  const pieces: Piece[] = [];
  const ends = new Set<number>();
  for (const [at, line] of written.entries()) {
    const shown = line.normalize('NFC').replace(SKIN, '');
    const text = between(written[at - 1], shown) + shown;
    for (const piece of piecesOf(text)) pieces.push(...fitting(piece, room, typeface, missing));
    ends.add(pieces.length - 1);
  }
  return { pieces, ends };
}

/** Returns the separator between two joined lines: a space, or nothing in scripts without spaces. */
function between(line: string | undefined, next: string): '' | ' ' {
  const isUnspaced = UNSPACED_END.test(line ?? '') && UNSPACED.test([...next][0] ?? '');
  return line === undefined || isUnspaced ? '' : ' ';
}

/** Breaks the text into as few lines as possible, of similar length. */
export function layOut(pieces: readonly Piece[], room: number, typeface: Typeface): TextLine[] {
  return broken(pieces, room).map((line) => {
    const { runs, width } = measure(line, typeface, new Set());
    return { runs, width };
  });
}

/** Splits a paragraph at the places where a line may break. The space before a piece belongs to the piece. */
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
      if (clings) pieces.push(defined(pieces.pop()) + segment);
      else pieces.push(segment);
      isFirst = false;
    }
  }
  return pieces;
}

function fitting(text: string, room: number, typeface: Typeface, missing: Set<string>): Piece[] {
  const fits = ({ width, space }: Piece) => width - space <= room;
  const whole = measure(text, typeface, missing);
  if (fits(whole)) return [whole];
  return text
    .split(HYPHENATED)
    .map((part) => measure(part, typeface, missing))
    .flatMap((part) => (fits(part) ? [part] : cut(part, room, typeface, missing)));
}

/** Splits a piece into parts of similar width, so that no part is only a letter. */
function cut({ text, width, space }: Piece, room: number, typeface: Typeface, missing: Set<string>): Piece[] {
  const letters = [...graphemes.segment(text)].map(({ segment }) => measure(segment, typeface, missing));
  const widest = Math.max(...letters.map((letter) => letter.width));
  const count = Math.ceil((width - space) / Math.max(room - widest, room / 2));
  const parts: string[] = [''];
  let filled = -space;
  for (const letter of letters) {
    const isFull = filled >= (width - space) / count && parts.length < count;
    if (filled > 0 && (isFull || filled + letter.width > room)) {
      parts.push('');
      filled = 0;
    }
    parts.push(defined(parts.pop()) + letter.text);
    filled += letter.width;
  }
  return parts.map((part) => measure(part, typeface, missing));
}

/** Breaks into as few lines as possible. Then reduces the width of the lines, without adding a line. */
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
    const begins = line === '';
    line += begins ? piece.text.trimStart() : piece.text;
    width += begins ? piece.width - piece.space : piece.width;
  }
  return line.trim() === '' ? lines : [...lines, line];
}

/** Measures a piece. The font of each character is the wanted font, or else the font of the preceding text, or else any font that has it. */
function measure(text: string, typeface: Typeface, missing: Set<string>): Piece {
  const runs: { text: string; font: Font }[] = [];
  let width = 0;
  for (const { segment } of graphemes.segment(text)) {
    const seen = [...segment].filter((character) => !UNSEEN.test(character));
    const codePoints = seen.map((character) => defined(character.codePointAt(0)));
    const font = fontFor(codePoints, runs.at(-1), typeface);
    if (font === null) for (const one of seen) missing.add(one);
    const used = font ?? runs.at(-1)?.font ?? typeface.font;
    if (runs.at(-1)?.font === used) lastOf(runs).text += segment;
    else runs.push({ text: segment, font: used });
    // Adds the width of each visible character: no font here draws a family emoji, or the two letters of a flag, as one character.
    for (const [at, one] of seen.entries()) {
      width += WIDTHLESS.test(one) ? 0 : used.glyphs().advance(itemAt(codePoints, at));
    }
  }
  const space = text.startsWith(' ') ? typeface.font.glyphs().advance(SPACE) : 0;
  return { text, runs: withFirstJoined(runs), width, space: Math.min(space, width) };
}

function fontFor(codePoints: readonly number[], run: Run | undefined, typeface: Typeface): Font | null {
  const hasAll = (font: Font) => codePoints.every((one) => font.glyphs().has(one));
  const isNeutral = codePoints.every((one) => one <= LAST_NEUTRAL);
  const before = run?.font;
  // An emoji has no script, so signs after an emoji use the font of the words.
  if (isNeutral && before !== undefined && LETTER.test(defined(run).text) && hasAll(before)) return before;
  if (hasAll(typeface.font)) return typeface.font;
  if (before !== undefined && hasAll(before)) return before;
  return known(codePoints, typeface);
}

const found = new WeakMap<Fonts, Map<string, Font | null>>();

/** Caches the font of each character. Searching all fonts is slow, and texts repeat characters. */
function known(codePoints: readonly number[], { fonts, weight, language }: Typeface): Font | null {
  const answers = found.get(fonts) ?? new Map<string, Font | null>();
  found.set(fonts, answers);
  const key = `${weight} ${language} ${codePoints.join()}`;
  const answer = answers.get(key) ?? fonts.having(codePoints, weight, language);
  answers.set(key, answer);
  return answer;
}

/** Digits and signs at the start get the font of the letters after them, so that there is one background box. */
function withFirstJoined(runs: readonly Run[]): readonly Run[] {
  const [first, second, ...others] = runs;
  if (first === undefined || second === undefined) return runs;
  const { has } = second.font.glyphs();
  const isNeutral = [...first.text].every(
    (one) => defined(one.codePointAt(0)) <= LAST_NEUTRAL && has(defined(one.codePointAt(0))),
  );
  return isNeutral && LETTER.test(second.text)
    ? [{ text: first.text + second.text, font: second.font }, ...others]
    : runs;
}
