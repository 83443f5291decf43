/** Speakers of an asset, and what segments show of them. */
import type { AssetId } from '../../../../shared/ids.ts';
import { Problem } from '../../../../shared/problems.ts';
import type { Segment } from '../../../../shared/segments.ts';
import { facetsOf, listedBytes, MAX_LISTED_BYTES } from '../../../assets/rules/facets.ts';

export interface Speaker {
  readonly speaker_id: string;
  readonly asset_id: AssetId;
  readonly name: string;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/**
 * Throws payload_too_large where an asset cannot be listed under the names that its speakers would have. Those that it has already
 * may stay, and change for less.
 * @param pointer what of the request has the names
 */
export function requireListable(before: readonly string[], after: readonly string[], pointer: string): void {
  const [now, then] = [before, after].map((names) => listedBytes(facetsOf('speakers', names)));
  if (then! <= MAX_LISTED_BYTES || then! <= now!) return;
  const limit = `The names of an asset's speakers may take ${MAX_LISTED_BYTES} bytes in the lists of assets`;
  const findings = [{ pointer, code: 'too_large', detail: `${limit}.` }];
  const detail = `${limit}; they would take ${then}. Give shorter names, or delete speakers.`;
  throw new Problem('payload_too_large', detail, { findings });
}

/** The segments under the names that their speakers have now. A speaker that is gone leaves its last label. */
export function withSpeakerNames(segments: readonly Segment[], speakers: readonly Speaker[]): Segment[] {
  const names = new Map(speakers.map(({ speaker_id, name }) => [speaker_id, name]));
  return segments.map((segment) => {
    if (segment.speaker_id === null) return segment;
    const name = names.get(segment.speaker_id);
    return name === undefined ? { ...segment, speaker_id: null } : { ...segment, speaker: name };
  });
}

/** What segments without a speaker are labelled with: voices that were only told apart. */
export const labelsOf = (segments: readonly Segment[]): ReadonlySet<string | null> =>
  new Set(segments.filter(({ speaker_id }) => speaker_id === null).map(({ speaker }) => speaker));

/** Whose segments become whose. */
export interface Relabelling {
  /** Ids of speakers, and labels of segments that none is assigned to. */
  readonly was: ReadonlySet<string>;
  readonly as: Pick<Segment, 'speaker' | 'speaker_id'>;
}

/** A speaker takes over segments. @param was what stands for their label, see `standingFor` */
export const named = (was: ReadonlySet<string>, { speaker_id, name }: Speaker): Relabelling => ({
  was,
  as: { speaker: name, speaker_id },
});

/** A speaker is about to go: its name stays as a plain label. */
export const released = ({ speaker_id, name }: Speaker): Relabelling => ({
  was: new Set([speaker_id]),
  as: { speaker: name, speaker_id: null },
});

/**
 * What stands in segments for a label that they are shown with: itself, and the ids of speakers that are gone, as in versions that were
 * restored. The id of a speaker who is there labels nothing.
 */
export function standingFor(
  label: string,
  segments: readonly Segment[],
  speakers: readonly Speaker[],
): ReadonlySet<string> {
  const ids = new Set(speakers.map(({ speaker_id }) => speaker_id));
  const gone = segments.flatMap(({ speaker, speaker_id: id }) =>
    id !== null && !ids.has(id) && speaker === label ? [id] : [],
  );
  return new Set([...(ids.has(label) ? [] : [label]), ...gone]);
}

/** Whether they say a segment, or its original when it was translated. */
export const concerns = ({ was }: Pick<Relabelling, 'was'>, segment: Segment): boolean =>
  isSaidBy(segment, was) || was.has(segment.made_of?.place.speaker ?? '');

/** Translations remember who said their original: that it has another name now says nothing against them. */
export function relabelled(segments: readonly Segment[], change: Relabelling): Segment[] {
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

/** Whether one of these speakers, or who has one of these labels, says it. */
export const isSaidBy = ({ speaker, speaker_id }: Segment, who: ReadonlySet<string>): boolean =>
  who.has(speaker_id ?? speaker ?? '');

/** Whether a speaker is the one that a text names by its id or its name. */
export const isMeantBy = (identifier: string) => {
  const id = identifier.toLowerCase();
  return ({ speaker_id, name }: Speaker) => speaker_id === id || name === identifier;
};
