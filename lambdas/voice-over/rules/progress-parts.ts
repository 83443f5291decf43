/** The parts of a job that speaks: of each language the groups of its segments, then its sound, then its video. */
import type { Part } from '../../../platform/jobs/part-progress.ts';

/** Where a step works: on a group of segments, on the sound of a language, or on its video. */
export type Place = number | 'sound' | 'video';

interface Language {
  /** Place of the language among those of its job. */
  readonly index: number;
  /** How many groups its segments are spoken in. */
  readonly groups: number;
}

/** Fewer segments are one group: to begin a step takes as long as to speak some of them. */
const LEAST_IN_GROUP = 16;
/**
 * A group is some nine events of an execution's history, which has room for 25,000: so many groups for each of twenty
 * languages take a fifth of it, beside the pieces and pictures of an ingest (test/infra/history.test.ts).
 */
export const MOST_GROUPS = 24;
/** Numbers that a language has for its parts. */
const NUMBERS = 64;
/** What a language weighs: all the same, since how long one takes is known of none before. */
export const LANGUAGE_SIZE = 100_000;
const SOUND_SIZE = 20_000;
const VIDEO_SIZE = 10_000;

export interface Group {
  readonly index: number;
  /** Places of its first segment, and of the first behind it. */
  readonly from: number;
  readonly to: number;
}

export function groupsOf(segments: number): Group[] {
  const size = Math.max(LEAST_IN_GROUP, Math.ceil(segments / MOST_GROUPS));
  return Array.from({ length: Math.ceil(segments / size) }, (_, index) => ({
    index,
    from: index * size,
    to: Math.min(segments, (index + 1) * size),
  }));
}

export function partAt({ index, groups }: Language, place: Place): Part {
  const first = index * NUMBERS;
  if (place === 'sound') return { index: first + MOST_GROUPS, size: SOUND_SIZE };
  if (place === 'video') return { index: first + MOST_GROUPS + 1, size: VIDEO_SIZE };
  return { index: first + place, size: groupSize(groups) };
}

/** How much of a language is done, 0 to 1. @param doneOf how much of a part is, in the unit of its size */
export function shareOf(language: Language, doneOf: (part: Part) => number): number {
  const groups = Array.from({ length: language.groups }, (_, at) => at);
  const places: readonly Place[] = [...groups, 'sound', 'video'];
  const done = places.map((place) => doneOf(partAt(language, place)));
  return done.reduce((sum, one) => sum + one, 0) / LANGUAGE_SIZE;
}

/** How much of a language is done at least where this much of a part is, for parts that are done in their order. */
export function reachedAt(language: Language, place: Place, fraction: number): number {
  const speech = LANGUAGE_SIZE - SOUND_SIZE - VIDEO_SIZE;
  const { size } = partAt(language, place);
  const starts = { sound: speech, video: speech + SOUND_SIZE };
  const before = typeof place === 'number' ? place * size : starts[place];
  return (before + size * Math.min(1, fraction)) / LANGUAGE_SIZE;
}

const groupSize = (groups: number) =>
  Math.floor((LANGUAGE_SIZE - SOUND_SIZE - VIDEO_SIZE) / Math.max(1, groups));
