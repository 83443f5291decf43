/** Cuts samples where they are quietest, for recognisers that hear only so much at a time. */
import { SAMPLE_RATE } from '../media/audio.ts';

export type Chunk = { start_ms: number; end_ms: number; samples: Float32Array };

const PER_MS = SAMPLE_RATE / 1000;
/** Loudness is compared over so long: shorter than a pause between words, longer than a pitch period. */
const WINDOW_MS = 100;

/** 16-bit little endian samples as numbers from -1 to 1. */
export function floatSamples(pcm: Uint8Array): Float32Array {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  return Float32Array.from(
    { length: Math.floor(pcm.byteLength / 2) },
    (_, i) => view.getInt16(2 * i, true) / 32768,
  );
}

/** Chunks of at most `max_ms` that cover all samples in order, cut at the quietest moment of their second half. */
export function chunksOf(samples: Float32Array, max_ms: number): Chunk[] {
  const duration_ms = Math.floor(samples.length / PER_MS);
  const chunks: Chunk[] = [];
  let start_ms = 0;
  while (start_ms < duration_ms) {
    const end_ms =
      duration_ms - start_ms <= max_ms
        ? duration_ms
        : quietest(samples, start_ms + Math.ceil(max_ms / 2), start_ms + max_ms);
    chunks.push({ start_ms, end_ms, samples: samples.subarray(start_ms * PER_MS, end_ms * PER_MS) });
    start_ms = end_ms;
  }
  return chunks;
}

/** The middle of the quietest window between two moments. */
function quietest(samples: Float32Array, from_ms: number, to_ms: number): number {
  let best = to_ms;
  let least = Number.POSITIVE_INFINITY;
  for (let at = from_ms; at + WINDOW_MS <= to_ms; at += WINDOW_MS / 2) {
    let energy = 0;
    for (const sample of samples.subarray(at * PER_MS, (at + WINDOW_MS) * PER_MS)) energy += sample * sample;
    if (energy < least) {
      least = energy;
      best = at + WINDOW_MS / 2;
    }
  }
  return best;
}
