/** Joins the faces that samples of a video show into tracks: one person in one shot each. */
import { distanceOf, meanLikeness } from '../../../engines/faces/group-faces.ts';
import type { SeenFace } from '../../../engines/faces/port.ts';
import { areaOf, overlapOf } from '../../../shared/boxes.ts';
import { beginningOf, endOf, type Span, shotAt } from './sampled-shots.ts';

/** A face of which there may be a picture: where it is kept. */
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
  /** By time, at least one. */
  readonly seen: readonly Sighting<Seen>[];
  /** The one to show: large and sure, and of those with a picture where there are any. */
  readonly best: Sighting<Seen>;
  /** The mean of what engines give; null where they give none. */
  readonly likeness: readonly number[] | null;
}

/** From this overlap on, two samples in a row show one face that moves. */
const SAME_PLACE = 0.3;
/** Above this distance two faces in one place are of two people: between two samples there was a cut that nobody saw. */
const OTHER_PERSON = 0.75;
/** Below it, faces that lie apart are of one who moves fast. */
const SAME_PERSON = 0.45;
/** So many samples in a row may miss a face: heads turn and eyes close. */
const MISSED = 2;
/** What a single sample shows has to be so sure: textures that look like a face seldom do so twice in a row. */
const SURE_AT_ONCE = 0.8;

/**
 * One person in one shot each, by time.
 * @param samples by time
 * @param shots by time; none where they are not known, which counts as one
 * @param every_ms between two samples
 */
export function faceTracks<Seen extends ShownFace>(
  samples: readonly FaceSample<Seen>[],
  shots: readonly Span[],
  every_ms: number,
): FaceTrack<Seen>[] {
  const tracks: { readonly shot: Span; readonly seen: Sighting<Seen>[] }[] = [];
  for (const { at_ms, faces } of samples) {
    const shot = shotAt(shots, at_ms);
    const open = tracks.filter((track) => {
      const silence_ms = at_ms - track.seen.at(-1)!.at_ms;
      return track.shot.start_ms === shot.start_ms && silence_ms <= (MISSED + 1) * every_ms;
    });
    const pairs = pairsOf(
      open.map(({ seen }) => seen.at(-1)!.face),
      faces,
    );
    for (const [at, face] of faces.entries()) {
      const track = open[pairs.get(at) ?? -1];
      if (track) track.seen.push({ at_ms, face });
      else tracks.push({ shot, seen: [{ at_ms, face }] });
    }
  }
  return tracks
    .filter(({ seen }) => seen.length > 1 || seen[0]!.face.confidence >= SURE_AT_ONCE)
    .map(({ shot, seen }) => trackOf(seen, shot, every_ms))
    .toSorted((one, other) => one.start_ms - other.start_ms);
}

/** Pairs faces with those before, the surest pair first: the index of the former by that of the latter. */
function pairsOf(before: readonly SeenFace[], after: readonly SeenFace[]): Map<number, number> {
  const pairs = after.flatMap((face, at) =>
    before.map((one, from) => ({ at, from, score: samenessOf(one, face) })),
  );
  const taken = new Set<number>();
  const found = new Map<number, number>();
  for (const { at, from, score } of pairs.toSorted((one, other) => other.score - one.score)) {
    if (score <= 0 || found.has(at) || taken.has(from)) continue;
    found.set(at, from);
    taken.add(from);
  }
  return found;
}

/** How much speaks for one face: from 0, where nothing does, to 2. Place comes before likeness. */
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
    start_ms: beginningOf(seen[0]!.at_ms, shot, every_ms),
    end_ms: endOf(seen.at(-1)!.at_ms, shot, every_ms),
    seen,
    best: bestOf(seen),
    likeness: likenesses.length > 0 ? meanLikeness(likenesses) : null,
  };
}

/** How well a sighting shows who it is: of faces that are as sure, the largest has most to show. */
const worthOf = ({ face: { box, confidence } }: Sighting): number => confidence ** 2 * Math.sqrt(areaOf(box));

/** Those with a picture go first. @param seen at least one */
export function bestOf<Seen extends ShownFace>(seen: readonly Sighting<Seen>[]): Sighting<Seen> {
  const pictured = seen.filter(({ face }) => face.crop !== undefined && face.crop !== null);
  const all = pictured.length > 0 ? pictured : seen;
  return all.reduce((best, one) => (worthOf(one) > worthOf(best) ? one : best));
}
