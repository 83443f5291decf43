/** Corrects the persons that an engine assigned to face tracks. */
import { distanceOf } from '../../../engines/faces/group-faces.ts';
import type { FaceTrack } from './face-tracks.ts';

/**
 * Numbers persons from 0, so that no one is in two places of a picture at once. If the engine assigned one
 * person to tracks that a sample shows side by side, they become several persons.
 */
export function separatePersons(tracks: readonly FaceTrack[], persons: readonly number[]): number[] {
  const parts: { readonly person: number; readonly members: number[]; readonly times: Set<number> }[] = [];
  const partOf = new Map<number, number>();
  const longestFirst = [...tracks.keys()].sort(
    (one, other) => tracks[other]!.seen.length - tracks[one]!.seen.length,
  );
  for (const at of longestFirst) {
    const times = tracks[at]!.seen.map(({ at_ms }) => at_ms);
    const open = [...parts.entries()].filter(
      ([, part]) => part.person === persons[at] && !times.some((time) => part.times.has(time)),
    );
    const nearest = open.toSorted(
      ([, one], [, other]) => distanceTo(tracks, at, one.members) - distanceTo(tracks, at, other.members),
    )[0];
    const number = nearest?.[0] ?? parts.push({ person: persons[at]!, members: [], times: new Set() }) - 1;
    parts[number]!.members.push(at);
    for (const time of times) parts[number]!.times.add(time);
    partOf.set(at, number);
  }
  const order = new Map<number, number>();
  return tracks.map((_, at) => {
    const part = partOf.get(at)!;
    if (!order.has(part)) order.set(part, order.size);
    return order.get(part)!;
  });
}

/** Distance from the embedding of the part's first track; 0 if either has no embedding. */
function distanceTo(tracks: readonly FaceTrack[], at: number, members: readonly number[]): number {
  const [one, other] = [tracks[at]!.likeness, tracks[members[0]!]!.likeness];
  return one && other ? distanceOf(one, other) : 0;
}
