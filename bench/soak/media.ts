/** Makes short media of several kinds, so that many jobs finish in half an hour on two processors. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Media {
  readonly filename: string;
  readonly bytes: Buffer<ArrayBuffer>;
}

export type SoakMedia = Readonly<Record<'film' | 'large' | 'long' | 'silent' | 'sound' | 'text', Media>>;

/** Bytes of the smallest part that S3 accepts. Only the last part may be smaller. */
export const PART_BYTES = 5 * 1024 * 1024;

const demo = 'content/demo/kinora-demo.mp4';
const smaller = ['-vf', 'scale=640:360', '-c:v', 'libx264', '-preset', 'veryfast', '-c:a', 'copy'];

/** A few seconds of the demo film, only its sound, a picture without sound, and a file that is not media. */
export function soakMedia(): SoakMedia {
  const film = made('film.mp4', ['-i', demo, '-t', '6', ...smaller]);
  const sound = ['-i', demo, '-ss', '5', '-t', '4', '-vn', '-ac', '1'];
  return {
    film,
    large: { filename: 'large.mp4', bytes: Buffer.concat([film.bytes, freeBox(2 * PART_BYTES)]) },
    long: made('long.mp4', ['-stream_loop', '2', '-i', demo, ...smaller]),
    silent: made('silent.mp4', ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25:d=3', '-pix_fmt', 'yuv420p']),
    sound: made('sound.wav', sound),
    text: { filename: 'text.mp4', bytes: Buffer.from('This is no film.\n'.repeat(100)) },
  };
}

function made(filename: string, args: readonly string[]): Media {
  const folder = mkdtempSync(join(tmpdir(), 'kinora-soak-media-'));
  try {
    const path = join(folder, filename);
    execFileSync('ffmpeg', ['-nostdin', '-v', 'error', ...args, path]);
    return { filename, bytes: Buffer.from(readFileSync(path)) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Returns a box that players skip, ISO/IEC 14496-12 §8.1.2. With this box, the upload has several parts, but its
 * processing takes no longer.
 */
function freeBox(size: number): Buffer {
  const box = Buffer.alloc(size);
  box.writeUInt32BE(size);
  box.write('free', 4, 'latin1');
  return box;
}
