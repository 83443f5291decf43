/** Takes the speech out of the media, and plans the pieces in which the engine wants it. */

import { extractAudio } from '../../../engines/media/audio.ts';
import { probe } from '../../../engines/media/probe.ts';
import { findSilences } from '../../../engines/media/silence.ts';
import { mediaTools } from '../../../platform/runtime/media-tools.ts';
import { transcription } from '../../../platform/runtime/transcription.ts';
import { inWorkspace } from '../../../platform/runtime/workspace.ts';
import { languageById } from '../../../platform/shared/languages.ts';
import { bestAudio, MEDIA_LIMITS } from '../../../platform/shared/media.ts';
import { sourceKey } from '../../../platform/store/objects.ts';
import {
  audioKey,
  type IngestInput,
  ingestServices,
  ingestStep,
  type PreparedAudio,
  report,
  sizeOf,
} from '../actions/ingest.ts';

/** How long ffmpeg may take: less than the step's own limit of 15 minutes, so that the caller hears why. */
const TIMEOUT_MS = 840_000;

export const handler = ingestStep<IngestInput, PreparedAudio>(
  'PrepareAudio',
  (input, { tenant, now, signal, progress }) =>
    inWorkspace(async (path) => {
      const { assets, jobs, objects } = ingestServices(tenant);
      await report(input, tenant, now(), 'audio');
      const asset = await assets.get(input.asset_id);
      const language = asset.language_id === null ? undefined : languageById(asset.language_id)?.code;
      const source = path('source');
      const audio = path('speech.wav');
      await objects.download(sourceKey(tenant, input.asset_id), source);
      const media = await probe(mediaTools, source, MEDIA_LIMITS, signal);
      const duration_ms = await extractAudio(mediaTools, source, bestAudio(media, language)!, audio, {
        timeout_ms: TIMEOUT_MS,
        signal,
        onProgress: (position_ms) => progress.stage('audio', (0.9 * position_ms) / media.duration_ms),
      });
      const key = audioKey(tenant, input);
      await objects.upload(key, audio, 'audio/wav');
      const engine = await transcription();
      const silences = () => findSilences(mediaTools, audio, duration_ms, { timeout_ms: TIMEOUT_MS, signal });
      const pieces = await engine.plan({ duration_ms, silences });
      await jobs.planParts(input.asset_id, input.job_id, pieces.map(sizeOf));
      await report(input, tenant, now(), 'transcription');
      return { key, duration_ms, pieces };
    }),
);
