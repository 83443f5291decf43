/** Finds out from the structure of a file whether its end is missing. ffmpeg plays such a file without an error. */
import { expectedSize, topBoxes } from './mp4-boxes.ts';
import type { OpenMedia } from './serve-ranges.ts';

/** How chunks are stored: where the first one starts, and how its length is written after its name. */
interface Chunks {
  readonly from: number;
  readonly read: (head: Buffer) => number;
  /** The size of name and length, bytes. 0 if the length of the chunk includes them. */
  readonly headBytes: number;
  /** The chunk with the media. The end of later chunks is not checked, because other programs cut or extend these. */
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
/** The number of bytes to read: the longest name and length, or the first values of `ds64`. */
const HEAD_BYTES = 24;
const MAX_CHUNKS = 64;
/** Some programs add the size of the header to the length. The stated length is then too large by up to this many bytes. */
const HEADER_SLACK = 128;

/**
 * Returns the size in bytes that a file states for itself, if the file is shorter. Null if it is complete, or if its
 * format states no size.
 */
export async function statedSize(source: OpenMedia, container: string): Promise<number | null> {
  if (container === 'mp4' || container === 'mov') return expectedSize(source);
  if (container === 'matroska') {
    const end = await endOfSegment(source);
    return end !== null && end > source.size ? end : null;
  }
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

/** A program that cannot seek back writes 0, -1 or a value near the maximum as the length, because it does not know the length yet. */
const isUnknown = (length: number): boolean =>
  length <= 0 ||
  (length >= 0x7fff_f000 && length <= 0x7fff_ffff) ||
  (length >= 0xffff_f000 && length <= 0xffff_ffff);

const SEGMENT = 0x18538067;

/** Matroska and WebM: an EBML header, then one segment with everything else (RFC 8794 §4, RFC 9559 §5). Null for a live recording. */
async function endOfSegment(source: OpenMedia): Promise<number | null> {
  const head = await source.read(0, 127);
  const start = 4 + widthAt(head, 4) + (numberAt(head, 4) ?? head.length);
  if (start + 12 > head.length || head.readUInt32BE(start) !== SEGMENT) return null;
  const length = numberAt(head, start + 4);
  return length === null ? null : start + 4 + widthAt(head, start + 4) + length;
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

/** Returns how a stream shows that its end is missing. Null if the end is not missing, or if the format cannot show this. */
export async function brokenEnd(source: OpenMedia, container: string): Promise<string | null> {
  const find = streams[container];
  return find === undefined ? null : find(source);
}

const streams: Readonly<Record<string, (source: OpenMedia) => Promise<string | null>>> = {
  mpegts: brokenTransportStream,
  ogg: brokenOgg,
  flv: brokenFlv,
  mp3: brokenMp3,
  aac: (source) => brokenFrames(source, adtsFrame),
  matroska: brokenRecording,
  mp4: brokenFragments,
  mov: brokenFragments,
};

/** The number of bytes to read at the end of a stream: more than the largest page of Ogg (65,307 bytes) or a second of sound. */
const TAIL_BYTES = 1 << 20;
/** Sizes of a packet: plain (ISO/IEC 13818-1), with a time before it (M2TS), or with error correction after it. */
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

const tailOf = (source: OpenMedia, bytes = TAIL_BYTES): Promise<Buffer> =>
  source.read(Math.max(0, source.size - bytes), source.size - 1);

/** Returns the position after the unit that starts at `at`; null if there is no unit, or if it states no length. */
type Next = (bytes: Buffer, at: number) => number | null;
const WITHIN = 'The file ends within a unit of its sound or picture.';

/** Follows the units from `at`. Says whether the last one ends after the file. Null if the bytes are no units. */
function isCut(tail: Buffer, at: number, next: Next): { readonly isCut: boolean; units: number } | null {
  let end: number | null = at;
  let units = 0;
  for (; end !== null && end < tail.length; units += 1) end = next(tail, end);
  return end === null ? null : { isCut: end > tail.length, units };
}

const box: Next = (bytes, at) => {
  const length = at + 8 <= bytes.length ? bytes.readUInt32BE(at) : 0;
  return length < 8 ? null : at + length;
};
/** The type of a fragment, and its first box. */
const FRAGMENT = 'moof\0\0\0\x10mfhd';
/** The number of bytes to read at the end of a fragmented file. A fragment may be larger than `TAIL_BYTES`. */
const FRAGMENT_BYTES = 16 << 20;

/** A fragmented file states the sizes of its fragments only. The last one shows whether the file is complete. */
async function brokenFragments(source: OpenMedia): Promise<string | null> {
  let isFragmented = false;
  for await (const { type } of topBoxes(source, 8)) isFragmented ||= type === 'moof';
  if (!isFragmented) return null;
  const tail = await tailOf(source, FRAGMENT_BYTES);
  const at = tail.lastIndexOf(FRAGMENT) - 4;
  return at >= 0 && isCut(tail, at, box)?.isCut ? WITHIN : null;
}

const CLUSTER = Buffer.from('1f43b675', 'hex');
const element: Next = (bytes, at) => {
  const size = at + widthAt(bytes, at);
  const length = numberAt(bytes, size);
  return length === null || widthAt(bytes, at) > 4 ? null : size + widthAt(bytes, size) + length;
};

/** A live recording does not state its own size, but it states the sizes of the blocks in its last cluster. */
async function brokenRecording(source: OpenMedia): Promise<string | null> {
  if ((await endOfSegment(source)) !== null) return null;
  const tail = await tailOf(source, FRAGMENT_BYTES);
  const at = tail.lastIndexOf(CLUSTER) + CLUSTER.length;
  if (at < CLUSTER.length) return null;
  return isCut(tail, at + widthAt(tail, at), element)?.isCut ? WITHIN : null;
}

/** An AAC frame with its header (ISO/IEC 14496-3, ADTS). */
const adtsFrame: Next = (bytes, at) =>
  at + 6 <= bytes.length && (bytes.readUInt16BE(at) & 0xfff6) === 0xfff0
    ? at + ((bytes.readUInt32BE(at + 2) >> 5) & 0x1fff)
    : null;

/** Kilobits a second of layer III, in MPEG-1 and in MPEG-2 (ISO/IEC 11172-3, 13818-3). */
const bitRates = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
];
const mp3Frame: Next = (bytes, at) => {
  const head = at + 4 <= bytes.length ? bytes.readUInt32BE(at) : 0;
  const version = (head >>> 19) & 3;
  const kilobits = bitRates[version === 3 ? 0 : 1]?.[(head >>> 12) & 15] ?? 0;
  const rate = ([44_100, 48_000, 32_000][(head >>> 10) & 3] ?? 0) >> ((3 - Math.max(1, version)) % 3);
  const isFrame = head >>> 21 === 0x7ff && ((head >>> 17) & 3) === 1 && kilobits > 0 && rate > 0;
  return isFrame
    ? at + Math.floor(((version === 3 ? 144 : 72) * 1000 * kilobits) / rate) + ((head >>> 9) & 1)
    : null;
};
/** The minimum number of consecutive frames. Fewer may be other bytes that look like frames. */
const FEWEST_FRAMES = 4;

async function brokenFrames(source: OpenMedia, next: Next): Promise<string | null> {
  const tail = await tailOf(source, 32 << 10);
  for (let at = tail.indexOf(0xff); at >= 0; at = tail.indexOf(0xff, at + 1)) {
    const found = isCut(tail, at, next);
    if (found !== null && found.units >= FEWEST_FRAMES) return found.isCut ? WITHIN : null;
  }
  return null;
}

const END_OF_STREAM = 4;

/** The last page of an Ogg stream is marked (RFC 3533 §6). */
async function brokenOgg(source: OpenMedia): Promise<string | null> {
  const tail = await tailOf(source);
  const at = tail.lastIndexOf('OggS');
  if (at < 0) return null;
  const segments = tail[at + 26] ?? 0;
  const table = tail.subarray(at + 27, at + 27 + segments);
  const end = at + 27 + segments + table.reduce((sum, length) => sum + length, 0);
  if (end > tail.length) return 'The file ends within a page.';
  return (tail[at + 5]! & END_OF_STREAM) === 0 ? 'The last page is missing.' : null;
}

/** The size of a tag stands after the tag (Adobe FLV specification, E.3). Types: sound 8, video 9, script 18. */
async function brokenFlv(source: OpenMedia): Promise<string | null> {
  const size = (await source.read(source.size - 4, source.size - 1)).readUInt32BE();
  const at = source.size - 4 - size;
  if (size < 11 || at < 0) return WITHIN;
  const head = await source.read(at, at + 3);
  return [8, 9, 18].includes(head[0]! & 0x1f) && head.readUIntBE(1, 3) + 11 === size ? null : WITHIN;
}

/** An encoder that can seek back writes the number of bytes into the first frame of an MP3 ("Xing" or "Info"). */
async function brokenMp3(source: OpenMedia): Promise<string | null> {
  const start = await source.read(0, 9);
  const isTagged = start.toString('latin1', 0, 3) === 'ID3';
  // Only seven bits of each byte are used (ID3v2.4 §3.1).
  const tag = isTagged ? 10 + start.subarray(6, 10).reduce((sum, byte) => sum * 128 + byte, 0) : 0;
  const frame = await source.read(tag, tag + 255);
  const at = Math.max(frame.indexOf('Xing'), frame.indexOf('Info'));
  if (at < 0 || at + 16 > frame.length) return brokenFrames(source, mp3Frame);
  const flags = frame.readUInt32BE(at + 4);
  if (!(flags & 2)) return null;
  const end = tag + frame.readUInt32BE(at + (flags & 1 ? 12 : 8));
  return end > source.size ? `The file has ${source.size} of ${end} bytes.` : null;
}
