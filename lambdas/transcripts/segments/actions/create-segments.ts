/** Adds segments to a transcription, and creates the speakers that they name for the first time. */
import { derivedId } from '../../../../shared/derived-ids.ts';
import { versionChange } from '../../lineage/records/transcription-items.ts';
import type { Snapshot } from '../../lineage/records/transcriptions.ts';
import { newNames, relist, withNewSpeakers } from '../../speakers/actions/create-speakers.ts';
import { labelsOf, type Speaker } from '../../speakers/rules/speakers.ts';
import { type NewSegment, newSegments, withNewSegments } from '../rules/edit-segments.ts';
import {
  type EditRequest,
  editTranscription,
  readScene,
  requireVersion,
  type Services,
  type TranscriptionPlace,
} from './edit-transcription.ts';

export async function createSegments(
  place: TranscriptionPlace,
  given: readonly NewSegment[],
  request: EditRequest & { readonly newResourceId: string },
  services: Services,
) {
  const { asset_id } = place;
  const { newResourceId, now, ifMatch } = request;
  const scene = await readScene(place, services);
  const { snapshot, mediaDurationMs, speakers: known } = scene;
  const originals = given.some(({ original_segment_id }) => original_segment_id !== undefined)
    ? await translatableIds(snapshot, services)
    : new Set<string>();
  const idOf = (at: number) => derivedId(newResourceId, at);
  const segmentsBy = (speakers: readonly Speaker[]) =>
    newSegments(given, { speakers, originals, idOf, mediaDurationMs });
  // All checks run before speakers are created, so that a rejected request creates no speaker.
  const ids = new Set(segmentsBy(known).map(({ segment_id }) => segment_id));
  const labels = labelsOf(snapshot.segments);
  const names = given.map(({ speaker }) => speaker).filter((name) => !labels.has(name));
  if (newNames(names, known).length > 0) requireVersion(ifMatch, snapshot.head, known);
  const { speakers, before } = await withNewSpeakers(
    { assetId: asset_id, names, known, requestId: newResourceId, now },
    services.speakers,
  );
  const added = segmentsBy(speakers);
  const description = versionChange('added', given.length);
  const edited = await editTranscription(
    { ...scene, speakers, seenSpeakers: before },
    request,
    { description, ids, createdIds: ids, change: (segments) => withNewSegments(segments, added) },
    services,
  );
  if (speakers.length > before.length) await relist(asset_id, now, services);
  return edited;
}

/** The ids of segments that a new segment can be a translation of: segments of the asset's other transcribed languages. */
async function translatableIds(
  { head, heads }: Snapshot,
  { transcriptions }: Services,
): Promise<ReadonlySet<string>> {
  const others = heads.filter(
    ({ source, transcription_id }) => source === 'transcribed' && transcription_id !== head.transcription_id,
  );
  const documents = await Promise.all(others.map((other) => transcriptions.segments(other)));
  return new Set(documents.flat().map(({ segment_id }) => segment_id));
}
