/** Makes short media of several kinds, so that many jobs finish in half an hour on two processors. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withSpace } from '../../scripts/doctor/smoke.ts';

export interface Media {
  readonly filename: string;
  readonly file: Blob;
}

export type SoakMedia = Readonly<Record<'film' | 'large' | 'long' | 'silent' | 'sound' | 'text', Media>>;

/** Bytes of the smallest part that S3 accepts. Only the last part may be smaller. */
export const PART_BYTES = 5 * 1024 * 1024;

const demo = 'content/demo/kinora-demo.mp4';
const smaller = ['-vf', 'scale=640:360', '-c:v', 'libx264', '-preset', 'veryfast', '-c:a', 'copy'];

/** A few seconds of the demo film, only its sound, a picture without sound, and a file that is not media. */
export function soakMedia(): SoakMedia {
  const film = made('film.mp4', ['-i', demo, '-t', '6', ...smaller]);
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25:d=3', '-pix_fmt', 'yuv420p'];
  const sound = ['-i', demo, '-ss', '5', '-t', '4', '-vn', '-ac', '1'];
  return {
    film: media('film.mp4', film),
    // The upload has several parts, but its processing takes no longer.
    large: { filename: 'large.mp4', file: withSpace(film, 2 * PART_BYTES) },
    long: media('long.mp4', made('long.mp4', ['-stream_loop', '2', '-i', demo, ...smaller])),
    silent: media('silent.mp4', made('silent.mp4', picture)),
    sound: media('sound.wav', made('sound.wav', sound)),
    text: media('text.mp4', Buffer.from('This is no film.\n'.repeat(100))),
  };
}

const media = (filename: string, bytes: Buffer<ArrayBuffer>): Media => ({
  filename,
  file: new Blob([bytes]),
});

function made(filename: string, args: readonly string[]): Buffer<ArrayBuffer> {
  const folder = mkdtempSync(join(tmpdir(), 'kinora-soak-media-'));
  try {
    const path = join(folder, filename);
    execFileSync('ffmpeg', ['-nostdin', '-v', 'error', ...args, path]);
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
