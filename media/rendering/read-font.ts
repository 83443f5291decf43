/**
 * Reads the names, metrics and character map of a font file (OpenType 1.9: TrueType, CFF, and collections of them). Reads only the
 * tables that it needs. docs/decisions/0076-own-readers-of-fonts-and-loudness.md explains why it is not a library.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { defined } from '../../shared/checked-access.ts';

export interface Font {
  readonly path: string;
  /** The family, which is the same for all weights, such as "Inter". */
  readonly family: string;
  /** The name by which libass finds the font: "Inter-SemiBold" for PostScript fonts, "Roboto Medium" for TrueType fonts. */
  readonly name: string;
  /** 100 to 900. */
  readonly weight: number;
  readonly is_italic: boolean;
  /** The extent above and below the baseline in em, from the table `hhea`. Line boxes use it. */
  readonly ascent: number;
  readonly descent: number;
  /** The extent above and below the baseline in em, from the table `OS/2`. libass uses it for the size of a font. */
  readonly win_ascent: number;
  readonly win_descent: number;
  /** Returns the glyphs. The first call reads them from the file. */
  glyphs(): Glyphs;
}

export interface Glyphs {
  has(codePoint: number): boolean;
  /** The width of the character in em. 0 if the font lacks the character. */
  advance(codePoint: number): number;
}

/** Returns all fonts of a file. Throws if it is not a font file. */
export function readFonts(path: string): Font[] {
  const head = bytesOf(path, 0, 12);
  if (head.toString('latin1', 0, 4) !== 'ttcf') return [fontAt(path, 0)];
  const count = head.readUInt32BE(8);
  const offsets = bytesOf(path, 12, 4 * count);
  return Array.from({ length: count }, (_, at) => fontAt(path, offsets.readUInt32BE(4 * at)));
}

type Tables = (tag: string) => Buffer;

function fontAt(path: string, offset: number): Font {
  const count = bytesOf(path, offset, 12).readUInt16BE(4);
  const directory = bytesOf(path, offset + 12, 16 * count);
  const entries = new Map<string, readonly [first: number, length: number]>();
  for (let at = 0; at < directory.length; at += 16) {
    const place = [directory.readUInt32BE(at + 8), directory.readUInt32BE(at + 12)] as const;
    entries.set(directory.toString('latin1', at, at + 4), place);
  }
  const table: Tables = (tag) => {
    const place = entries.get(tag);
    if (place === undefined) throw new Error(`${path} has no table ${tag}`);
    return bytesOf(path, ...place);
  };
  const [head, hhea, os2] = [table('head'), table('hhea'), table('OS/2')];
  const em = head.readUInt16BE(18);
  const names = namesOf(table('name'));
  const isPostScript = entries.has('CFF ');
  let glyphs: Glyphs | undefined;
  return {
    path,
    // Name 16 is a family of any number of weights. Name 1 is a family of at most four styles.
    family: names.get(16) ?? names.get(1) ?? '',
    name: names.get(isPostScript ? 6 : 4) ?? '',
    weight: os2.readUInt16BE(4),
    is_italic: (os2.readUInt16BE(62) & 1) === 1,
    ascent: hhea.readInt16BE(4) / em,
    descent: -hhea.readInt16BE(6) / em,
    win_ascent: os2.readUInt16BE(74) / em,
    win_descent: os2.readUInt16BE(76) / em,
    glyphs: () => {
      glyphs ??= glyphsOf(table('cmap'), table('hmtx'), hhea.readUInt16BE(34), em);
      return glyphs;
    },
  };
}

function bytesOf(path: string, first: number, length: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(length);
    if (readSync(file, bytes, 0, length, first) < length) throw new Error(`${path} ends early`);
    return bytes;
  } finally {
    closeSync(file);
  }
}

/** Reads the English names for Windows (platform 3, language 0x409), which every font has. */
function namesOf(table: Buffer): Map<number, string> {
  const names = new Map<number, string>();
  const [count, strings] = [table.readUInt16BE(2), table.readUInt16BE(4)];
  for (let at = 6; at < 6 + 12 * count; at += 12) {
    const [platform, language, id] = [0, 4, 6].map((member) => table.readUInt16BE(at + member));
    if (platform !== 3 || language !== 0x409) continue;
    const [length, offset] = [table.readUInt16BE(at + 8), table.readUInt16BE(at + 10)];
    const text = table.subarray(strings + offset, strings + offset + length);
    names.set(defined(id), Buffer.from(text).swap16().toString('utf16le'));
  }
  return names;
}

function glyphsOf(cmap: Buffer, hmtx: Buffer, metrics: number, em: number): Glyphs {
  const glyphOf = characterMap(cmap);
  return {
    has: (codePoint) => glyphOf(codePoint) !== 0,
    advance: (codePoint) => {
      const glyph = glyphOf(codePoint);
      // Glyphs after the last metric have the width of the last metric.
      return glyph === 0 ? 0 : hmtx.readUInt16BE(4 * Math.min(glyph, metrics - 1)) / em;
    },
  };
}

/** Reads the map of format 12, which has more characters, or else of format 4. Glyph 0 means that the font lacks the character. */
function characterMap(cmap: Buffer): (codePoint: number) => number {
  const subtables = new Map<number, Buffer>();
  const count = cmap.readUInt16BE(2);
  for (let at = 4; at < 4 + 8 * count; at += 8) {
    const subtable = cmap.subarray(cmap.readUInt32BE(at + 4));
    const isOfUnicode = cmap.readUInt16BE(at) === 0 || cmap.readUInt16BE(at) === 3;
    if (isOfUnicode) subtables.set(subtable.readUInt16BE(0), subtable);
  }
  const [groups, segments] = [subtables.get(12), subtables.get(4)];
  if (groups !== undefined) return (codePoint) => glyphInGroups(groups, codePoint);
  if (segments !== undefined) return (codePoint) => glyphInSegments(segments, codePoint);
  return () => 0;
}

function glyphInGroups(table: Buffer, codePoint: number): number {
  let [low, high] = [0, table.readUInt32BE(12) - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const group = 16 + 12 * middle;
    const first = table.readUInt32BE(group);
    if (codePoint < first) high = middle - 1;
    else if (codePoint > table.readUInt32BE(group + 4)) low = middle + 1;
    else return table.readUInt32BE(group + 8) + codePoint - first;
  }
  return 0;
}

function glyphInSegments(table: Buffer, codePoint: number): number {
  const twice = table.readUInt16BE(6);
  for (let at = 0; at < twice; at += 2) {
    if (table.readUInt16BE(14 + at) < codePoint) continue;
    const first = table.readUInt16BE(16 + twice + at);
    if (first > codePoint) return 0;
    const delta = table.readUInt16BE(16 + 2 * twice + at);
    const place = 16 + 3 * twice + at;
    const offset = table.readUInt16BE(place);
    if (offset === 0) return (codePoint + delta) & 0xffff;
    const glyph = table.readUInt16BE(place + offset + 2 * (codePoint - first));
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
  }
  return 0;
}
