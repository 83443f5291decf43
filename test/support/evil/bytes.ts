/** Makes containers byte by byte, so that a test can make any field wrong. */
import { crc32, deflateSync } from 'node:zlib';

export const u8 = (...values: number[]) => Buffer.from(values);
export const u16 = (...values: number[]) => numbers(values, 2);
export const u32 = (...values: number[]) => numbers(values, 4);
export const u64 = (value: number | bigint) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt.asUintN(64, BigInt(value)));
  return bytes;
};
export const le16 = (...values: number[]) => u16(...values).swap16();
export const le32 = (...values: number[]) => u32(...values).swap32();
export const text = (value: string) => Buffer.from(value, 'utf8');
export const join = (...pieces: readonly Buffer[]) => Buffer.concat(pieces);
export const times = (count: number, piece: Buffer) =>
  Buffer.alloc(count * piece.length, new Uint8Array(piece));

function numbers(values: readonly number[], bytes: 2 | 4): Buffer {
  const out = Buffer.alloc(values.length * bytes);
  for (const [at, value] of values.entries()) {
    if (bytes === 2) out.writeUInt16BE(value & 0xffff, at * 2);
    else out.writeUInt32BE(value >>> 0, at * 4);
  }
  return out;
}

/** ISO/IEC 14496-12 §4.2. */
export const box = (type: string, ...pieces: readonly Buffer[]): Buffer => {
  const body = join(...pieces);
  return join(u32(8 + body.length), Buffer.from(type, 'latin1'), body);
};
export const full = (type: string, flags: number, ...pieces: readonly Buffer[]) =>
  box(type, u32(flags), ...pieces);

/** RFC 8794: an element with its encoded id and a size of eight bytes. */
export const element = (id: number, ...pieces: readonly Buffer[]): Buffer => {
  const body = join(...pieces);
  const idBytes = Buffer.from(
    id.toString(16).padStart(id.toString(16).length + (id.toString(16).length % 2), '0'),
    'hex',
  );
  return join(idBytes, u64(BigInt(body.length) | (1n << 56n)), body);
};
export const float64 = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
};

/** RIFF: sizes are little endian; chunks of odd length are padded. @param size the stated size, which may be wrong */
export const chunk = (id: string, body: Buffer, size = body.length) =>
  join(Buffer.from(id, 'latin1'), le32(size), body, Buffer.alloc(body.length % 2));

/** PNG §5.3, with a correct checksum. */
const pngChunk = (type: string, body: Buffer) => {
  const typed = join(Buffer.from(type, 'latin1'), body);
  return join(u32(body.length), typed, u32(crc32(typed)));
};
export const PNG_MARK = Buffer.from('89504e470d0a1a0a', 'hex');
/** An indexed picture of one bit per pixel, all zeros, which compresses best. */
export function png(width: number, height: number, { frames = 0, rows = height } = {}): Buffer {
  const stride = 1 + Math.ceil(width / 8);
  const pixels = deflateSync(Buffer.alloc(Math.min(rows * stride, 256 << 20)), { level: 9 });
  const control = (at: number) => join(u32(at), u32(width, height, 0, 0), u16(1, 25), u8(0, 0));
  const animation = Array.from({ length: Math.max(0, frames - 1) }, (_, at) => [
    pngChunk('fcTL', control(2 * at + 1)),
    pngChunk('fdAT', join(u32(2 * at + 2), pixels)),
  ]).flat();
  return join(
    PNG_MARK,
    pngChunk('IHDR', join(u32(width, height), u8(1, 3, 0, 0, 0))),
    pngChunk('PLTE', u8(0, 0, 0, 255, 255, 255)),
    ...(frames > 0 ? [pngChunk('acTL', u32(frames, 0)), pngChunk('fcTL', control(0))] : []),
    pngChunk('IDAT', pixels),
    ...animation,
    pngChunk('IEND', Buffer.alloc(0)),
  );
}

/** Writes bits from the left after the given bytes, and the codes of H.264 §9.1. */
export class Bits {
  #bits = '';
  constructor(hex: string) {
    this.u(4 * hex.length, Number.parseInt(hex, 16));
  }
  u(count: number, value: number): this {
    this.#bits += value.toString(2).padStart(count, '0').slice(-count);
    return this;
  }
  ue(...values: readonly number[]): this {
    for (const value of values) {
      const code = (value + 1).toString(2);
      this.#bits += '0'.repeat(code.length - 1) + code;
    }
    return this;
  }
  end(): Buffer {
    const bits = `${this.#bits}1`;
    const whole = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0');
    return Buffer.from(whole.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
  }
}
