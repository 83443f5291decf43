/** Finds the originals that a translation lacks. */
import type { Covered, Missing, Segment } from '../../../../shared/segments.ts';
import { isAnyStale, type Origin } from './staleness.ts';

/**
 * The segments of a transcription. `omitted` lists the originals that a translation leaves out on purpose: a person
 * deleted their translation, or the engine left no words for them.
 */
export interface Content {
  readonly segments: readonly Segment[];
  readonly omitted?: readonly Covered[] | undefined;
}

/** The originals of a translation, by id. */
export interface Originals {
  /** The segments of all transcribed languages: a translated segment can be of any of them. */
  readonly origins: ReadonlyMap<string, Origin>;
  /** The segments of the newest transcription. A translation needs each of these. */
  readonly needed: ReadonlyMap<string, Origin>;
}

/** The originals that a translated segment covers. */
export const coveredBy = ({ original_segment_id: id, made_of, joined = [] }: Segment): Covered[] =>
  id === null ? joined : [{ original_segment_id: id, sentences: made_of?.sentences ?? null }, ...joined];

export const idsOf = (segments: readonly Segment[]): Set<string> =>
  new Set(segments.flatMap(coveredBy).map(({ original_segment_id }) => original_segment_id));

/** An omitted original counts as missing once its sentences change. */
export function missingFrom({ segments, omitted = [] }: Content, needed: Originals['needed']): Missing[] {
  const covered = idsOf(segments);
  const left = new Map(omitted.map(({ original_segment_id, sentences }) => [original_segment_id, sentences]));
  return [...needed]
    .filter(([id, { sentences }]) => !covered.has(id) && left.get(id) !== sentences)
    .map(([original_segment_id, { place }]) => {
      const { start_ms, end_ms } = place;
      return { original_segment_id, start_ms, end_ms };
    });
}

/** Whether a translation lacks an original, or differs from one. */
export const isBehind = (content: Content, { origins, needed }: Originals): boolean =>
  isAnyStale(content.segments, origins) || missingFrom(content, needed).length > 0;

/** The omitted originals after a person's edit: those before, and those whose translation the person deleted. */
export function omittedByHand({ segments, omitted = [] }: Content, after: readonly Segment[]): Covered[] {
  const covered = idsOf(after);
  const left = [...omitted, ...segments.flatMap(coveredBy)].filter(
    ({ original_segment_id: id, sentences }) => sentences !== null && !covered.has(id),
  );
  return [...new Map(left.map((one) => [one.original_segment_id, one])).values()];
}
