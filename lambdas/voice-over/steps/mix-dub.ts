/** Makes the audio track of a language: its speech over the original sound, at the loudness that broadcasters require. */

import { withOpenMedia } from '../../../media/ffmpeg/serve-ranges.ts';
import { whenDeleted } from '../../../platform/kernel/step.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { mediaTools } from '../../../platform/runtime/media-tools.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import type { StoredAsset } from '../../../shared/assets.ts';
import { Assets } from '../../assets/records/assets.ts';
import { requireSource } from '../../assets/records/source-media.ts';
import { discardVoices, speakerFor } from '../actions/clone-voices.ts';
import { speechMeter } from '../actions/meter-speech.ts';
import { mixedDub } from '../actions/mix-dub.ts';
import { dubProgress, type PartInput } from '../actions/report-progress.ts';
import { dubFiles, voiceOverStep } from '../actions/voice-over-step.ts';
import { dubIdOf } from '../records/audio-tracks.ts';
import { dubKey } from '../records/dub-keys.ts';
import type { MadeDub } from '../rules/dub-outcomes.ts';

export const settings = defineStep<PartInput>({
  name: 'MixDub',
  description: 'Mixes the speech of a language with the original sound',
  memory: 3008,
  timeout: 900,
  ffmpeg: true,
  room: 8192,
  permissions: {
    tables: { Core: ['check', 'get', 'put', 'query', 'update'] },
    media: ['Read', 'Write', 'Upload'],
    engines: { speech: ['speak'], voice_cloning: ['speak', 'discard'] },
  },
  event: {
    ...sampleJob,
    kind: 'voice_over',
    index: 0,
    languages: 1,
    language_id: '1b9c6d27-9a4f-5e0b-8a64-0c5d2f1e7a90',
    groups: 2,
  },
});

export const handler = voiceOverStep<PartInput, MadeDub>(
  settings,
  async (input, { tenant, now, job, signal, leftMs }) => {
    const { asset_id, language_id } = input;
    const objects = mediaObjects(tenant);
    const files = dubFiles(tenant);
    const table = coreTable(tenant);
    const asset = await new Assets(table, tenant).get(asset_id).catch(whenDeleted);
    const source = await requireSource(input, { tenant, objects });
    const plan = await files.plan(input);
    const meter = speechMeter(input, plan, job, { table, tenant });
    const engine = await speakerFor(plan);
    const speaking = { ids: input, plan, files, engine, tools: mediaTools, signal, meter };
    const soundKey = dubKey(tenant, input, 'sound.m4a');
    const progress = dubProgress(input, 'sound', tenant, now);
    try {
      const mixed = await withOpenMedia(
        source,
        (media) =>
          mixedDub(
            plan,
            { media, track: trackOf(asset) },
            speaking,
            { objects, soundKey },
            progress.tell,
            leftMs,
          ),
        signal,
      );
      await discardVoices(Object.values(plan.cloned), signal);
      await progress.done();
      const { transcription_id, transcription_version } = plan;
      const audio_track_id = dubIdOf(asset_id, language_id);
      const spoken = { language_id, audio_track_id, transcription_id, transcription_version };
      return { ...spoken, ...mixed, video: null };
    } finally {
      await progress.close();
    }
  },
);

/**
 * The number of the audio track that was transcribed. Old assets have no list of tracks: the first track was
 * transcribed. Null if the media has no sound.
 */
const trackOf = ({ source_tracks = [], audio_channels }: StoredAsset): number | null =>
  source_tracks.find(({ chosen }) => chosen !== null)?.number ?? (audio_channels === null ? null : 1);
