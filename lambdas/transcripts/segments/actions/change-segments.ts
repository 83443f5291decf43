/** Changes, splits, merges and deletes segments, and restores versions. */
import { isDeepStrictEqual } from 'node:util';
import type { Segment } from '../../../../shared/segments.ts';
import { settleTranslations } from '../../lineage/actions/settle-translations.ts';
import { versionChange } from '../../lineage/records/transcription-items.ts';
import { confirmEdited } from '../../lineage/rules/staleness.ts';
import { type Cut, splitSegment as cutSegment, joinSegments, withoutSegment } from '../rules/cut-segments.ts';
import {
  changedSegments,
  type NamedChange,
  type PlacedChange,
  placedChanges,
  type SegmentChange,
} from '../rules/edit-segments.ts';
import {
  type Change,
  type EditRequest,
  editTranscription,
  matches,
  readScene,
  type Scene,
  type SegmentPlace,
  type Services,
  type TranscriptionPlace,
} from './edit-transcription.ts';

type CreatingRequest = EditRequest & { readonly newResourceId: string };

export async function updateSegments(
  place: TranscriptionPlace,
  given: readonly NamedChange[],
  request: EditRequest,
  services: Services,
) {
  const scene = await readScene(place, services);
  const known = new Set(scene.snapshot.segments.map(({ segment_id }) => segment_id));
  return applyChanges(scene, request, placedChanges(given, known), services);
}

export async function updateSegment(
  place: SegmentPlace,
  change: SegmentChange,
  request: EditRequest,
  services: Services,
) {
  const scene = await readScene(place, services);
  return applyChanges(scene, request, [{ ...change, id: place.segment_id, pointer: '' }], services);
}

function applyChanges(
  scene: Scene,
  request: EditRequest,
  changes: readonly PlacedChange[],
  services: Services,
) {
  const { speakers, mediaDurationMs } = scene;
  const ids = new Set(changes.map(({ id }) => id));
  const edit: Change = {
    description: versionChange('edited', changes.length),
    ids,
    change: (segments, origins) =>
      confirmEdited(changedSegments(segments, changes, speakers, mediaDurationMs), ids, origins),
  };
  return editTranscription(scene, request, edit, services);
}

export async function splitSegment(
  place: SegmentPlace,
  cut: Cut,
  request: CreatingRequest,
  services: Services,
) {
  const { segment_id } = place;
  const { newResourceId } = request;
  const scene = await readScene(place, services);
  const edit = {
    description: versionChange('split', 1),
    ids: new Set([segment_id, newResourceId]),
    createdIds: new Set([newResourceId]),
    change: (segments: readonly Segment[]) => cutSegment(segments, segment_id, cut, newResourceId),
  };
  return editTranscription(scene, request, edit, services);
}

export async function mergeSegments(
  place: TranscriptionPlace,
  segmentIds: readonly string[],
  request: CreatingRequest,
  services: Services,
) {
  const ids = new Set([request.newResourceId]);
  const edit = {
    description: versionChange('merged', segmentIds.length),
    ...{ ids, createdIds: ids },
    change: (segments: readonly Segment[]) => joinSegments(segments, segmentIds, request.newResourceId),
  };
  return editTranscription(await readScene(place, services), request, edit, services);
}

export async function deleteSegment(place: SegmentPlace, request: EditRequest, services: Services) {
  const edit = {
    description: versionChange('deleted', 1),
    ids: new Set<string>(),
    change: (segments: readonly Segment[]) => withoutSegment(segments, place.segment_id),
  };
  return editTranscription(await readScene(place, services), request, edit, services);
}

export async function restoreVersion(
  place: TranscriptionPlace,
  version: number,
  request: EditRequest,
  services: Services,
) {
  const { transcriptions } = services;
  const scene = await readScene(place, services);
  const { head, segments } = scene.snapshot;
  const { segments: old, omitted } = await transcriptions.content(
    await transcriptions.atVersion(head, version),
  );
  // A repeated request finds the segments already restored. Its If-Match is the version before its first run.
  const isRepeat =
    request.ifMatch !== undefined &&
    matches(request.ifMatch, head.version - 1, scene.speakers) &&
    isDeepStrictEqual(old, segments);
  const guarded = isRepeat ? { ...request, ifMatch: undefined } : request;
  const edit = {
    description: versionChange('restored', old.length, version),
    ids: new Set<string>(),
    omitting: () => omitted,
    change: (now: typeof segments) => (isDeepStrictEqual(old, now) ? null : old),
  };
  const edited = await editTranscription(scene, guarded, edit, services);
  if (head.source === 'transcribed') await settleTranslations(place.asset_id, transcriptions);
  return edited;
}
