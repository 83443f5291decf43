/** Makes a person's edit of a transcription. Every edit makes a new version. */
import type { AssetChildren } from '../../../../platform/records/asset-children.ts';
import type { AssetId } from '../../../../shared/ids.ts';
import { languageById } from '../../../../shared/languages.ts';
import { PreconditionFailed } from '../../../../shared/problems.ts';
import type { Segment } from '../../../../shared/segments.ts';
import { tagOf } from '../../../../shared/versions.ts';
import type { Assets } from '../../../assets/records/assets.ts';
import {
  areUnchanged,
  type Originals,
  readOriginals,
  withoutOriginals,
} from '../../lineage/actions/settle-translations.ts';
import type { StoredTranscription, VersionChange } from '../../lineage/records/transcription-items.ts';
import type { Snapshot, Transcriptions } from '../../lineage/records/transcriptions.ts';
import { isAnyStale } from '../../lineage/rules/staleness.ts';
import { type Marked, withQc } from '../../quality/rules/mark-segments.ts';
import { type Speaker, withSpeakerNames } from '../../speakers/rules/speakers.ts';
import { requireLegible } from '../rules/edit-segments.ts';

export interface Services {
  readonly assets: Assets;
  readonly speakers: AssetChildren<Speaker>;
  readonly transcriptions: Transcriptions;
}

export interface TranscriptionPlace {
  readonly asset_id: AssetId;
  readonly transcription_id: string;
}

/** The parts of a request that every edit needs. */
export interface EditRequest {
  readonly now: Date;
  readonly newId: () => string;
  readonly ifMatch: string | undefined;
}

/** Everything that an edit needs. Each record is read once. */
export interface Scene {
  readonly snapshot: Snapshot;
  readonly speakers: readonly Speaker[];
  /** The speakers that existed before the request. The ETag of the caller is based on them. */
  readonly seenSpeakers: readonly Speaker[];
  readonly mediaDurationMs: number | undefined;
}

export async function readScene(
  { asset_id, transcription_id }: TranscriptionPlace,
  { assets, speakers, transcriptions }: Services,
): Promise<Scene> {
  const snapshot = await transcriptions.snapshot(asset_id, transcription_id);
  const [{ duration_ms }, known] = await Promise.all([assets.get(asset_id), speakers.list(asset_id)]);
  return { snapshot, speakers: known, seenSpeakers: known, mediaDurationMs: duration_ms ?? undefined };
}

/** The ETag of a transcription. It changes with its version and with its asset's speakers. */
const tagFor = (version: number, speakers: readonly Speaker[]) =>
  `${version}${tagOf(speakers, ({ speaker_id }) => speaker_id)}`;

/** Whether If-Match names this version. The version of the original does not matter for an edit. */
export const matches = (ifMatch: string, version: number, speakers: readonly Speaker[]): boolean =>
  withoutOriginals(ifMatch) === tagFor(version, speakers);

/** Throws precondition_failed if If-Match names another version. */
export function requireVersion(
  ifMatch: string | undefined,
  { version }: StoredTranscription,
  speakers: readonly Speaker[],
): void {
  if (ifMatch !== undefined && !matches(ifMatch, version, speakers))
    throw new PreconditionFailed(tagFor(version, speakers));
}

export interface Change {
  readonly description: VersionChange;
  /** The ids of the segments in the answer, in order. */
  readonly ids: ReadonlySet<string>;
  /**
   * Returns the edited segments. Null if the edit changes nothing. `origins` is null if the translation cannot be
   * stale.
   */
  readonly change: (
    segments: readonly Segment[],
    origins: Originals['origins'] | null,
  ) => readonly Segment[] | null;
}

export interface Edited {
  readonly answer: {
    readonly transcription_id: string;
    readonly version: number;
    readonly segments: Marked[];
  };
  readonly head: StoredTranscription;
  readonly tag: string;
}

export async function editTranscription(
  { snapshot, speakers, seenSpeakers, mediaDurationMs }: Scene,
  { now, newId, ifMatch }: EditRequest,
  { description, ids, change }: Change,
  { transcriptions }: Services,
): Promise<Edited> {
  const { asset_id, transcription_id, source, stale } = snapshot.head;
  // A restored version may be a translation of an earlier version of the original.
  const mayBeStale = source === 'translated' && (stale || description.action === 'restored');
  const originals = mayBeStale ? await readOriginals(snapshot.heads, transcriptions) : null;
  let after: readonly Segment[] = [];
  const editor = {
    ...{ now, newId, description, snapshot },
    ...(originals && { isStale: (segments: readonly Segment[]) => isAnyStale(segments, originals.origins) }),
    requireEditable: (head: StoredTranscription) => requireVersion(ifMatch, head, seenSpeakers),
  };
  const head = await transcriptions.edit(asset_id, transcription_id, editor, (segments) => {
    const next = change(segments, originals?.origins ?? null);
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

/**
 * Makes an edit that creates segments with ids that depend on the request. If these segments exist already, the request
 * is a repeat, and changes nothing. The If-Match of a repeat is not checked, because it names the version before the
 * first run.
 */
export function editOnce(
  scene: Scene,
  request: EditRequest,
  edit: Change & { readonly createdIds: ReadonlySet<string> },
  services: Services,
): Promise<Edited> {
  const isDone = (segments: readonly Segment[]) =>
    segments.some(({ segment_id }) => edit.createdIds.has(segment_id));
  const ifMatch = isDone(scene.snapshot.segments) ? undefined : request.ifMatch;
  const change: Change['change'] = (segments, origins) =>
    isDone(segments) ? null : edit.change(segments, origins);
  return editTranscription(scene, { ...request, ifMatch }, { ...edit, change }, services);
}
