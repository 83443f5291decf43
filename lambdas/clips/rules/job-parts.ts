/** The parts of a job that renders: of each clip runs of chunks, which are rendered side by side, the sound, and the joining. */
import type { Part } from '../../../platform/jobs/part-progress.ts';

/** Where a step works: on a run of chunks, on the sound of a clip, or on its file. */
export type Place = number | 'sound' | 'join';

interface Clip {
  /** Place of the clip among those of its job. */
  readonly index: number;
  /** How many runs its chunks are rendered in. */
  readonly lanes: number;
}

/**
 * Runs of one clip that are rendered side by side. Each is some fifteen events of an execution's history for every ten minutes that
 * it takes; there is room for 25,000.
 */
export const MOST_LANES = 8;
/** Numbers that a clip has for its parts. */
const NUMBERS = 16;
/** What a clip weighs: all the same, since how long one takes is known of none before. */
export const CLIP_SIZE = 100_000;
const SOUND_SIZE = 5000;
const JOIN_SIZE = 10_000;

/** A run of chunks, as the machine hands it on. */
export interface Run {
  readonly lane: number;
  /** Their places in the plan. */
  readonly chunks: readonly number[];
}

/** The chunks dealt out, neighbours together, so that what is read of the media for one is near to the next. */
export function runsOf(chunks: readonly number[]): Run[] {
  const lanes = Math.min(MOST_LANES, chunks.length);
  return Array.from({ length: lanes }, (_, lane) => ({
    lane,
    chunks: chunks.slice(
      Math.floor((lane * chunks.length) / lanes),
      Math.floor(((lane + 1) * chunks.length) / lanes),
    ),
  }));
}

export function partAt({ index, lanes }: Clip, place: Place): Part {
  const first = index * NUMBERS;
  if (place === 'sound') return { index: first + MOST_LANES, size: SOUND_SIZE };
  if (place === 'join') return { index: first + MOST_LANES + 1, size: JOIN_SIZE };
  const size = Math.floor((CLIP_SIZE - SOUND_SIZE - JOIN_SIZE) / Math.max(1, lanes));
  return { index: first + place, size };
}

/** How much of a clip is done, 0 to 1. @param doneOf how much of a part is, in the unit of its size */
export function shareOf(clip: Clip, doneOf: (part: Part) => number): number {
  const runs = Array.from({ length: clip.lanes }, (_, at) => at);
  const done = [...runs, 'sound' as const, 'join' as const].map((place) => doneOf(partAt(clip, place)));
  return Math.min(1, done.reduce((sum, one) => sum + one, 0) / CLIP_SIZE);
}
