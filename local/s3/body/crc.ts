/** Computes the CRCs that zlib lacks, and the CRC of an object from the CRCs of its parts. */
import { crc32 } from 'node:zlib';

export type Crc = { update(data: Buffer): void; digest(): Buffer };

/** The reflected polynomials. Sources: RFC 3385 for CRC-32C, the NVM Express specification for CRC-64/NVME. */
const polynomials = {
  CRC32: { width: 32, polynomial: 0xedb88320n },
  CRC32C: { width: 32, polynomial: 0x82f63b78n },
  CRC64NVME: { width: 64, polynomial: 0x9a6c9329ac4bc9b5n },
} as const;

export type CrcName = keyof typeof polynomials;

export function crc(name: CrcName): Crc {
  if (name === 'CRC32') return zlibCrc32();
  return name === 'CRC32C' ? crc32c() : crc64nvme();
}

/** Returns the CRC of `a` followed by `b`, from both CRCs and the length of `b` in bytes. */
export function combineCrc(name: CrcName, a: Buffer, b: Buffer, lengthOfB: number): Buffer {
  const { width, polynomial } = polynomials[name];
  const one = 1n << BigInt(width - 1);
  const times = (x: bigint, y: bigint) => multiply(x, y, one, polynomial);

  // Appending n zero bits is a multiplication by x^n. Repeated squaring, from x^8 on, gives the factor for any number of bytes.
  let shift = one;
  let power = one >> 8n;
  for (let rest = BigInt(lengthOfB); rest > 0n; rest >>= 1n) {
    if (rest & 1n) shift = times(shift, power);
    power = times(power, power);
  }
  const combined = times(shift, BigInt(`0x${a.toString('hex')}`)) ^ BigInt(`0x${b.toString('hex')}`);
  return Buffer.from(combined.toString(16).padStart(width / 4, '0'), 'hex');
}

/** Multiplies two polynomials over GF(2), modulo the polynomial of the CRC. The bit order is reflected: the top bit is x^0. */
function multiply(a: bigint, b: bigint, one: bigint, polynomial: bigint): bigint {
  let product = 0n;
  let factor = b;
  for (let bit = one; bit > 0n; bit >>= 1n) {
    if (a & bit) product ^= factor;
    factor = factor & 1n ? (factor >> 1n) ^ polynomial : factor >> 1n;
  }
  return product;
}

function zlibCrc32(): Crc {
  let value = 0;
  return {
    update(data) {
      value = crc32(data, value);
    },
    digest: () => bigEndian(value),
  };
}

const crc32cTable = Uint32Array.from(tableOf('CRC32C'), Number);

function crc32c(): Crc {
  let value = 0xffffffff;
  return {
    update(data) {
      for (let at = 0; at < data.length; at += 1) {
        value = (value >>> 8) ^ crc32cTable[(value ^ data[at]!) & 0xff]!;
      }
    },
    digest: () => bigEndian(~value),
  };
}

const crc64Table = tableOf('CRC64NVME');
const crc64High = Uint32Array.from(crc64Table, (entry) => Number(entry >> 32n));
const crc64Low = Uint32Array.from(crc64Table, (entry) => Number(entry & 0xffffffffn));

/** Uses two 32-bit halves, because BigInt arithmetic for each byte would be much slower. */
function crc64nvme(): Crc {
  let high = 0xffffffff;
  let low = 0xffffffff;
  return {
    update(data) {
      for (let at = 0; at < data.length; at += 1) {
        const entry = (low ^ data[at]!) & 0xff;
        low = ((low >>> 8) | (high << 24)) ^ crc64Low[entry]!;
        high = (high >>> 8) ^ crc64High[entry]!;
      }
    },
    digest: () => Buffer.concat([bigEndian(~high), bigEndian(~low)]),
  };
}

function tableOf(name: CrcName): bigint[] {
  const { polynomial } = polynomials[name];
  return Array.from({ length: 256 }, (_, index) => {
    let value = BigInt(index);
    for (let bit = 0; bit < 8; bit += 1) value = value & 1n ? (value >> 1n) ^ polynomial : value >> 1n;
    return value;
  });
}

function bigEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}
