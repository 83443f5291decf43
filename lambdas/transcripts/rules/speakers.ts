/** Speakers of an asset, and what segments show of them. */
import type { AssetId } from '../../../platform/shared/ids.ts';
import type { Segment } from '../../../platform/shared/segments.ts';

export interface Speaker {
  readonly speaker_id: string;
  readonly asset_id: AssetId;
  readonly name: string;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
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

/** Segments of a speaker that is about to go: its name stays as a plain label. Null where it has none. */
export function withoutSpeaker(
  segments: readonly Segment[],
  { speaker_id, name }: Speaker,
): Segment[] | null {
  if (!segments.some((segment) => segment.speaker_id === speaker_id)) return null;
  return segments.map((segment) =>
    segment.speaker_id === speaker_id ? { ...segment, speaker_id: null, speaker: name } : segment,
  );
}

/** Whether a speaker is the one that a text names by its id or its name. */
export const isMeantBy = (identifier: string) => {
  const id = identifier.toLowerCase();
  return ({ speaker_id, name }: Speaker) => speaker_id === id || name === identifier;
};

export const isUuid = (text: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
