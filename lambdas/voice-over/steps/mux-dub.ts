/** Makes a video with the sound of a language. */
import { withOpenMedia } from '../../../media/ffmpeg/serve-ranges.ts';
import { whenDeleted } from '../../../platform/kernel/step.ts';
import { sourceKey } from '../../../platform/objects/media-objects.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { mediaTools } from '../../../platform/runtime/media-tools.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import { defineStep, sampleDub, sampleJob } from '../../../platform/steps/define-step.ts';
import type { StoredAsset } from '../../../shared/assets.ts';
import { mediaUnreadable } from '../../../shared/job-errors.ts';
import { languageById } from '../../../shared/languages.ts';
import { Assets } from '../../assets/records/assets.ts';
import type { Transcription } from '../../transcripts/lineage/records/transcription-items.ts';
import { Transcriptions } from '../../transcripts/lineage/records/transcriptions.ts';
import { muxDub } from '../actions/mux-dub.ts';
import { dubProgress, type PartInput } from '../actions/report-progress.ts';
import { voiceOverStep } from '../actions/voice-over-step.ts';
import { dubKey } from '../records/dub-keys.ts';
import type { MadeDub } from '../rules/dub-outcomes.ts';
import { threeLetterCode } from '../rules/language-codes.ts';

interface MuxInput extends PartInput {
  /** The result of MixDub. */
  readonly made: MadeDub;
}

export const settings = defineStep<MuxInput>({
  name: 'MuxDub',
  description: 'Makes a video with the audio track of a language',
  memory: 1769,
  timeout: 900,
  ffmpeg: true,
  room: 10_240,
  permissions: { tables: { Core: ['get', 'query', 'update'] }, media: ['Read', 'Upload'] },
  event: {
    ...sampleJob,
    kind: 'voice_over',
    index: 0,
    languages: 1,
    language_id: '1b9c6d27-9a4f-5e0b-8a64-0c5d2f1e7a90',
    groups: 2,
    made: sampleDub,
  },
});

export const handler = voiceOverStep<MuxInput, MadeDub>(settings, async (input, { tenant, now, signal }) => {
  const objects = mediaObjects(tenant);
  const table = coreTable(tenant);
  const [asset, heads, source, sound] = await Promise.all([
    new Assets(table, tenant).get(input.asset_id).catch(whenDeleted),
    new Transcriptions(table, objects, tenant).list(input.asset_id),
    objects.source(sourceKey(tenant, input.asset_id)),
    objects.source(dubKey(tenant, input, 'sound.m4a')),
  ]);
  if (source === null || sound === null) throw mediaUnreadable('The file is gone. Upload it again.');
  const language = languageById(input.language_id)!;
  const key = dubKey(tenant, input, 'video');
  const using = { tools: mediaTools, signal };
  const progress = dubProgress(input, 'video', tenant, now);
  try {
    const video = await withOpenMedia(
      source,
      (media) => muxDub({ media, sound, language, key, ...spokenTrack(asset, heads) }, objects, using),
      signal,
    );
    await progress.done();
    return { ...input.made, video };
  } finally {
    await progress.close();
  }
});

/** The track that was transcribed, and its language. Empty for old assets, which have no list of tracks. */
function spokenTrack({ source_tracks = [] }: StoredAsset, heads: readonly Transcription[]) {
  const chosen = source_tracks.find((track) => track.chosen !== null);
  const original = heads.findLast(({ source }) => source === 'transcribed');
  const language = languageById(original?.language_id ?? '');
  if (chosen === undefined || language === undefined) return {};
  return { spoken: { number: chosen.number, language: threeLetterCode(language.code) } };
}
