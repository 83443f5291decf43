/** Loads a transcription as callers see it, and makes texts of it for answers and exported files. */
import type { MediaObjects } from '../../../../platform/objects/media-objects.ts';
import type { TenantTable } from '../../../../platform/table/tenant-table.ts';
import type { StoredAsset } from '../../../../shared/assets.ts';
import type { AssetId, TenantId } from '../../../../shared/ids.ts';
import { languageById } from '../../../../shared/languages.ts';
import type { Missing, Segment } from '../../../../shared/segments.ts';
import type { SoundDescription } from '../../../../shared/sound-descriptions.ts';
import { tagOf } from '../../../../shared/versions.ts';
import { soundDescriptionsOf } from '../../../sound-descriptions/records.ts';
import { type CueOptions, cuesFromSegments } from '../../../subtitles/rules/make-cues.ts';
import { writeSrt } from '../../../subtitles/rules/srt.ts';
import { writeVtt } from '../../../subtitles/rules/vtt.ts';
import { readOriginals } from '../../lineage/actions/settle-translations.ts';
import { type StoredTranscription, transcriptionView } from '../../lineage/records/transcription-items.ts';
import { missingFrom } from '../../lineage/rules/missing.ts';
import { withStale } from '../../lineage/rules/staleness.ts';
import { type Marked, withQc } from '../../quality/rules/mark-segments.ts';
import { transcriptRecordsOf } from '../../speakers/records/speakers.ts';
import { withSpeakerNames } from '../../speakers/rules/speakers.ts';

export const transcriptionServices = (table: TenantTable, objects: MediaObjects, tenant: TenantId) => ({
  ...transcriptRecordsOf(table, objects, tenant),
  sounds: soundDescriptionsOf(table, tenant),
});

type Services = ReturnType<typeof transcriptionServices>;

export interface LoadedTranscription {
  readonly head: StoredTranscription;
  readonly asset: StoredAsset;
  /** The segments have the current names of their speakers. Stale segments have the reason why they are stale. */
  readonly segments: readonly Segment[];
  /** The originals that a translation lacks. */
  readonly missing: readonly Missing[];
  readonly tag: string;
  readonly layout: Pick<CueOptions, 'language' | 'mediaDurationMs'>;
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
    transcriptions.content(head),
    speakers.list(asset_id),
    assets.get(asset_id),
  ]);
  // The originals are needed only to mark the stale segments of a translation, and to find the missing ones.
  const originals = head.stale
    ? await readOriginals(await transcriptions.list(asset_id), transcriptions)
    : null;
  const { segments } = stored;
  const marked = originals === null ? segments : withStale(segments, originals.origins);
  const missing = originals === null ? [] : missingFrom(stored, originals.needed);
  const originalsTag = originals === null ? '' : `-of-${originals.versions}`;
  const tag = `${head.version}${originalsTag}${tagOf(named, ({ speaker_id }) => speaker_id)}`;
  const language = languageById(head.language_id)?.code;
  const layout = { language, mediaDurationMs: asset.duration_ms ?? undefined };
  return { head, asset, segments: withSpeakerNames(marked, named), missing, tag, layout };
}

export const soundDescriptionsFor = async (
  { head, layout }: LoadedTranscription,
  { sounds }: Pick<Services, 'sounds'>,
  isIncluded = true,
): Promise<SoundDescription[]> => (isIncluded ? sounds.listIn(head.asset_id, layout.language) : []);

export function vttText(
  { segments, layout }: LoadedTranscription,
  soundDescriptions: readonly SoundDescription[],
  flavor: 'standard' | 'simplified',
): string {
  return writeVtt(cuesFromSegments(segments, { ...layout, soundDescriptions }), { flavor, ...layout });
}

export const srtText = ({ segments, layout }: LoadedTranscription): string =>
  writeSrt(cuesFromSegments(segments, layout));

/** The maximum number of missing originals that an answer names: as many as a job translates. */
const MOST_NAMED = 1000;

/** The fields of a transcription besides its segments, as callers see them. */
export const factsOf = ({ head, missing }: LoadedTranscription) => ({
  ...transcriptionView(head),
  ...(head.source === 'translated' && {
    missing_count: missing.length,
    missing: missing.slice(0, MOST_NAMED),
  }),
});

export const withMarks = ({ segments, layout }: LoadedTranscription): Marked[] =>
  withQc(segments, layout.language, layout.mediaDurationMs);
