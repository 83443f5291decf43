/** Loads a transcription as callers see it, and makes texts of it for answers and exported files. */

import type { MediaObjects } from '../../../../platform/objects/media-objects.ts';
import type { TenantTable } from '../../../../platform/table/tenant-table.ts';
import type { StoredAsset } from '../../../../shared/assets.ts';
import type { AssetId } from '../../../../shared/ids.ts';
import { languageById } from '../../../../shared/languages.ts';
import type { Segment } from '../../../../shared/segments.ts';
import type { SoundDescription } from '../../../../shared/sound-descriptions.ts';
import type { TenantId } from '../../../../shared/tenant.ts';
import { tagOf } from '../../../../shared/versions.ts';
import { Assets } from '../../../assets/records/assets.ts';
import { soundDescriptionsOf } from '../../../sound-descriptions/records.ts';
import { cuesFromSegments } from '../../../subtitles/rules/make-cues.ts';
import { writeSrt } from '../../../subtitles/rules/srt.ts';
import { writeVtt } from '../../../subtitles/rules/vtt.ts';
import { readOriginals } from '../../lineage/actions/settle-translations.ts';
import type { StoredTranscription } from '../../lineage/records/transcription-items.ts';
import { Transcriptions } from '../../lineage/records/transcriptions.ts';
import { withStale } from '../../lineage/rules/staleness.ts';
import { type Marked, withQc } from '../../quality/rules/mark-segments.ts';
import { speakersOf } from '../../speakers/records/speakers.ts';
import { withSpeakerNames } from '../../speakers/rules/speakers.ts';

export const transcriptionServices = (table: TenantTable, objects: MediaObjects, tenant: TenantId) => ({
  assets: new Assets(table, tenant),
  transcriptions: new Transcriptions(table, objects, tenant),
  speakers: speakersOf(table, tenant),
  sounds: soundDescriptionsOf(table, tenant),
});

type Services = ReturnType<typeof transcriptionServices>;

export interface LoadedTranscription {
  readonly head: StoredTranscription;
  readonly asset: StoredAsset;
  /** The segments have the current names of their speakers. Segments of a stale translation have the reasons. */
  readonly segments: readonly Segment[];
  /** The ETag. */
  readonly tag: string;
  /** Facts for the layout of subtitles: the language (BCP 47) if the service knows it, and the end of the media, ms. */
  readonly layout: { readonly language?: string; readonly mediaDurationMs?: number };
}

/** Loads the newest version, or an earlier one. Reads each record once. */
export async function loadTranscription(
  { asset_id, transcription_id }: { readonly asset_id: AssetId; readonly transcription_id: string },
  { assets, transcriptions, speakers }: Services,
  version?: number,
): Promise<LoadedTranscription> {
  const newest = await transcriptions.get(asset_id, transcription_id);
  const head = version === undefined ? newest : await transcriptions.atVersion(newest, version);
  const [stored, named, asset] = await Promise.all([
    transcriptions.segments(head),
    speakers.list(asset_id),
    assets.get(asset_id),
  ]);
  // The originals are needed only to mark the stale segments of a translation.
  const originals = head.stale
    ? await readOriginals(await transcriptions.list(asset_id), transcriptions)
    : null;
  const marked = originals === null ? stored : withStale(stored, originals.origins);
  const originalsTag = originals === null ? '' : `-of-${originals.versions}`;
  const tag = `${head.version}${originalsTag}${tagOf(named, ({ speaker_id }) => speaker_id)}`;
  const language = languageById(head.language_id)?.code;
  const layout = {
    ...(language !== undefined && { language }),
    ...(asset.duration_ms !== null && { mediaDurationMs: asset.duration_ms }),
  };
  return { head, asset, segments: withSpeakerNames(marked, named), tag, layout };
}

/** The sound descriptions of the asset, in the language of the transcription. */
export const soundDescriptionsFor = (
  { head, layout }: LoadedTranscription,
  { sounds }: Pick<Services, 'sounds'>,
): Promise<SoundDescription[]> => sounds.listIn(head.asset_id, layout.language);

export function vttText(
  { segments, layout }: LoadedTranscription,
  soundDescriptions: readonly SoundDescription[],
  flavor: 'standard' | 'simplified',
): string {
  return writeVtt(cuesFromSegments(segments, { ...layout, soundDescriptions }), { flavor, ...layout });
}

export const srtText = ({ segments, layout }: LoadedTranscription): string =>
  writeSrt(cuesFromSegments(segments, layout));

/** The segments with their quality marks. */
export const withMarks = ({ segments, layout }: LoadedTranscription): Marked[] =>
  withQc(segments, layout.language, layout.mediaDurationMs);
