/** When something is heard and when there is a pause, to the hundredth of a second: by the level against what surrounds it. */

/** A stretch of frames; `to` is the first that is no longer in it. */
export type Span = { from: number; to: number };

/** What is quiet and what is loud is learnt from 4 s to both sides, in blocks of .1 s. */
const BLOCK = 10;
const BLOCKS_AROUND = 40;
/** What is heard rises this far above the quietest, dB, … */
const RISE_DB = 5;
/** … by this share of the way up to the loudest, … */
const RISE_SHARE = 0.25;
/** … is no further below the loudest, dB: that is its echo, or what a codec left, … */
const DEPTH_DB = 38;
/** … and above this, dB below full scale. */
const LEAST_DB = -80;
/** A stop within a word lasts less than this: it is no pause. */
const STOP = 15;
/** Shorter sounds are clicks. */
const CLICK = 5;

/** Stretches in which something is heard, in order. @param level of each frame, dB below full scale */
export function findHeardSpans(level: Float32Array): Span[] {
  const means = blockLevels(level);
  const spans: Span[] = [];
  for (let block = 0; block < means.length; block++) {
    const floor = extreme(means, block, Math.min);
    const peak = extreme(means, block, Math.max);
    const rise = Math.max(RISE_DB, RISE_SHARE * (peak - floor));
    const threshold = Math.max(LEAST_DB, peak - DEPTH_DB, floor + rise);
    const end = Math.min(level.length, (block + 1) * BLOCK);
    for (let frame = block * BLOCK; frame < end; frame++) if (level[frame]! > threshold) extend(spans, frame);
  }
  return spans.filter(({ from, to }) => to - from >= CLICK);
}

/** Adds a frame to the last span, or begins the next one when a pause lies between. */
function extend(spans: Span[], frame: number): void {
  const last = spans.at(-1);
  if (last && frame - last.to < STOP) last.to = frame + 1;
  else spans.push({ from: frame, to: frame + 1 });
}

/** The mean level of each block. */
function blockLevels(level: Float32Array): Float32Array {
  const count = Math.ceil(level.length / BLOCK);
  const means = new Float32Array(count);
  for (let block = 0; block < count; block++) {
    const frames = level.subarray(block * BLOCK, (block + 1) * BLOCK);
    means[block] = frames.reduce((sum, value) => sum + value, 0) / frames.length;
  }
  return means;
}

function extreme(blocks: Float32Array, at: number, pick: (...values: number[]) => number): number {
  return pick(...blocks.subarray(Math.max(0, at - BLOCKS_AROUND), at + BLOCKS_AROUND + 1));
}
