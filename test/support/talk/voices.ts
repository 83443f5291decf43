/** Lets flite speak sentences, and removes the silence at both ends. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { atLevel } from './sounds.ts';

const execute = promisify(execFile);

/** Voices of flite at 16 kHz. (`kal` is `kal16` at 8 kHz, with the same speaker.) */
export type Voice = 'slt' | 'rms' | 'kal16' | 'awb';

/**
 * Returns 16 kHz mono samples of a sentence at `level_db` (root mean square, dB below full scale), from the first to
 * the last audible sample.
 *
 * @param file a path for flite's temporary file
 */
export async function spoken(
  text: string,
  voice: Voice,
  level_db: number,
  file: string,
): Promise<Int16Array> {
  await execute('flite', ['-voice', voice, '-t', text, '-o', file]);
  const wav = await readFile(file);
  const aligned = new Uint8Array(wav.subarray(44));
  return atLevel(
    Float32Array.from(trimmed(new Int16Array(aligned.buffer, 0, aligned.length >> 1))),
    level_db,
  );
}

/** Removes samples at both ends that are 40 dB or more below the peak. */
function trimmed(samples: Int16Array): Int16Array {
  const audible = samples.reduce((peak, value) => Math.max(peak, Math.abs(value)), 0) / 100;
  const isHeard = (value: number) => Math.abs(value) > audible;
  return samples.subarray(samples.findIndex(isHeard), samples.findLastIndex(isHeard) + 1);
}
