/** A transcription as callers see it, and the texts that are made of it: for answers, and for files that are exported. */

import type { MediaObjects } from '../../../../platform/objects/media-objects.ts';
import type { TenantTable } from '../../../../platform/table/tenant-table.ts';
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
import { originalsOf } from '../../lineage/actions/settle-translations.ts';
import {
  type StoredTranscription,
  type Transcription,
  Transcriptions,
} from '../../lineage/records/transcriptions.ts';
import { withStale } from '../../lineage/rules/staleness.ts';
import { type Marked, withQc } from '../../quality/rules/mark-segments.ts';
import { speakersOf } from '../../speakers/records/speakers.ts';
import { withSpeakerNames } from '../../speakers/rules/speakers.ts';

export const shownServices = (table: TenantTable, objects: MediaObjects, tenant: TenantId) => ({
  assets: new Assets(table, tenant),
  transcriptions: new Transcriptions(table, objects, tenant),
  speakers: speakersOf(table, tenant),
  sounds: soundDescriptionsOf(table, tenant),
});

type Services = ReturnType<typeof shownServices>;

export type Shown = Awaited<ReturnType<typeof shown>>;

/** The newest version, or an earlier one, under the names that its speakers have now, and how long the media last. */
export async function shown(
  { asset_id, transcription_id }: { asset_id: AssetId; transcription_id: string },
  { assets, transcriptions, speakers }: Services,
  version?: number,
) {
  const newest = await transcriptions.get(asset_id, transcription_id);
  const head = version === undefined ? newest : await transcriptions.atVersion(newest, version);
  const [segments, named, { duration_ms }] = await Promise.all([
    transcriptions.segments(head),
    speakers.list(asset_id),
    assets.get(asset_id),
  ]);
  const { marked, mark } = await marking(head, segments, transcriptions);
  const tag = `${head.version}${mark}${tagOf(named, ({ speaker_id }) => speaker_id)}`;
  const media = duration_ms === null ? {} : { mediaDurationMs: duration_ms };
  return { head, segments: withSpeakerNames(marked, named), tag, media };
}

/** What is heard beside speech, in the words of the transcription's language. */
export const soundsFor = ({ head }: Pick<Shown, 'head'>, { sounds }: Pick<Services, 'sounds'>) =>
  sounds.listIn(head.asset_id, languageOf(head).language);

export function vttText(
  { head, segments, media }: Shown,
  soundDescriptions: readonly SoundDescription[],
  flavor: 'standard' | 'simplified',
): string {
  const language = languageOf(head);
  const cues = cuesFromSegments(segments, { ...language, ...media, soundDescriptions });
  return writeVtt(cues, { flavor, ...language });
}

export const srtText = ({ head, segments, media }: Shown): string =>
  writeSrt(cuesFromSegments(segments, { ...languageOf(head), ...media }));

/** The segments with what a person should look at. */
export const withMarks = ({ head, segments, media }: Shown): Marked[] =>
  withQc(segments, languageOf(head).language, media.mediaDurationMs);

/** Segments of a stale translation with their marks; only then the original has to be read. */
async function marking(head: StoredTranscription, segments: Segment[], transcriptions: Transcriptions) {
  if (!head.stale) return { marked: segments, mark: '' };
  const { origins, versions } = await originalsOf(head.asset_id, transcriptions);
  return { marked: withStale(segments, origins), mark: `-of-${versions}` };
}

/** BCP 47 tag of the text, where the language is one that the service knows. */
export function languageOf({ language_id }: Transcription): { language?: string } {
  const code = languageById(language_id)?.code;
  return code === undefined ? {} : { language: code };
}
