/** Names the format of a file that is not media, from its first bytes. */
import type { OpenMedia } from './serve-ranges.ts';

/** The first bytes of common files that are not media. RIFF, ISO and Ogg are missing here, because ffprobe recognizes their formats. */
const signatures: readonly (readonly [prefix: string, name: string])[] = [
  ['PK\x03\x04', 'a ZIP archive or an Office document'],
  ['PK\x05\x06', 'an empty ZIP archive'],
  ['%PDF', 'a PDF document'],
  ['\x89PNG', 'a PNG image'],
  ['\xff\xd8\xff', 'a JPEG image'],
  ['GIF8', 'a GIF image'],
  ['BM', 'a BMP image'],
  ['II*\0', 'a TIFF image'],
  ['MM\0*', 'a TIFF image'],
  ['8BPS', 'a Photoshop image'],
  ['\x1f\x8b', 'a gzip archive'],
  ['7z\xbc\xaf\x27\x1c', 'a 7z archive'],
  ['Rar!', 'a RAR archive'],
  ['BZh', 'a bzip2 archive'],
  ['\xfd7zXZ', 'an xz archive'],
  ['\x7fELF', 'a program'],
  ['MZ', 'a Windows program'],
  ['SQLite format 3', 'an SQLite database'],
  ['\xd0\xcf\x11\xe0', 'an old Office document'],
];

/** Text formats that refer to other files. Such files are refused before any program reads them. */
const playlists: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^#EXTM3U/, 'an HLS or M3U playlist'],
  [/^ffconcat\b/, 'a concat list of ffmpeg'],
  [/^v=0\r?\n/, 'an SDP session description'],
  [/^\[playlist\]/i, 'a PLS playlist'],
  [/<MPD[\s>]/, 'a DASH manifest'],
  [/<SmoothStreamingMedia[\s>]/, 'a Smooth Streaming manifest'],
  [/<playlist[\s>]/, 'an XSPF playlist'],
];

const texts: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^WEBVTT\b/, 'WebVTT subtitles'],
  [/^\d+\r?\n\d\d:\d\d:\d\d,\d{3} -->/, 'SRT subtitles'],
  [/^\[Script Info\]/, 'ASS subtitles'],
  [/^(?:<!doctype html|<html[\s>])/i, 'a web page'],
  [/^<\?xml/, 'an XML document'],
  [/^[{[]/, 'a JSON document'],
];

/** The number of bytes to read: enough for a manifest after an XML prologue and comments. */
const SNIFFED_BYTES = 4096;

/** Returns the format ("a PDF document", "an empty file") if the file is certainly not media, else null. */
export async function sniffMedia({ read }: Pick<OpenMedia, 'read'>): Promise<string | null> {
  return sniff(await read(0, SNIFFED_BYTES - 1));
}

export function sniff(head: Uint8Array): string | null {
  if (head.length === 0) return 'an empty file';
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.length).toString('latin1');
  const signature = signatures.find(([prefix]) => bytes.startsWith(prefix));
  if (signature) return signature[1];
  if (/^RIFF.{4}WEBP/s.test(bytes)) return 'a WebP image';
  if (/^.{4}ftyp(?:avif|avis|heic|heix|mif1|msf1)/s.test(bytes)) return 'a HEIF or AVIF image';
  const text = textOf(head);
  const found = text === null ? undefined : [...playlists, ...texts].find(([pattern]) => pattern.test(text));
  if (found) return found[1];
  const isPlaylistWithBinaryTail = playlists.slice(0, 2).find(([pattern]) => pattern.test(bytes));
  if (isPlaylistWithBinaryTail) return isPlaylistWithBinaryTail[1];
  return text === null ? null : 'a text file';
}

/** Returns the start of the file as text. Null if it contains bytes that no text contains. Every media container starts with such bytes. */
function textOf(head: Uint8Array): string | null {
  const mark = Buffer.from(head.subarray(0, 2)).toString('hex');
  const encoding = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8';
  const text = new TextDecoder(encoding).decode(head);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters show that data are binary
  const isBinary = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]/.test(text);
  // The last character may be incomplete.
  const isMalformed = text.slice(0, -1).includes('\ufffd');
  return isBinary || isMalformed ? null : text.trimStart();
}
