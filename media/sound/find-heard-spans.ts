/** Finds audible sound, exact to 10 ms, by comparing its level with the levels around it. */

/** A range of frames. `to` is exclusive. */
export type Span = { from: number; to: number };

/** The range of time around a sound, 4 s on both sides, in which the lowest and the highest level are measured, as means of 0.1 s. */
const BLOCK = 10;
const BLOCKS_AROUND = 40;
const RISE_DB = 5;
/** A sound is above the lowest level by at least `RISE_DB`, and by this share of the range between the lowest and highest level. */
const RISE_SHARE = 0.25;
/** The maximum distance of a sound below the highest level around it, dB. Echoes and codec noise are further below. */
const DEPTH_DB = 38;
/** The minimum level of a sound, dB relative to full scale. */
const LEAST_DB = -80;
/** The minimum length of a pause, in frames. A shorter gap is a stop consonant within a word. */
const STOP = 15;
/** The minimum length of a sound, in frames. Shorter sounds are clicks. */
const CLICK = 5;

/** Returns the audible spans in order. @param level the level of each frame, dB relative to full scale */
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

/** Adds a frame to the last span, or begins a new span after a pause. */
function extend(spans: Span[], frame: number): void {
  const last = spans.at(-1);
  if (last && frame - last.to < STOP) last.to = frame + 1;
  else spans.push({ from: frame, to: frame + 1 });
}

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
