/** Speeds speech up without changing its pitch. */
import { PROGRAMME_RATE } from '../sound/broadcast-sound.ts';
import { samplesOf } from './extract-sound.ts';
import type { MediaTools } from './media-tools.ts';
import { ffmpegOutput } from './run-ffmpeg.ts';

/** An hour of speech takes some 5 s. */
const TIMEOUT_MS = 60_000;
const raw = ['-f', 's16le', '-ar', String(PROGRAMME_RATE), '-ac', '1'];

/** Mono samples at 48 kHz, `tempo` times as fast (1 to 2). */
export async function faster(
  tools: MediaTools,
  samples: Int16Array,
  tempo: number,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Int16Array> {
  const args = [
    '-protocol_whitelist',
    'pipe',
    ...raw,
    '-i',
    'pipe:0',
    '-af',
    `atempo=${tempo}`,
    ...raw,
    'pipe:1',
  ];
  const pieces: Buffer[] = [];
  const input = once(samples);
  for await (const piece of ffmpegOutput(tools, args, { timeout_ms: TIMEOUT_MS, input, signal }))
    pieces.push(piece);
  return samplesOf(Buffer.concat(pieces));
}

async function* once(samples: Int16Array): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
}
