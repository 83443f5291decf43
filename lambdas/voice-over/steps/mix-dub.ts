import { type OpenMedia, withOpenMedia } from '../../../media/ffmpeg/serve-ranges.ts';
import { whenDeleted } from '../../../platform/kernel/step.ts';
import { defineStep, sampleGroups } from '../../../platform/steps/define-step.ts';
import { transcribedTrack } from '../../../shared/assets.ts';
import { requireSource } from '../../assets/records/source-media.ts';
import { speakingFor } from '../actions/cache-speech.ts';
import { discardVoices } from '../actions/clone-voices.ts';
import { mixedDub } from '../actions/mix-dub.ts';
import { type PartInput, withDubProgress } from '../actions/report-progress.ts';
import { voiceOverStep } from '../actions/voice-over-step.ts';
import { dubIdOf } from '../records/audio-tracks.ts';
import { dubKey } from '../records/dub-files.ts';
import type { MadeDub } from '../rules/dub-outcomes.ts';

export const settings = defineStep<PartInput>({
  name: 'MixDub',
  description:
    'Makes the audio track of a language: its speech over the original sound, at the loudness that broadcasters require',
  memory: 3008,
  timeout: 900,
  ffmpeg: true,
  room: 8192,
  permissions: {
    tables: { Core: ['check', 'get', 'put', 'query', 'update'] },
    media: ['Read', 'Write', 'Upload'],
    engines: { speech: ['speak'], voice_cloning: ['speak', 'discard'] },
  },
  event: sampleGroups,
});

export const handler = voiceOverStep<PartInput, MadeDub>(settings, async (input, context) => {
  const { asset_id, language_id } = input;
  const { tenant, assets, objects, signal, leftMs } = context;
  const asset = await assets.get(asset_id).catch(whenDeleted);
  const source = await requireSource(input, context);
  const speaking = await speakingFor(input, context);
  const { plan } = speaking;
  const mixing = { objects, soundKey: dubKey(tenant, input, 'sound.m4a'), leftMs };
  const mixed = await withDubProgress(input, 'sound', context, async (onProgress) => {
    const track = transcribedTrack(asset);
    const mix = (media: OpenMedia) => mixedDub({ media, track }, speaking, { ...mixing, onProgress });
    const made = await withOpenMedia(source, mix, signal);
    await discardVoices(Object.values(plan.cloned), signal);
    return made;
  });
  const { transcription_id, transcription_version } = plan;
  const audio_track_id = dubIdOf(asset_id, language_id);
  const spoken = { language_id, audio_track_id, transcription_id, transcription_version };
  return { ...spoken, ...mixed, video: null };
});
