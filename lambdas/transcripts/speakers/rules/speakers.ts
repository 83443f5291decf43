/** The speakers of an asset, and how segments refer to them. */
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
 * Throws payload_too_large if the asset cannot be listed under the names that its speakers would have. Existing names may
 * stay, and may become shorter.
 * @param pointer JSON pointer of the names in the request
 */
export function requireListable(before: readonly string[], after: readonly string[], pointer: string): void {
  const [now, then] = [before, after].map((names) => listedBytes(facetsOf('speakers', names)));
  if (then! <= MAX_LISTED_BYTES || then! <= now!) return;
  const limit = `The names of an asset's speakers may take ${MAX_LISTED_BYTES} bytes in the lists of assets`;
  const findings = [{ pointer, code: 'too_large', detail: `${limit}.` }];
  const detail = `${limit}; they would take ${then}. Give shorter names, or delete speakers.`;
  throw new Problem('payload_too_large', detail, { findings });
}

/** Replaces the speakers' names in segments by their current names. A deleted speaker leaves its last name as a label. */
export function withSpeakerNames(segments: readonly Segment[], speakers: readonly Speaker[]): Segment[] {
  const names = new Map(speakers.map(({ speaker_id, name }) => [speaker_id, name]));
  return segments.map((segment) => {
    if (segment.speaker_id === null) return segment;
    const name = names.get(segment.speaker_id);
    return name === undefined ? { ...segment, speaker_id: null } : { ...segment, speaker: name };
  });
}

/** The labels of segments without a speaker: voices that were only distinguished from each other. */
export const labelsOf = (segments: readonly Segment[]): ReadonlySet<string | null> =>
  new Set(segments.filter(({ speaker_id }) => speaker_id === null).map(({ speaker }) => speaker));

/** Assigns the segments of some speakers and labels to another. */
export interface Relabelling {
  /** Ids of speakers, and labels of segments without a speaker. */
  readonly was: ReadonlySet<string>;
  readonly as: Pick<Segment, 'speaker' | 'speaker_id'>;
}

/** Assigns segments to a speaker. @param was the ids and labels for their label, see `standingFor` */
export const named = (was: ReadonlySet<string>, { speaker_id, name }: Speaker): Relabelling => ({
  was,
  as: { speaker: name, speaker_id },
});

/** Releases the segments of a speaker that is being deleted. Its name stays as a plain label. */
export const released = ({ speaker_id, name }: Speaker): Relabelling => ({
  was: new Set([speaker_id]),
  as: { speaker: name, speaker_id: null },
});

/**
 * The ids and labels that segments can have for a label: the label itself, and the ids of deleted speakers, which restored versions
 * can have. The id of an existing speaker is not a label.
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

/** Whether they speak a segment, or spoke its original when it was translated. */
export const concerns = ({ was }: Pick<Relabelling, 'was'>, segment: Segment): boolean =>
  isSaidBy(segment, was) || was.has(segment.made_of?.place.speaker ?? '');

/** Changes the speakers of segments. Translations record the speaker of their original, and a rename must not make them stale. */
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

/** Whether the segment has one of these speaker ids or labels. */
export const isSaidBy = ({ speaker, speaker_id }: Segment, who: ReadonlySet<string>): boolean =>
  who.has(speaker_id ?? speaker ?? '');

/** Whether a text is the id or the name of a speaker. */
export const isMeantBy = (identifier: string) => {
  const id = identifier.toLowerCase();
  return ({ speaker_id, name }: Speaker) => speaker_id === id || name === identifier;
};
