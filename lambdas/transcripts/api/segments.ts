/** Adds, edits, cuts, joins and deletes segments: every request is one new version of the transcription. */
import { isDeepStrictEqual } from 'node:util';
import * as contract from '../../../build/contract/segments.js';
import { pageOfAll } from '../../../platform/kernel/pages.ts';
import { created, noContent, ok } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import { derivedId } from '../../../shared/derived-ids.ts';
import type { AssetId } from '../../../shared/ids.ts';
import { languageById } from '../../../shared/languages.ts';
import { NotFound, PreconditionFailed } from '../../../shared/problems.ts';
import type { Segment } from '../../../shared/segments.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { tagOf } from '../../../shared/versions.ts';
import { Assets } from '../../assets/records/assets.ts';
import {
  areStill,
  type Originals,
  originalsOf,
  settleTranslations,
  withoutOriginals,
} from '../lineage/actions/settle-translations.ts';
import {
  type Did,
  didOf,
  type StoredTranscription,
  Transcriptions,
  transcriptionView,
} from '../lineage/records/transcriptions.ts';
import { isAnyStale, settled } from '../lineage/rules/staleness.ts';
import { withQc } from '../quality/rules/mark-segments.ts';
import { mergedSegments, splitSegment, withoutSegment } from '../segments/rules/cut-segments.ts';
import {
  changedSegments,
  newSegments,
  type PlacedChange,
  placedChanges,
  requireLegible,
  withNewSegments,
} from '../segments/rules/edit-segments.ts';
import { newNames, relist, withNewSpeakers } from '../speakers/actions/create-speakers.ts';
import { speakersOf } from '../speakers/records/speakers.ts';
import { labelsOf, type Speaker, withSpeakerNames } from '../speakers/rules/speakers.ts';

const services = (tenant: TenantId) => {
  const table = coreTable(tenant);
  return {
    assets: new Assets(table, tenant),
    speakers: speakersOf(table, tenant),
    transcriptions: new Transcriptions(table, mediaObjects(tenant), tenant),
  };
};

type Services = ReturnType<typeof services>;

interface Place {
  readonly asset_id: AssetId;
  readonly transcription_id: string;
}

interface Editing {
  readonly now: Date;
  readonly newId: () => string;
  readonly ifMatch: string | undefined;
  readonly did: Did;
}

export const handler = resource(contract, services, {
  createSegments: async ({ params, body, newResourceId, ...request }, services) => {
    const editing = { ...request, did: didOf('added', body.segments.length) };
    const head = await services.transcriptions.get(params.asset_id, params.transcription_id);
    const there = await sceneOf(params.asset_id, services);
    const originals = body.segments.some(({ original_segment_id }) => original_segment_id !== undefined)
      ? await translatable(head, services)
      : new Set<string>();
    const idOf = (at: number) => derivedId(newResourceId, at);
    const segmentsBy = (speakers: readonly Speaker[]) =>
      newSegments(body.segments, speakers, originals, idOf, there.mediaDurationMs);
    // What is refused makes no speaker.
    const ids = new Set(segmentsBy(there.speakers).map(({ segment_id }) => segment_id));
    const labels = labelsOf(await services.transcriptions.segments(head));
    const names = body.segments.map(({ speaker }) => speaker).filter((name) => !labels.has(name));
    await requireVersion(params, request.ifMatch, newNames(names, there.speakers), there, services);
    const { speakers, before } = await withNewSpeakers(
      params.asset_id,
      names,
      there.speakers,
      newResourceId,
      request.now,
      services,
    );
    const added = segmentsBy(speakers);
    const scene = { ...there, speakers, before };
    const { answer, tag } = await made(params, editing, scene, services, ids, (segments) =>
      withNewSegments(segments, added),
    );
    if (speakers.length > before.length) await relist(params.asset_id, request.now, services);
    return created(answer, `/v1/assets/${params.asset_id}/transcriptions/${params.transcription_id}`, tag);
  },

  updateSegments: async ({ params, body, ...request }, services) => {
    const editing = { ...request, did: didOf('edited', body.segments.length) };
    const head = await services.transcriptions.get(params.asset_id, params.transcription_id);
    const known = (await services.transcriptions.segments(head)).map(({ segment_id }) => segment_id);
    const changes = placedChanges(body.segments, new Set(known));
    const { answer, tag } = await changed(params, editing, changes, services);
    return ok(answer, tag);
  },

  updateSegment: async ({ params, body, ...request }, services) => {
    await requireSegment(params, services);
    const change = { ...body, id: params.segment_id, pointer: '' };
    const editing = { ...request, did: didOf('edited', 1) };
    const { answer, tag } = await changed(params, editing, [change], services);
    return ok(answer.segments[0]!, tag);
  },

  splitSegment: async ({ params, body, newResourceId, ...request }, services) => {
    await requireSegment(params, services);
    const editing = { ...request, did: didOf('split', 1) };
    const ids = new Set([newResourceId]);
    const scene = await sceneOf(params.asset_id, services);
    const parts = new Set([params.segment_id, newResourceId]);
    const cut = (segments: Segment[]) => splitSegment(segments, params.segment_id, body, newResourceId);
    const { answer, tag } = await made(params, editing, scene, services, ids, cut, parts);
    return ok(answer, tag);
  },

  mergeSegments: async ({ params, body, newResourceId, ...request }, services) => {
    const editing = { ...request, did: didOf('merged', body.segment_ids.length) };
    const ids = new Set([newResourceId]);
    const scene = await sceneOf(params.asset_id, services);
    const { answer, tag } = await made(params, editing, scene, services, ids, (segments) =>
      mergedSegments(segments, body.segment_ids, newResourceId),
    );
    return ok(answer, tag);
  },

  deleteSegment: async ({ params, ...request }, services) => {
    await requireSegment(params, services);
    const editing = { ...request, did: didOf('deleted', 1) };
    const scene = await sceneOf(params.asset_id, services);
    await edited(params, editing, scene, services, new Set(), (segments) =>
      withoutSegment(segments, params.segment_id),
    );
    return noContent();
  },

  listTranscriptionVersions: async ({ params, query }, { transcriptions }) => {
    const head = await transcriptions.get(params.asset_id, params.transcription_id);
    return pageOfAll(query, await transcriptions.versions(head), {
      path: `/v1/assets/${params.asset_id}/transcriptions/${params.transcription_id}/versions`,
      filters: ['versions', params.transcription_id],
    });
  },

  restoreTranscription: async ({ params, body, ...request }, services) => {
    const { transcriptions } = services;
    const newest = await transcriptions.get(params.asset_id, params.transcription_id);
    const old = await transcriptions.segments(await transcriptions.atVersion(newest, body.version));
    const editing = { ...request, did: didOf('restored', old.length, body.version) };
    const scene = await sceneOf(params.asset_id, services);
    // A repeat of the request finds them equal, and names the version that its first run has changed.
    const isRepeat =
      editing.ifMatch !== undefined &&
      isMeant(editing.ifMatch, newest.version - 1, scene.speakers) &&
      isDeepStrictEqual(old, await transcriptions.segments(newest));
    const guard = isRepeat ? { ...editing, ifMatch: undefined } : editing;
    const { head, tag } = await edited(params, guard, scene, services, new Set(), (segments) =>
      isDeepStrictEqual(old, segments) ? null : old,
    );
    if (head.source === 'transcribed') await settleTranslations(params.asset_id, transcriptions);
    return ok(transcriptionView(head), tag);
  },
});

/** Throws resource_not_found. */
async function requireSegment(
  { asset_id, transcription_id, segment_id: id }: Place & { readonly segment_id: string },
  { transcriptions }: Services,
): Promise<void> {
  const segments = await transcriptions.segments(await transcriptions.get(asset_id, transcription_id));
  if (!segments.some(({ segment_id }) => segment_id === id)) throw new NotFound('segment', id);
}

/** Throws precondition_failed before speakers are made for a request that is not going to be served. */
async function requireVersion(
  { asset_id, transcription_id }: Place,
  ifMatch: string | undefined,
  names: readonly string[],
  { speakers }: Scene,
  { transcriptions }: Services,
): Promise<void> {
  if (ifMatch === undefined || names.length === 0) return;
  const { version } = await transcriptions.get(asset_id, transcription_id);
  if (!isMeant(ifMatch, version, speakers)) throw new PreconditionFailed(tagFor(version, speakers));
}

/**
 * An edit that makes segments under ids of the request: where they are there already, a repeat changes nothing, and is not held
 * to the version that its first run has changed.
 */
async function made(
  place: Place,
  editing: Editing,
  scene: Scene,
  services: Services,
  ids: ReadonlySet<string>,
  change: (segments: Segment[]) => readonly Segment[],
  shown = ids,
) {
  const head = await services.transcriptions.get(place.asset_id, place.transcription_id);
  const isThere = (segments: readonly Segment[]) => segments.some(({ segment_id }) => ids.has(segment_id));
  const isRepeat = editing.ifMatch !== undefined && isThere(await services.transcriptions.segments(head));
  const guard = isRepeat ? { ...editing, ifMatch: undefined } : editing;
  return edited(place, guard, scene, services, shown, (segments) =>
    isThere(segments) ? null : change(segments),
  );
}

async function changed(place: Place, editing: Editing, changes: readonly PlacedChange[], services: Services) {
  const scene = await sceneOf(place.asset_id, services);
  const ids = new Set(changes.map(({ id }) => id));
  return edited(place, editing, scene, services, ids, (segments, origins) =>
    settled(changedSegments(segments, changes, scene.speakers, scene.mediaDurationMs), ids, origins),
  );
}

/** What segments are edited by: who speaks in the asset, and how long it lasts. */
interface Scene {
  readonly speakers: readonly Speaker[];
  /** Those whom the caller can have seen, where the request makes others. */
  readonly before?: readonly Speaker[];
  readonly mediaDurationMs: number | undefined;
}

async function sceneOf(assetId: AssetId, { assets, speakers }: Services): Promise<Scene> {
  const [{ duration_ms }, named] = await Promise.all([assets.get(assetId), speakers.list(assetId)]);
  return { speakers: named, mediaDurationMs: duration_ms ?? undefined };
}

const tagFor = (version: number, speakers: readonly Speaker[]) =>
  `${version}${tagOf(speakers, ({ speaker_id }) => speaker_id)}`;

/** A stale translation's tag tells of its original as well, to which no edit is held. */
const isMeant = (ifMatch: string, version: number, speakers: readonly Speaker[]) =>
  withoutOriginals(ifMatch) === tagFor(version, speakers);

/** Makes the edit; the answer holds the segments of those ids, in the order of the ids. */
async function edited(
  { asset_id, transcription_id }: Place,
  { ifMatch, ...editor }: Editing,
  { speakers, before: known = speakers, mediaDurationMs }: Scene,
  { transcriptions }: Services,
  ids: ReadonlySet<string>,
  change: (segments: Segment[], origins: Originals['origins'] | null) => readonly Segment[] | null,
) {
  let after: readonly Segment[] = [];
  const before = await transcriptions.get(asset_id, transcription_id);
  // What is restored may have come of an original that is another by now.
  const isDoubtful = before.source === 'translated' && (before.stale || editor.did.action === 'restored');
  const originals = isDoubtful ? await originalsOf(asset_id, transcriptions) : null;
  const isStale = (segments: readonly Segment[]) => isAnyStale(segments, originals!.origins);
  const head = await transcriptions.edit(
    asset_id,
    transcription_id,
    { ...editor, ...(originals && { isStale }) },
    (segments) => {
      const next = change(segments, originals?.origins ?? null);
      if (next !== null) requireLegible(segments, next);
      after = next ?? segments;
      return next;
    },
    ({ version }) => {
      if (ifMatch !== undefined && !isMeant(ifMatch, version, known))
        throw new PreconditionFailed(tagFor(version, known));
    },
  );
  if (originals && !head.stale && !(await areStill(originals.versions, asset_id, transcriptions)))
    await transcriptions.markStale(head);
  const language = languageById(head.language_id)?.code;
  const marked = withQc(withSpeakerNames(after, speakers), language, mediaDurationMs);
  const byId = new Map(marked.map((segment) => [segment.segment_id, segment]));
  const segments = [...ids].flatMap((id) => byId.get(id) ?? []);
  return {
    answer: { transcription_id, version: head.version, segments },
    head,
    tag: tagFor(head.version, speakers),
  };
}

/** Segments that others may translate: those of the asset's transcribed languages, but for these themselves. */
async function translatable(
  { asset_id, transcription_id }: StoredTranscription,
  { transcriptions }: Services,
): Promise<Set<string>> {
  const heads = (await transcriptions.list(asset_id)).filter(
    (head) => head.source === 'transcribed' && head.transcription_id !== transcription_id,
  );
  const documents = await Promise.all(heads.map((head) => transcriptions.segments(head)));
  return new Set(documents.flat().map(({ segment_id }) => segment_id));
}
