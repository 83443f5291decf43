/** Corrects the persons that an engine assigned to face tracks. */
import { distanceOf } from '../../../engines/faces/group-faces.ts';
import { defined, itemAt } from '../../../shared/checked-access.ts';
import type { FaceTrack } from './face-tracks.ts';

/**
 * Numbers persons from 0, so that no one is in two places of a picture at once. If the engine assigned one person to
 * tracks that a sample shows side by side, these tracks become several persons.
 */
export function separatePersons(tracks: readonly FaceTrack[], persons: readonly number[]): number[] {
  const parts: { readonly person: number; readonly members: number[]; readonly times: Set<number> }[] = [];
  const partOf = new Map<number, number>();
  const longestFirst = [...tracks.keys()].sort(
    (one, other) => itemAt(tracks, other).seen.length - itemAt(tracks, one).seen.length,
  );
  for (const at of longestFirst) {
    const times = itemAt(tracks, at).seen.map(({ at_ms }) => at_ms);
    const open = [...parts.entries()].filter(
      ([, part]) => part.person === persons[at] && !times.some((time) => part.times.has(time)),
    );
    const nearest = open.toSorted(
      ([, one], [, other]) => distanceTo(tracks, at, one.members) - distanceTo(tracks, at, other.members),
    )[0];
    const number =
      nearest?.[0] ?? parts.push({ person: itemAt(persons, at), members: [], times: new Set() }) - 1;
    itemAt(parts, number).members.push(at);
    for (const time of times) itemAt(parts, number).times.add(time);
    partOf.set(at, number);
  }
  const order = new Map<number, number>();
  return tracks.map((_, at) => {
    const part = defined(partOf.get(at));
    if (!order.has(part)) order.set(part, order.size);
    return defined(order.get(part));
  });
}

/** Distance of a track from the first track of `members`, by embeddings. 0 if either has no embedding. */
function distanceTo(tracks: readonly FaceTrack[], at: number, members: readonly number[]): number {
  const [one, other] = [itemAt(tracks, at).likeness, itemAt(tracks, itemAt(members, 0)).likeness];
  return one && other ? distanceOf(one, other) : 0;
}
