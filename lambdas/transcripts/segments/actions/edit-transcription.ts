/** Makes a person's edit of a transcription. Every edit makes a new version. */
import type { AssetId } from '../../../../shared/ids.ts';
import { languageById } from '../../../../shared/languages.ts';
import { NotFound, PreconditionFailed } from '../../../../shared/problems.ts';
import type { Segment } from '../../../../shared/segments.ts';
import { tagOf } from '../../../../shared/versions.ts';
import { areUnchanged, readOriginals, withoutOriginals } from '../../lineage/actions/settle-translations.ts';
import type { StoredTranscription, VersionChange } from '../../lineage/records/transcription-items.ts';
import type { Editor, Snapshot } from '../../lineage/records/transcriptions.ts';
import { type Content, isBehind, type Originals } from '../../lineage/rules/missing.ts';
import { withQc } from '../../quality/rules/mark-segments.ts';
import type { transcriptRecordsOf } from '../../speakers/records/speakers.ts';
import { type Speaker, withSpeakerNames } from '../../speakers/rules/speakers.ts';
import { requireLegible } from '../rules/edit-segments.ts';

export type Services = ReturnType<typeof transcriptRecordsOf>;

export interface TranscriptionPlace {
  readonly asset_id: AssetId;
  readonly transcription_id: string;
}

export type SegmentPlace = TranscriptionPlace & { readonly segment_id: string };

export interface EditRequest {
  readonly now: Date;
  readonly newId: () => string;
  readonly ifMatch: string | undefined;
}

/** The records that an edit needs. Each is read once. */
export interface Scene {
  readonly snapshot: Snapshot;
  readonly speakers: readonly Speaker[];
  /** The speakers that existed before the request. The caller's ETag is based on these speakers. */
  readonly seenSpeakers: readonly Speaker[];
  readonly mediaDurationMs: number | undefined;
}

/** Throws resource_not_found if the segment does not exist. */
export async function readScene(
  { asset_id, transcription_id, segment_id: id }: TranscriptionPlace & Partial<SegmentPlace>,
  { assets, speakers, transcriptions }: Services,
): Promise<Scene> {
  const snapshot = await transcriptions.snapshot(asset_id, transcription_id);
  const [{ duration_ms }, known] = await Promise.all([assets.get(asset_id), speakers.list(asset_id)]);
  if (id !== undefined && !snapshot.segments.some(({ segment_id }) => segment_id === id))
    throw new NotFound('segment', id);
  return { snapshot, speakers: known, seenSpeakers: known, mediaDurationMs: duration_ms ?? undefined };
}

/** The ETag of a transcription. It changes with its version and with its asset's speakers. */
const tagFor = (version: number, speakers: readonly Speaker[]) =>
  `${version}${tagOf(speakers, ({ speaker_id }) => speaker_id)}`;

/** Whether If-Match contains this version. The version of the original does not matter for an edit. */
export const matches = (ifMatch: string, version: number, speakers: readonly Speaker[]): boolean =>
  withoutOriginals(ifMatch) === tagFor(version, speakers);

/** Throws precondition_failed if If-Match contains another version. */
export function requireVersion(
  ifMatch: string | undefined,
  { version }: StoredTranscription,
  speakers: readonly Speaker[],
): void {
  if (ifMatch !== undefined && !matches(ifMatch, version, speakers))
    throw new PreconditionFailed(tagFor(version, speakers));
}

export interface Change extends Pick<Editor, 'omitting'> {
  readonly description: VersionChange;
  /** The ids of the segments in the answer, in order. */
  readonly ids: ReadonlySet<string>;
  /**
   * The ids of the new segments, if these ids are derived from the request. If these segments exist already, the
   * request is a repeat and changes nothing. The If-Match of a repeat is not checked, because it contains the version
   * before the first run.
   */
  readonly createdIds?: ReadonlySet<string>;
  /**
   * Returns the edited segments. Null if the edit changes nothing. `origins` is null if the translation cannot be
   * stale.
   */
  readonly change: (
    segments: readonly Segment[],
    origins: Originals['origins'] | null,
  ) => readonly Segment[] | null;
}

export async function editTranscription(
  { snapshot, speakers, seenSpeakers, mediaDurationMs }: Scene,
  { now, newId, ifMatch }: EditRequest,
  { description, ids, createdIds, change, omitting }: Change,
  { transcriptions }: Services,
) {
  const isDone = (segments: readonly Segment[]) =>
    createdIds !== undefined && segments.some(({ segment_id }) => createdIds.has(segment_id));
  const isRepeat = isDone(snapshot.segments);
  const { asset_id, transcription_id, source, stale } = snapshot.head;
  // A restored version may be a translation of an earlier version of the original. A removed segment may have been the
  // only translation of its original.
  const isRisky = ['restored', 'deleted', 'merged'].includes(description.action);
  const mayBeStale = source === 'translated' && (stale || isRisky);
  const originals = mayBeStale ? await readOriginals(snapshot.heads, transcriptions) : null;
  let after: readonly Segment[] = [];
  const editor = {
    ...{ now, newId, description, snapshot },
    ...(omitting && { omitting }),
    ...(originals && { isStale: (content: Content) => isBehind(content, originals) }),
    requireEditable: (head: StoredTranscription) =>
      requireVersion(isRepeat ? undefined : ifMatch, head, seenSpeakers),
  };
  const head = await transcriptions.edit(asset_id, transcription_id, editor, (segments) => {
    const next = isDone(segments) ? null : change(segments, originals?.origins ?? null);
    if (next !== null) requireLegible(segments, next);
    after = next ?? segments;
    return next;
  });
  if (originals && !head.stale && !(await areUnchanged(originals.versions, asset_id, transcriptions)))
    await transcriptions.markStale(head);
  const language = languageById(head.language_id)?.code;
  const marked = withQc(withSpeakerNames(after, speakers), language, mediaDurationMs);
  const byId = new Map(marked.map((segment) => [segment.segment_id, segment]));
  const segments = [...ids].flatMap((id) => byId.get(id) ?? []);
  const { version } = head;
  return { answer: { transcription_id, version, segments }, head, tag: tagFor(version, speakers) };
}
