/** One face for each person, with its appearances. A face that is known from an earlier analysis keeps its id. */
import { distanceOf, meanLikeness } from '../../../engines/faces/group-faces.ts';
import { type Box, meanBox, overlapOf } from '../../../shared/boxes.ts';
import { itemAt } from '../../../shared/checked-access.ts';
import { bestOf, type FaceTrack, type ShownFace, type Sighting } from './face-tracks.ts';
import { matchPairs } from './match-pairs.ts';
import type { Span } from './sampled-shots.ts';

export interface Appearance extends Span {
  readonly box: Box;
}

export interface FoundFace {
  readonly face_id: string;
  readonly confidence: number;
  /** In order of time. The face moves little within an appearance. */
  readonly appearances: readonly Appearance[];
  /** The face embedding. It stays private; a later analysis recognizes the person by it. */
  readonly likeness: readonly number[] | null;
  /** Key of the picture of the face; null if it has no picture. */
  readonly thumbnail: string | null;
}

/** If a box overlaps the first box of its appearance by less than this share, the next appearance begins. */
const HAS_MOVED = 0.5;

export type FreshFace<Seen extends ShownFace> = Omit<FoundFace, 'thumbnail'> & {
  readonly best: Sighting<Seen>;
};

/**
 * Joins tracks into one face for each person: `persons` has the number of each track. The face that is seen longest comes
 * first.
 */
export function facesOf<Seen extends ShownFace>(
  tracks: readonly FaceTrack<Seen>[],
  persons: readonly number[],
  ids: (person: number) => string,
): FreshFace<Seen>[] {
  const byPerson = Map.groupBy(tracks.keys(), (at) => itemAt(persons, at));
  const faces = [...byPerson].map(([person, members]) => {
    const own = members.map((at) => itemAt(tracks, at));
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

function appearancesOf({ seen, start_ms, end_ms }: FaceTrack): Appearance[] {
  const parts: { start_ms: number; boxes: Box[] }[] = [];
  for (const { at_ms, face } of seen) {
    const part = parts.at(-1);
    if (part && overlapOf(itemAt(part.boxes, 0), face.box) >= HAS_MOVED) part.boxes.push(face.box);
    else parts.push({ start_ms: part ? at_ms : start_ms, boxes: [face.box] });
  }
  return parts.map((part, at) => ({
    start_ms: part.start_ms,
    end_ms: parts[at + 1]?.start_ms ?? end_ms,
    box: meanBox(part.boxes),
  }));
}

function confidenceOf(tracks: readonly FaceTrack[]): number {
  const all = tracks.flatMap(({ seen }) => seen.map(({ face }) => face.confidence));
  return Math.round((100 * all.reduce((sum, one) => sum + one, 0)) / all.length) / 100;
}

const timeSeen = ({ appearances }: Pick<FoundFace, 'appearances'>) =>
  appearances.reduce((sum, { start_ms, end_ms }) => sum + end_ms - start_ms, 0);

const toThousandths = (value: number) => Math.round(value * 1000) / 1000;

/** If the distance of the embeddings is smaller than this, faces of two analyses are one person. */
const SAME_PERSON = 0.5;
/** Two faces are one person if they are in the same place for this share of the shorter face's time. */
const SAME_PLACES = 0.5;

/**
 * Gives faces the ids of an earlier analysis if the person is the same: by embeddings if both have one,
 * otherwise by times and places. So the names that callers set survive a new analysis.
 */
export function keepFaceIds(found: readonly FoundFace[], before: readonly FoundFace[]): FoundFace[] {
  const pairs = matchPairs(found, before, sameness);
  return found.map((face, at) => ({
    ...face,
    face_id: before[pairs.get(at) ?? -1]?.face_id ?? face.face_id,
  }));
}

/** A score from 0 (two persons) to 1 (one person). */
function sameness(face: FoundFace, former: FoundFace): number {
  if (face.likeness && former.likeness && face.likeness.length === former.likeness.length) {
    const distance = distanceOf(face.likeness, former.likeness);
    return distance < SAME_PERSON ? 1 - distance : 0;
  }
  const share = togetherShare(face, former);
  return share >= SAME_PLACES ? share : 0;
}

/** Time in which both faces are in the same place, as a share of the shorter face's time. */
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
