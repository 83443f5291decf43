/** A film that must be uploaded in several parts: the demo video with padding at its end. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../toolchain/bundle/paths.ts';

/** Bytes. S3 accepts no smaller part except the last (Amazon S3 User Guide, "Multipart upload limits"). */
export const PART_BYTES = 5 * 1024 * 1024;

export const demoFilm = (): Buffer => readFileSync(join(root, 'content', 'demo', 'kinora-demo.mp4'));

/** ISO/IEC 14496-12 §8.1.2: players ignore the content of a `free` box anywhere in the file. */
export function withSpace(film: Buffer, bytes = PART_BYTES): Blob {
  const space = Buffer.alloc(Math.max(0, bytes));
  space.writeUInt32BE(space.length);
  space.write('free', 4, 'latin1');
  return new Blob([new Uint8Array(film), new Uint8Array(space)]);
}
