/** One face a person, with when and where each is seen; a face that was known before keeps its id. */
import { distanceOf, meanLikeness } from '../../../engines/faces/group-faces.ts';
import { type Box, meanBox, overlapOf } from '../../../shared/boxes.ts';
import { bestOf, type FaceTrack, type ShownFace, type Sighting } from './face-tracks.ts';
import type { Span } from './sampled-shots.ts';

export interface Appearance extends Span {
  readonly box: Box;
}

/** A person in the pictures of an asset, as the analysis found it. */
export interface FoundFace {
  readonly face_id: string;
  readonly confidence: number;
  /** By time; the face moves little within one. */
  readonly appearances: readonly Appearance[];
  /** Never shown: a later analysis knows the person by it. */
  readonly likeness: readonly number[] | null;
  /** Key of the object with the picture of the face; null where none was cut. */
  readonly thumbnail: string | null;
}

/** Below this overlap with its beginning, an appearance has ended, and the next one begins. */
const HAS_MOVED = 0.5;

/** A face whose picture is not kept yet: the sighting that shows it best. */
export type FreshFace<Seen extends ShownFace> = Omit<FoundFace, 'thumbnail'> & {
  readonly best: Sighting<Seen>;
};

/**
 * Faces, the one that is seen longest first.
 * @param persons the number of each track's person
 * @param ids the id of a person's face, by the number
 */
export function facesOf<Seen extends ShownFace>(
  tracks: readonly FaceTrack<Seen>[],
  persons: readonly number[],
  ids: (person: number) => string,
): FreshFace<Seen>[] {
  const byPerson = Map.groupBy(tracks.keys(), (at) => persons[at]!);
  const faces = [...byPerson].map(([person, members]) => {
    const own = members.map((at) => tracks[at]!);
    const likenesses = own.flatMap(({ likeness }) => (likeness ? [likeness] : []));
    return {
      face_id: ids(person),
      confidence: confidenceOf(own),
      appearances: own.flatMap(appearancesOf).toSorted((one, other) => one.start_ms - other.start_ms),
      likeness: likenesses.length > 0 ? meanLikeness(likenesses).map(toThousandths) : null,
      best: bestOf(own.map(({ best }) => best)),
    };
  });
  return faces.toSorted((one, other) => timeSeen(other) - timeSeen(one));
}

/** Splits a track where the face has moved; each part has the mean of its boxes. */
function appearancesOf({ seen, start_ms, end_ms }: FaceTrack): Appearance[] {
  const parts: { start_ms: number; boxes: Box[] }[] = [];
  for (const { at_ms, face } of seen) {
    const part = parts.at(-1);
    if (part && overlapOf(part.boxes[0]!, face.box) >= HAS_MOVED) part.boxes.push(face.box);
    else parts.push({ start_ms: part ? at_ms : start_ms, boxes: [face.box] });
  }
  return parts.map((part, at) => ({
    start_ms: part.start_ms,
    end_ms: parts[at + 1]?.start_ms ?? end_ms,
    box: meanBox(part.boxes),
  }));
}

/** The mean over what was seen, to two decimals. */
function confidenceOf(tracks: readonly FaceTrack[]): number {
  const all = tracks.flatMap(({ seen }) => seen.map(({ face }) => face.confidence));
  return Math.round((100 * all.reduce((sum, one) => sum + one, 0)) / all.length) / 100;
}

const timeSeen = ({ appearances }: Pick<FoundFace, 'appearances'>) =>
  appearances.reduce((sum, { start_ms, end_ms }) => sum + end_ms - start_ms, 0);

const toThousandths = (value: number) => Math.round(value * 1000) / 1000;

/** Below this distance, faces of two analyses are of one person. */
const SAME_PERSON = 0.5;
/** Such a share of the time that the shorter of two faces is seen has to be spent in the same place. */
const SAME_PLACES = 0.5;

/**
 * Faces under the ids that they had before, where the person is the same: by likeness where both have one, by times and places
 * otherwise. What is known of a face by its id (names) so survives a new analysis of the same pictures.
 */
export function keepFaceIds(found: readonly FoundFace[], before: readonly FoundFace[]): FoundFace[] {
  const pairs = found.flatMap((face, at) =>
    before.map((former, from) => ({ at, from, score: sameness(face, former) })),
  );
  const ids = new Map<number, string>();
  const taken = new Set<number>();
  for (const { at, from, score } of pairs.toSorted((one, other) => other.score - one.score)) {
    if (score <= 0 || ids.has(at) || taken.has(from)) continue;
    ids.set(at, before[from]!.face_id);
    taken.add(from);
  }
  return found.map((face, at) => ({ ...face, face_id: ids.get(at) ?? face.face_id }));
}

/** From 0, where nothing speaks for one person, to 1. */
function sameness(face: FoundFace, former: FoundFace): number {
  if (face.likeness && former.likeness && face.likeness.length === former.likeness.length) {
    const distance = distanceOf(face.likeness, former.likeness);
    return distance < SAME_PERSON ? 1 - distance : 0;
  }
  const share = togetherShare(face, former);
  return share >= SAME_PLACES ? share : 0;
}

/** The time in which both are seen in one place, as a share of that of the one seen for less. */
function togetherShare(face: FoundFace, former: FoundFace): number {
  let together_ms = 0;
  for (const one of face.appearances)
    for (const other of former.appearances)
      if (overlapOf(one.box, other.box) >= HAS_MOVED)
        together_ms += Math.max(
          0,
          Math.min(one.end_ms, other.end_ms) - Math.max(one.start_ms, other.start_ms),
        );
  return Math.min(1, together_ms / Math.max(1, Math.min(timeSeen(face), timeSeen(former))));
}
