/** Computes the checksums of a file that is read in ranges. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { RangeSource } from '../../shared/media.ts';
import type { Digests } from './port.ts';

const READ_BYTES = 8 * 1024 * 1024;

export async function computeDigests(source: RangeSource, signal: AbortSignal): Promise<Digests> {
  const sha256 = createHash('sha256');
  const md5 = createHash('md5');
  let crc = 0;
  for await (const bytes of readRanges(source, READ_BYTES, 0, signal)) {
    sha256.update(bytes);
    md5.update(bytes);
    crc = crc32(bytes, crc);
  }
  return { sha256: sha256.digest('hex'), md5: md5.digest('base64'), crc32: base64OfCrc(crc) };
}

export async function* readRanges(source: RangeSource, size: number, first: number, signal: AbortSignal) {
  for (let at = first; at < source.size; at += size) {
    signal.throwIfAborted();
    yield await source.read(at, Math.min(source.size, at + size) - 1, signal);
  }
}

/** Returns a CRC-32 in the form that storages use: four bytes, big-endian, in base64. */
export function base64OfCrc(crc: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc);
  return bytes.toString('base64');
}
