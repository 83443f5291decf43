/** Unpacks WOFF 1.0 (W3C Recommendation, 2012) into the OpenType font inside it, because resvg reads only OpenType. */
import { inflateSync } from 'node:zlib';

const WOFF_SIGNATURE = 0x774f4646;
const [woffHeaderSize, woffEntrySize, headerSize, entrySize] = [44, 20, 12, 16];

export function openTypeOf(woff: Buffer): Buffer {
  if (woff.readUInt32BE(0) !== WOFF_SIGNATURE) throw new Error('not a WOFF 1.0 file');
  const count = woff.readUInt16BE(12);
  const tables = Array.from({ length: count }, (_, i) => readTable(woff, woffHeaderSize + i * woffEntrySize));

  const directory = Buffer.alloc(headerSize + count * entrySize);
  writeHeader(directory, woff.readUInt32BE(4), count);
  const bodies: Buffer[] = [];
  let offset = directory.length;
  for (const [index, { tag, checksum, data }] of tables.entries()) {
    const at = headerSize + index * entrySize;
    directory.writeUInt32BE(tag, at);
    directory.writeUInt32BE(checksum, at + 4);
    directory.writeUInt32BE(offset, at + 8);
    directory.writeUInt32BE(data.length, at + 12);
    // OpenType: every table begins at a multiple of four bytes.
    bodies.push(data, Buffer.alloc(-data.length & 3));
    offset += data.length + (-data.length & 3);
  }
  return Buffer.concat([directory, ...bodies]);
}

interface FontTable {
  readonly tag: number;
  readonly checksum: number;
  readonly data: Buffer;
}

/** WOFF §5: a table is uncompressed if its two lengths are equal. */
function readTable(woff: Buffer, at: number): FontTable {
  const [offset, packed, length] = [at + 4, at + 8, at + 12].map((place) => woff.readUInt32BE(place)) as [
    number,
    number,
    number,
  ];
  const stored = woff.subarray(offset, offset + packed);
  return {
    tag: woff.readUInt32BE(at),
    checksum: woff.readUInt32BE(at + 16),
    data: packed < length ? inflateSync(stored) : stored,
  };
}

/** OpenType, "Table directory": the search fields are computed from the number of tables. */
function writeHeader(directory: Buffer, flavor: number, count: number): void {
  const selector = Math.floor(Math.log2(count));
  const range = 2 ** selector * 16;
  directory.writeUInt32BE(flavor, 0);
  directory.writeUInt16BE(count, 4);
  directory.writeUInt16BE(range, 6);
  directory.writeUInt16BE(selector, 8);
  directory.writeUInt16BE(count * 16 - range, 10);
}
