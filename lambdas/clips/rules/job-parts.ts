/** The parts of a rendering job: for each clip, parallel runs of chunks, the sound, and the joining. */
import type { Part } from '../../../platform/jobs/part-progress.ts';

/** The work of a step: a run of chunks, the sound of a clip, or joining its file. */
export type Place = number | 'sound' | 'join';

interface Clip {
  readonly index: number;
  readonly lanes: number;
}

/** The maximum number of parallel runs of a clip. Each adds 15 events in ten minutes; an execution may have 25,000. */
export const MOST_LANES = 8;
const NUMBERS = 16;
/** The size of a clip for the progress. All clips have the same size, because their rendering times are unknown. */
export const CLIP_SIZE = 100_000;
const SOUND_SIZE = 5000;
const JOIN_SIZE = 10_000;

export interface Run {
  readonly lane: number;
  readonly chunks: readonly number[];
}

/** Distributes chunks over runs. Neighbors stay together, because they read neighboring parts of the media. */
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

/** The fraction of a clip that is done, 0 to 1. @param doneOf the finished amount of a part, 0 to its size */
export function shareOf(clip: Clip, doneOf: (part: Part) => number): number {
  const runs = Array.from({ length: clip.lanes }, (_, at) => at);
  const done = [...runs, 'sound' as const, 'join' as const].map((place) => doneOf(partAt(clip, place)));
  return Math.min(1, done.reduce((sum, one) => sum + one, 0) / CLIP_SIZE);
}
