import { type OpenMedia, withOpenMedia } from '../../../media/ffmpeg/serve-ranges.ts';
import { whenDeleted } from '../../../platform/kernel/step.ts';
import { sourceKey } from '../../../platform/objects/media-objects.ts';
import { mediaTools } from '../../../platform/runtime/media-tools.ts';
import { defineStep, sampleDub, sampleGroups } from '../../../platform/steps/define-step.ts';
import type { StoredAsset } from '../../../shared/assets.ts';
import { defined } from '../../../shared/checked-access.ts';
import { mediaUnreadable } from '../../../shared/job-errors.ts';
import { languageById } from '../../../shared/languages.ts';
import type { Transcription } from '../../transcripts/lineage/records/transcription-items.ts';
import { muxDub } from '../actions/mux-dub.ts';
import { type PartInput, withDubProgress } from '../actions/report-progress.ts';
import { voiceOverStep } from '../actions/voice-over-step.ts';
import { dubKey } from '../records/dub-files.ts';
import type { MadeDub } from '../rules/dub-outcomes.ts';
import { threeLetterCode } from '../rules/language-codes.ts';

interface MuxInput extends PartInput {
  readonly made: MadeDub;
}

export const settings = defineStep<MuxInput>({
  name: 'MuxDub',
  description: 'Makes a video with the sound of a language',
  memory: 1769,
  timeout: 900,
  ffmpeg: true,
  room: 10_240,
  permissions: { tables: { Core: ['get', 'query', 'update'] }, media: ['Read', 'Upload'] },
  event: { ...sampleGroups, made: sampleDub },
});

export const handler = voiceOverStep<MuxInput, MadeDub>(settings, async (input, context) => {
  const { tenant, assets, transcriptions, objects, signal } = context;
  const [asset, heads, source, sound] = await Promise.all([
    assets.get(input.asset_id).catch(whenDeleted),
    transcriptions.list(input.asset_id),
    objects.source(sourceKey(tenant, input.asset_id)),
    objects.source(dubKey(tenant, input, 'sound.m4a')),
  ]);
  if (source === null || sound === null) throw mediaUnreadable('The file is gone. Upload it again.');
  const language = defined(languageById(input.language_id));
  const muxing = { sound, language, key: dubKey(tenant, input, 'video'), ...spokenTrack(asset, heads) };
  const using = { tools: mediaTools, signal };
  const mux = (media: OpenMedia) => muxDub({ media, ...muxing }, objects, using);
  const video = await withDubProgress(input, 'video', context, () => withOpenMedia(source, mux, signal));
  return { ...input.made, video };
});

/** The track that was transcribed, and its language. Empty for old assets, which have no list of tracks. */
function spokenTrack({ source_tracks = [] }: StoredAsset, heads: readonly Transcription[]) {
  const chosen = source_tracks.find((track) => track.chosen !== null);
  const original = heads.findLast(({ source }) => source === 'transcribed');
  const language = languageById(original?.language_id ?? '');
  if (chosen === undefined || language === undefined) return {};
  return { spoken: { number: chosen.number, language: threeLetterCode(language.code) } };
}
