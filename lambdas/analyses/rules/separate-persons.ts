/** Who is who: what an engine says of faces, corrected by what tracks know. */
import { distanceOf } from '../../../engines/faces/group-faces.ts';
import type { FaceTrack } from './face-tracks.ts';

/**
 * The numbers of persons, from 0, such that nobody is in two places of one picture: of tracks that an engine takes for one
 * person, those that some sample shows side by side are several.
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
      ([, one], [, other]) => farness(tracks, at, one.members) - farness(tracks, at, other.members),
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

/** From the likeness of the first member, with which a part began; 0 where there is none. */
function farness(tracks: readonly FaceTrack[], at: number, members: readonly number[]): number {
  const [one, other] = [tracks[at]!.likeness, tracks[members[0]!]!.likeness];
  return one && other ? distanceOf(one, other) : 0;
}
