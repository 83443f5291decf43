/** A film that needs several parts to be sent: the demo video with empty space at its end. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../toolchain/bundle/paths.ts';

/** Bytes; S3 takes no smaller part but the last (Amazon S3 User Guide, "Multipart upload limits"). */
export const PART_BYTES = 5 * 1024 * 1024;

export const demoFilm = (): Buffer => readFileSync(join(root, 'content', 'demo', 'kinora-demo.mp4'));

/** ISO/IEC 14496-12 §8.1.2: what a box of the type `free` holds is ignored, wherever it stands between the others. */
export function withSpace(film: Buffer, bytes = PART_BYTES): Blob {
  const space = Buffer.alloc(Math.max(0, bytes));
  space.writeUInt32BE(space.length);
  space.write('free', 4, 'latin1');
  return new Blob([new Uint8Array(film), new Uint8Array(space)]);
}
