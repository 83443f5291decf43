/** Adds and edits segments: every request is one new version of the transcription. */
import * as contract from '../../../contract/resources/segments.ts';
import { created, ok } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import { derivedId } from '../../../platform/shared/derived-ids.ts';
import type { AssetId } from '../../../platform/shared/ids.ts';
import { languageById } from '../../../platform/shared/languages.ts';
import { NotFound, PreconditionFailed } from '../../../platform/shared/problems.ts';
import type { Segment } from '../../../platform/shared/segments.ts';
import type { TenantId } from '../../../platform/shared/tenant.ts';
import { tagOf } from '../../../platform/shared/versions.ts';
import { Assets } from '../../assets/records/assets.ts';
import { speakersOf } from '../records/speakers.ts';
import { type StoredTranscription, Transcriptions } from '../records/transcriptions.ts';
import { withQc } from '../rules/qc.ts';
import { changedSegments, newSegments, type PlacedChange, withNewSegments } from '../rules/segment-edits.ts';
import { type Speaker, withSpeakerNames } from '../rules/speakers.ts';

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
}

export const handler = resource(contract, services, {
  createSegments: async ({ params, body, newResourceId, ...editing }, services) => {
    const head = await services.transcriptions.get(params.asset_id, params.transcription_id);
    const scene = await sceneOf(params.asset_id, services);
    const originals = body.segments.some(({ original_segment_id }) => original_segment_id !== undefined)
      ? await originalsOf(head, services)
      : new Set<string>();
    const added = newSegments(
      body.segments,
      scene.speakers,
      originals,
      (at) => derivedId(newResourceId, at),
      scene.mediaDurationMs,
    );
    const ids = new Set(added.map(({ segment_id }) => segment_id));
    const isThere = (segments: readonly Segment[]) => segments.some(({ segment_id }) => ids.has(segment_id));
    // A repeat of the request names the version that its first run has changed.
    const isRepeat = editing.ifMatch !== undefined && isThere(await services.transcriptions.segments(head));
    const guard = isRepeat ? { ...editing, ifMatch: undefined } : editing;
    const { answer, tag } = await edited(params, guard, scene, services, ids, (segments) =>
      isThere(segments) ? null : withNewSegments(segments, added),
    );
    return created(answer, `/v1/assets/${params.asset_id}/transcriptions/${params.transcription_id}`, tag);
  },

  updateSegments: async ({ params, body, ...editing }, services) => {
    const changes = body.segments.map((change, at) => ({ ...change, pointer: `/segments/${at}` }));
    const { answer, tag } = await changed(params, editing, changes, services);
    return ok(answer, tag);
  },

  updateSegment: async ({ params, body, ...editing }, services) => {
    const { asset_id, transcription_id, segment_id: id } = params;
    const head = await services.transcriptions.get(asset_id, transcription_id);
    const isThere = (await services.transcriptions.segments(head)).some(
      ({ segment_id }) => segment_id === id,
    );
    if (!isThere) throw new NotFound('segment', id);
    const { answer, tag } = await changed(params, editing, [{ ...body, id, pointer: '' }], services);
    return ok(answer.segments[0]!, tag);
  },
});

async function changed(place: Place, editing: Editing, changes: readonly PlacedChange[], services: Services) {
  const scene = await sceneOf(place.asset_id, services);
  const ids = new Set(changes.map(({ id }) => id));
  return edited(place, editing, scene, services, ids, (segments) =>
    changedSegments(segments, changes, scene.speakers, scene.mediaDurationMs),
  );
}

/** What segments are edited by: who speaks in the asset, and how long it lasts. */
interface Scene {
  readonly speakers: readonly Speaker[];
  readonly mediaDurationMs: number | undefined;
}

async function sceneOf(assetId: AssetId, { assets, speakers }: Services): Promise<Scene> {
  const [{ duration_ms }, named] = await Promise.all([assets.get(assetId), speakers.list(assetId)]);
  return { speakers: named, mediaDurationMs: duration_ms ?? undefined };
}

/** Makes the edit; the answer holds the segments of those ids, in the order of the ids. */
async function edited(
  { asset_id, transcription_id }: Place,
  { ifMatch, ...editor }: Editing,
  { speakers, mediaDurationMs }: Scene,
  { transcriptions }: Services,
  ids: ReadonlySet<string>,
  change: (segments: Segment[]) => readonly Segment[] | null,
) {
  let after: readonly Segment[] = [];
  const tagFor = (version: number) => `${version}${tagOf(speakers, ({ speaker_id }) => speaker_id)}`;
  const head = await transcriptions.edit(
    asset_id,
    transcription_id,
    editor,
    (segments) => {
      const next = change(segments);
      after = next ?? segments;
      return next;
    },
    ({ version }) => {
      if (ifMatch !== undefined && ifMatch !== tagFor(version)) throw new PreconditionFailed(tagFor(version));
    },
  );
  const language = languageById(head.language_id)?.code;
  const marked = withQc(withSpeakerNames(after, speakers), language, mediaDurationMs);
  const byId = new Map(marked.map((segment) => [segment.segment_id, segment]));
  const segments = [...ids].map((id) => byId.get(id)!);
  return { answer: { transcription_id, version: head.version, segments }, tag: tagFor(head.version) };
}

/** Segments that others may translate: those of the asset's transcribed languages, but for these themselves. */
async function originalsOf(
  { asset_id, transcription_id }: StoredTranscription,
  { transcriptions }: Services,
): Promise<Set<string>> {
  const heads = (await transcriptions.list(asset_id)).filter(
    (head) => head.source === 'transcribed' && head.transcription_id !== transcription_id,
  );
  const documents = await Promise.all(heads.map((head) => transcriptions.segments(head)));
  return new Set(documents.flat().map(({ segment_id }) => segment_id));
}
