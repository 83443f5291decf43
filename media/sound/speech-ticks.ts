/** Selects the ticks with speech, and normalizes their shapes so that differences between voices stand out. */
import type { Interval } from '../../shared/sound.ts';
import { levelAt, readShape, SHAPE, TICK_MS, ticksOf, type VoiceShapes } from './voice-shapes.ts';

/** Consecutive ticks of one utterance. `to` is exclusive. */
export type Chunk = { from: number; to: number };

export type SpeechTicks = {
  count: number;
  /** The time of each tick, in ticks from the start of the recording. */
  times: Int32Array;
  utterances: Int32Array;
  /** `SHAPE` numbers for each tick. */
  shapes: Float32Array;
  /** Chunks that cover all ticks in order. They are short, so that most have only one voice. */
  chunks: Chunk[];
};

/** A tick is a pause or an echo if it is this far below the loudest tick of its utterance. */
const RANGE_DB = 30;
const CHUNK_TICKS = 1_500 / TICK_MS;

export function speechTicks(facts: VoiceShapes, utterances: readonly Interval[]): SpeechTicks {
  const ranges = utterances.map(({ start_ms, end_ms }) => ({
    from: Math.max(0, Math.round(start_ms / TICK_MS)),
    to: Math.min(ticksOf(facts), Math.round(end_ms / TICK_MS)),
  }));
  const most = ranges.reduce((sum, { from, to }) => sum + Math.max(0, to - from), 0);
  const times = new Int32Array(most);
  const owners = new Int32Array(most);
  const chunks: Chunk[] = [];
  let count = 0;
  for (const [utterance, { from, to }] of ranges.entries()) {
    const begin = count;
    let loudest = Number.NEGATIVE_INFINITY;
    for (let tick = from; tick < to; tick++) loudest = Math.max(loudest, levelAt(facts, tick));
    for (let tick = from; tick < to; tick++) {
      if (levelAt(facts, tick) < loudest - RANGE_DB) continue;
      times[count] = tick;
      owners[count] = utterance;
      count += 1;
    }
    chunks.push(...evenChunks(begin, count));
  }
  const shapes = new Float32Array(count * SHAPE);
  for (let i = 0; i < count; i++) readShape(facts, times[i]!, shapes, i * SHAPE);
  whiten(shapes, chunks);
  return { count, times, utterances: owners, shapes, chunks };
}

function evenChunks(begin: number, end: number): Chunk[] {
  const parts = Math.max(1, Math.round((end - begin) / CHUNK_TICKS));
  const edge = (part: number) => begin + Math.round((part * (end - begin)) / parts);
  return Array.from({ length: parts }, (_, i) => ({ from: edge(i), to: edge(i + 1) })).filter(
    ({ from, to }) => to > from,
  );
}

/**
 * Rotates and scales the space, so that shapes within a chunk vary equally in all directions. A chunk contains one voice and many
 * sounds. So the variation within chunks comes from sounds, and the other variation comes from voices (within-class covariance
 * normalization, Hatch et al. 2006, with chunks as classes).
 */
function whiten(shapes: Float32Array, chunks: readonly Chunk[]): void {
  const lower = choleskyOf(scatterWithin(shapes, chunks));
  for (let at = 0; at < shapes.length; at += SHAPE) {
    for (let a = 0; a < SHAPE; a++) {
      let sum = shapes[at + a]!;
      for (let k = 0; k < a; k++) sum -= lower[a * SHAPE + k]! * shapes[at + k]!;
      shapes[at + a] = sum / lower[a * SHAPE + a]!;
    }
  }
}

function scatterWithin(shapes: Float32Array, chunks: readonly Chunk[]): Float64Array {
  const scatter = new Float64Array(SHAPE * SHAPE);
  const mean = new Float64Array(SHAPE);
  const away = new Float64Array(SHAPE);
  let count = 0;
  for (const chunk of chunks) {
    meanOf(shapes, chunk, mean);
    count += chunk.to - chunk.from;
    for (let i = chunk.from; i < chunk.to; i++) {
      for (let d = 0; d < SHAPE; d++) away[d] = shapes[i * SHAPE + d]! - mean[d]!;
      for (let a = 0; a < SHAPE; a++)
        for (let b = 0; b <= a; b++) scatter[a * SHAPE + b] = scatter[a * SHAPE + b]! + away[a]! * away[b]!;
    }
  }
  return scatter.map((sum) => sum / Math.max(1, count));
}

export function meanOf(shapes: Float32Array, { from, to }: Chunk, out: Float64Array): void {
  out.fill(0);
  for (let i = from; i < to; i++) for (let d = 0; d < SHAPE; d++) out[d] = out[d]! + shapes[i * SHAPE + d]!;
  for (let d = 0; d < SHAPE; d++) out[d] = out[d]! / (to - from);
}

/** Returns the lower triangle of the Cholesky decomposition. Adds 0.01, about the rounding error of stored values, to keep the matrix regular. */
function choleskyOf(matrix: Float64Array): Float64Array {
  const lower = new Float64Array(SHAPE * SHAPE);
  for (let a = 0; a < SHAPE; a++) {
    for (let b = 0; b <= a; b++) {
      let sum = matrix[a * SHAPE + b]! + (a === b ? 0.01 : 0);
      for (let k = 0; k < b; k++) sum -= lower[a * SHAPE + k]! * lower[b * SHAPE + k]!;
      lower[a * SHAPE + b] = a === b ? Math.sqrt(sum) : sum / lower[b * SHAPE + b]!;
    }
  }
  return lower;
}
