/** The speakers of an asset, and how segments refer to them. */
import type { Static } from 'typebox';
import type { Frozen } from '../../../../contract/kit/operation.ts';
import type * as contract from '../../../../contract/resources/speakers.ts';
import { defined } from '../../../../shared/checked-access.ts';
import { Problem } from '../../../../shared/problems.ts';
import type { Segment } from '../../../../shared/segments.ts';
import { facetsOf, listedBytes, MAX_LISTED_BYTES } from '../../../assets/rules/facets.ts';

export type Speaker = Frozen<Static<typeof contract.Speaker>> & { readonly version: number };

/** Throws payload_too_large if the names of an asset's speakers need too many bytes, and more than before. */
export function requireListable(before: readonly string[], after: readonly string[], pointer: string): void {
  const [now, then] = [before, after].map((names) => listedBytes(facetsOf('speakers', names)));
  if (defined(then) <= MAX_LISTED_BYTES || defined(then) <= defined(now)) return;
  const limit = `The names of an asset's speakers may take ${MAX_LISTED_BYTES} bytes in the lists of assets`;
  const findings = [{ pointer, code: 'too_large', detail: `${limit}.` }];
  const detail = `${limit}; they would take ${then}. Give shorter names, or delete speakers.`;
  throw new Problem('payload_too_large', detail, { findings });
}

/** Replaces the speakers' names in segments by their current names. The last name of a deleted speaker stays. */
export function withSpeakerNames(segments: readonly Segment[], speakers: readonly Speaker[]): Segment[] {
  const names = new Map(speakers.map(({ speaker_id, name }) => [speaker_id, name]));
  return segments.map((segment) => {
    if (segment.speaker_id === null) return segment;
    const name = names.get(segment.speaker_id);
    return name === undefined ? { ...segment, speaker_id: null } : { ...segment, speaker: name };
  });
}

/** The labels of segments without a speaker. The engine distinguished these voices, but no one has named them. */
export const labelsOf = (segments: readonly Segment[]): ReadonlySet<string | null> =>
  new Set(segments.filter(({ speaker_id }) => speaker_id === null).map(({ speaker }) => speaker));

export interface Relabelling {
  readonly was: ReadonlySet<string>;
  readonly as: Pick<Segment, 'speaker' | 'speaker_id'>;
}

/**
 * The values that segments can have for a label. These are the label itself and ids of deleted speakers, because
 * restored versions can contain such ids. The id of an existing speaker is not a label.
 */
export function standingFor(
  label: string,
  segments: readonly Segment[],
  speakers: readonly Speaker[],
): ReadonlySet<string> {
  const ids = new Set(speakers.map(({ speaker_id }) => speaker_id));
  const removed = segments.flatMap(({ speaker, speaker_id: id }) =>
    id !== null && !ids.has(id) && speaker === label ? [id] : [],
  );
  return new Set([...(ids.has(label) ? [] : [label]), ...removed]);
}

/**
 * Whether a change of speakers concerns a segment: one of the speakers says the segment, or said its original when the
 * segment was translated.
 */
export const concerns = ({ was }: Pick<Relabelling, 'was'>, segment: Segment): boolean =>
  isSaidBy(segment, was) || was.has(segment.made_of?.place.speaker ?? '');

/**
 * Changes the speakers of segments. A translated segment also records the speaker of its original. That record changes
 * too, so that a rename does not make the translation stale.
 */
export function relabelSegments(segments: readonly Segment[], change: Relabelling): Segment[] {
  const { was, as } = change;
  return segments.map((segment) => {
    if (!concerns(change, segment)) return segment;
    const { made_of } = segment;
    const isRemembered = made_of !== undefined && was.has(made_of.place.speaker ?? '');
    const place = isRemembered && { ...made_of.place, speaker: as.speaker_id ?? as.speaker };
    return {
      ...segment,
      ...(isSaidBy(segment, was) && as),
      ...(place && { made_of: { ...made_of, place } }),
    };
  });
}

/** Whether one of these speakers says the segment. `who` has speaker ids and labels. */
export const isSaidBy = ({ speaker, speaker_id }: Segment, who: ReadonlySet<string>): boolean =>
  who.has(speaker_id ?? speaker ?? '');

export const isMeantBy = (identifier: string) => {
  const id = identifier.toLowerCase();
  return ({ speaker_id, name }: Speaker) => speaker_id === id || name === identifier;
};
