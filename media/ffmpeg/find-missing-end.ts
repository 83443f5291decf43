/** Finds out from the structure of a file whether its end is missing. ffmpeg plays such a file without an error. */
import { expectedSize } from './mp4-boxes.ts';
import type { OpenMedia } from './serve-ranges.ts';

/** How chunks are stored: where the first one starts, and how its length is written after its name. */
interface Chunks {
  readonly from: number;
  readonly read: (head: Buffer) => number;
  /** The bytes before the content; 0 if the length includes them. */
  readonly headBytes: number;
  /** The chunk with the media. Only its end counts: other programs cut or extend the chunks after it. */
  readonly media: string;
}

const little = (head: Buffer) => head.readUInt32LE(4);
const chunkFiles: Readonly<Record<string, Chunks>> = {
  wav: { from: 12, read: little, headBytes: 8, media: 'data' },
  avi: { from: 0, read: little, headBytes: 8, media: 'RIFF' },
  aiff: { from: 12, read: (head) => head.readUInt32BE(4), headBytes: 8, media: 'SSND' },
  caf: { from: 8, read: (head) => Number(head.readBigInt64BE(4)), headBytes: 12, media: 'data' },
  w64: { from: 40, read: (head) => Number(head.readBigUInt64LE(16)), headBytes: 0, media: 'data' },
};
/** The bytes that the longest head has, and the values of `ds64` that are read. */
const HEAD_BYTES = 24;
const MAX_CHUNKS = 64;
/** Programs that count the header too state up to this many bytes too much. */
const HEADER_SLACK = 128;

/**
 * Returns the size in bytes that a file states for itself, if the file is shorter. Null if it is complete, or if its
 * format states no size.
 */
export async function statedSize(source: OpenMedia, container: string): Promise<number | null> {
  if (container === 'mp4' || container === 'mov') return expectedSize(source);
  if (container === 'matroska') return endOfSegment(source);
  const chunks = chunkFiles[container];
  return chunks === undefined ? null : endOfChunk(source, chunks);
}

async function endOfChunk(source: OpenMedia, { from, read, headBytes, media }: Chunks) {
  let large = 0;
  let at = from;
  for (let count = 0; count < MAX_CHUNKS && at + HEAD_BYTES <= source.size; count += 1) {
    const head = await source.read(at, at + HEAD_BYTES - 1);
    const name = head.toString('latin1', 0, 4);
    // A WAV file of more than 4 GiB states the length of its data in this chunk (EBU Tech 3306).
    if (name === 'ds64') large = Number(head.readBigUInt64LE(16));
    const stated = read(head);
    const length = stated === 0xffff_ffff && large > 0 ? large : stated;
    if (name === media && isUnknown(length)) return null;
    const end = at + headBytes + length;
    if (name === media && end > source.size + HEADER_SLACK) return end;
    // Chunks start at even addresses.
    at = headBytes === 8 ? end + (length % 2) : end;
  }
  return null;
}

/** A program that cannot seek back writes 0, -1 or a value near the maximum, because it does not know the length yet. */
const isUnknown = (length: number): boolean =>
  length <= 0 ||
  (length >= 0x7fff_f000 && length <= 0x7fff_ffff) ||
  (length >= 0xffff_f000 && length <= 0xffff_ffff);

const SEGMENT = 0x18538067;

/** Matroska and WebM: an EBML header, then one segment with everything else (RFC 8794 §4, RFC 9559 §5). */
async function endOfSegment(source: OpenMedia): Promise<number | null> {
  const head = await source.read(0, 127);
  const start = 4 + widthAt(head, 4) + (numberAt(head, 4) ?? head.length);
  if (start + 12 > head.length || head.readUInt32BE(start) !== SEGMENT) return null;
  const length = numberAt(head, start + 4);
  // A live recording does not know its length.
  if (length === null) return null;
  const end = start + 4 + widthAt(head, start + 4) + length;
  return end > source.size ? end : null;
}

/** The number of bytes of an EBML number. */
const widthAt = (bytes: Buffer, at: number): number => Math.clz32(bytes[at] ?? 0) - 23;

/** An EBML number. Null if all its bits are set, which means "unknown". */
function numberAt(bytes: Buffer, at: number): number | null {
  const width = widthAt(bytes, at);
  let value = (bytes[at] ?? 0) & (0xff >> width);
  for (let next = 1; next < width; next += 1) value = value * 256 + (bytes[at + next] ?? 0);
  return value === 2 ** (7 * width) - 1 ? null : value;
}

/** Returns how a stream shows that its end is missing. Null if it ends as it should, or if its format has no end. */
export async function brokenEnd(source: OpenMedia, container: string): Promise<string | null> {
  const find = streams[container];
  return find === undefined ? null : find(source);
}

const streams: Readonly<Record<string, (source: OpenMedia) => Promise<string | null>>> = {
  mpegts: brokenTransportStream,
  ogg: brokenOgg,
  mp3: brokenMp3,
};

/** The bytes at the end of a stream that are read: more than the largest page of Ogg (65,307 bytes), and than the sound of a second. */
const TAIL_BYTES = 1 << 20;
/** Sizes of a packet: of ISO/IEC 13818-1, with a time before it (M2TS), and with error correction after it. */
const PACKET_BYTES = [188, 192, 204];
const SYNC = 0x47;

async function brokenTransportStream(source: OpenMedia): Promise<string | null> {
  const head = await source.read(0, 4 * 204);
  const found = PACKET_BYTES.map((bytes) => ({ bytes, at: bytes === 192 ? 4 : 0 })).find(({ bytes, at }) =>
    [0, 1, 2].every((packet) => head[at + packet * bytes] === SYNC),
  );
  if (found === undefined) return null;
  const { bytes, at: sync } = found;
  const whole = Math.floor(source.size / bytes);
  if (source.size % bytes > 0) return 'The file ends within a packet.';
  const first = Math.max(0, whole - Math.floor(TAIL_BYTES / bytes));
  const tail = await source.read(first * bytes, whole * bytes - 1);
  // A packetized elementary stream (PES) states the length of its units, except for video.
  const missing = new Map<number, number>();
  for (let at = sync; at + 188 <= tail.length; at += bytes) {
    if (tail[at] !== SYNC) return null;
    const pid = tail.readUInt16BE(at + 1) & 0x1fff;
    const control = tail[at + 3]!;
    const payload = at + 4 + (control & 0x20 ? 1 + tail[at + 4]! : 0);
    const isStart = (tail[at + 1]! & 0x40) !== 0;
    if (!(control & 0x10) || payload + 6 > at + 188) continue;
    const isUnit = isStart && tail.readUIntBE(payload, 3) === 1;
    const length = isUnit ? tail.readUInt16BE(payload + 4) : 0;
    if (isUnit) missing.set(pid, length === 0 ? 0 : length + 6);
    missing.set(pid, (missing.get(pid) ?? 0) - (at + 188 - payload));
  }
  return [...missing.values()].some((left) => left > 0) ? 'The file ends within a unit of its sound.' : null;
}

const END_OF_STREAM = 4;

/** The last page of an Ogg stream is marked (RFC 3533 §6). */
async function brokenOgg(source: OpenMedia): Promise<string | null> {
  const tail = await source.read(Math.max(0, source.size - TAIL_BYTES), source.size - 1);
  const at = tail.lastIndexOf('OggS');
  if (at < 0) return null;
  const segments = tail[at + 26] ?? 0;
  const table = tail.subarray(at + 27, at + 27 + segments);
  const end = at + 27 + segments + table.reduce((sum, length) => sum + length, 0);
  if (end > tail.length) return 'The file ends within a page.';
  return (tail[at + 5]! & END_OF_STREAM) === 0 ? 'The last page is missing.' : null;
}

/** An encoder that can seek back writes the number of bytes into the first frame of an MP3 ("Xing" or "Info"). */
async function brokenMp3(source: OpenMedia): Promise<string | null> {
  const start = await source.read(0, 9);
  const isTagged = start.toString('latin1', 0, 3) === 'ID3';
  // Seven bits of each byte count (ID3v2.4 §3.1).
  const tag = isTagged ? 10 + start.subarray(6, 10).reduce((sum, byte) => sum * 128 + byte, 0) : 0;
  const frame = await source.read(tag, tag + 255);
  const at = Math.max(frame.indexOf('Xing'), frame.indexOf('Info'));
  if (at < 0 || at + 16 > frame.length) return null;
  const flags = frame.readUInt32BE(at + 4);
  if (!(flags & 2)) return null;
  const end = tag + frame.readUInt32BE(at + (flags & 1 ? 12 : 8));
  return end > source.size ? `The file has ${source.size} of ${end} bytes.` : null;
}
