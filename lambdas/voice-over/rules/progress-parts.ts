/** The parts of each language of a job, in order: groups of its segments, its sound, and its video. */
import type { Part } from '../../../platform/jobs/part-progress.ts';

/** The work of a step: a group of segments, the sound of a language, or its video. */
export type Place = number | 'sound' | 'video';

interface Language {
  readonly index: number;
  readonly groups: number;
}

/** The minimum number of segments in a group. Starting a step takes as long as speaking a few segments. */
const LEAST_IN_GROUP = 16;
/**
 * The maximum number of groups in a language. A group takes about nine events of an execution's history, and a history
 * has room for 25,000. With twenty languages, the groups take a fifth of the history. An ingest needs the rest for its
 * own pieces and pictures (test/infra/history.test.ts).
 */
export const MOST_GROUPS = 24;
const NUMBERS = 64;
/** The size of a language. All languages have the same size, because their durations are unknown in advance. */
export const LANGUAGE_SIZE = 100_000;
const SOUND_SIZE = 20_000;
const VIDEO_SIZE = 10_000;

export interface Group {
  readonly index: number;
  /** `from` is the index of the group's first segment, `to` the index after its last segment. */
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

/** The finished share of a language, 0 to 1. @param doneOf the finished amount of a part, 0 to its size */
export function shareOf(language: Language, doneOf: (part: Part) => number): number {
  const groups = Array.from({ length: language.groups }, (_, at) => at);
  const places: readonly Place[] = [...groups, 'sound', 'video'];
  const done = places.map((place) => doneOf(partAt(language, place)));
  return done.reduce((sum, one) => sum + one, 0) / LANGUAGE_SIZE;
}

/** The lowest possible progress of a language when this share of a part is finished. Parts run in order. */
export function reachedAt(language: Language, place: Place, fraction: number): number {
  const speech = LANGUAGE_SIZE - SOUND_SIZE - VIDEO_SIZE;
  const { size } = partAt(language, place);
  const starts = { sound: speech, video: speech + SOUND_SIZE };
  const before = typeof place === 'number' ? place * size : starts[place];
  return (before + size * Math.min(1, fraction)) / LANGUAGE_SIZE;
}

const groupSize = (groups: number) =>
  Math.floor((LANGUAGE_SIZE - SOUND_SIZE - VIDEO_SIZE) / Math.max(1, groups));
