/** Speeds up speech without changing its pitch. */
import { Readable } from 'node:stream';
import { PROGRAMME_RATE } from '../sound/broadcast-sound.ts';
import { samplesOf } from './extract-sound.ts';
import { ffmpegBytes } from './run-ffmpeg.ts';
import type { MediaTools } from './serve-ranges.ts';

/** Time limit, ms. An hour of speech takes about 5 s. */
const TIMEOUT_MS = 60_000;
const raw = ['-f', 's16le', '-ar', String(PROGRAMME_RATE), '-ac', '1'];

/** Returns mono samples at 48 kHz that are `tempo` times as fast (1 to 2). */
export async function speedUpSpeech(
  tools: MediaTools,
  samples: Int16Array,
  tempo: number,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Int16Array> {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  const filter = ['-af', `atempo=${tempo}`];
  const args = ['-protocol_whitelist', 'pipe', ...raw, '-i', 'pipe:0', ...filter, ...raw, 'pipe:1'];
  const options = { timeout_ms: TIMEOUT_MS, input: Readable.from([bytes]), signal };
  return samplesOf(await ffmpegBytes(tools, args, options));
}
