/** Joins faces in samples of a video into tracks. A track is one person in one shot. */
import { distanceOf, meanLikeness } from '../../../engines/faces/group-faces.ts';
import type { SeenFace } from '../../../engines/faces/port.ts';
import { areaOf, overlapOf } from '../../../shared/boxes.ts';
import { itemAt, lastOf } from '../../../shared/checked-access.ts';
import { matchPairs } from './match-pairs.ts';
import { beginningOf, endOf, type Span, shotAt } from './sampled-shots.ts';

/** A face. `crop` says where its picture is stored, if there is one. */
export interface ShownFace extends SeenFace {
  readonly crop?: unknown;
}

export interface FaceSample<Seen extends ShownFace = ShownFace> {
  readonly at_ms: number;
  readonly faces: readonly Seen[];
}

export interface Sighting<Seen extends ShownFace = ShownFace> {
  readonly at_ms: number;
  readonly face: Seen;
}

export interface FaceTrack<Seen extends ShownFace = ShownFace> extends Span {
  /** In order of time; at least one. */
  readonly seen: readonly Sighting<Seen>[];
  /** The sighting to show: large, with high confidence, and with a picture if one has it. */
  readonly best: Sighting<Seen>;
  /** Mean of the face embeddings; null if the engine returns none. */
  readonly likeness: readonly number[] | null;
}

/** Minimum overlap of boxes in consecutive samples that show the same moving face. */
const SAME_PLACE = 0.3;
/** If the distance of two embeddings in one place is larger than this, a cut was missed: these are two persons. */
const OTHER_PERSON = 0.75;
/** If the distance of two embeddings in different places is smaller than this, it is one person who moves fast. */
const SAME_PERSON = 0.45;
/** A track continues if at most this many consecutive samples miss the face: heads turn and eyes close. */
const MISSED = 2;
/** Minimum confidence of a face in only one sample. A texture seldom looks like a face in two consecutive samples. */
const SURE_AT_ONCE = 0.8;

/** Tracks in order of time, each of one person in one shot. Without shots, the media counts as one shot. */
export function faceTracks<Seen extends ShownFace>(
  samples: readonly FaceSample<Seen>[],
  shots: readonly Span[],
  every_ms: number,
): FaceTrack<Seen>[] {
  const tracks: { readonly shot: Span; readonly seen: Sighting<Seen>[] }[] = [];
  for (const { at_ms, faces } of samples) {
    const shot = shotAt(shots, at_ms);
    const open = tracks.filter((track) => {
      const silence_ms = at_ms - lastOf(track.seen).at_ms;
      return track.shot.start_ms === shot.start_ms && silence_ms <= (MISSED + 1) * every_ms;
    });
    const before = open.map(({ seen }) => lastOf(seen).face);
    const pairs = matchPairs(faces, before, samenessOf);
    for (const [at, face] of faces.entries()) {
      const track = open[pairs.get(at) ?? -1];
      if (track) track.seen.push({ at_ms, face });
      else tracks.push({ shot, seen: [{ at_ms, face }] });
    }
  }
  return tracks
    .filter(({ seen }) => seen.length > 1 || itemAt(seen, 0).face.confidence >= SURE_AT_ONCE)
    .map(({ shot, seen }) => trackOf(seen, shot, every_ms))
    .toSorted((one, other) => one.start_ms - other.start_ms);
}

/** A score from 0 to 2. 0 means that the sightings show two persons. Overlapping boxes score more than similar embeddings. */
function samenessOf(one: SeenFace, other: SeenFace): number {
  const overlap = overlapOf(one.box, other.box);
  const distance = one.likeness && other.likeness ? distanceOf(one.likeness, other.likeness) : null;
  if (distance !== null && distance > OTHER_PERSON) return 0;
  if (overlap >= SAME_PLACE) return 1 + overlap;
  return distance !== null && distance < SAME_PERSON ? 1 - distance : 0;
}

function trackOf<Seen extends ShownFace>(
  seen: readonly Sighting<Seen>[],
  shot: Span,
  every_ms: number,
): FaceTrack<Seen> {
  const likenesses = seen.flatMap(({ face }) => (face.likeness ? [face.likeness] : []));
  return {
    start_ms: beginningOf(itemAt(seen, 0).at_ms, shot, every_ms),
    end_ms: endOf(lastOf(seen).at_ms, shot, every_ms),
    seen,
    best: bestOf(seen),
    likeness: likenesses.length > 0 ? meanLikeness(likenesses) : null,
  };
}

/** Quality of a sighting: of faces with equal confidence, the largest is best. */
const worthOf = ({ face: { box, confidence } }: Sighting): number => confidence ** 2 * Math.sqrt(areaOf(box));

/** The best sighting; prefers sightings with a picture. @param seen at least one */
export function bestOf<Seen extends ShownFace>(seen: readonly Sighting<Seen>[]): Sighting<Seen> {
  const pictured = seen.filter(({ face }) => face.crop !== undefined && face.crop !== null);
  const all = pictured.length > 0 ? pictured : seen;
  return all.reduce((best, one) => (worthOf(one) > worthOf(best) ? one : best));
}
