/** Takes the speech out of the media, listens where somebody speaks, and plans the pieces in which the engine wants it. */
import { createReadStream } from 'node:fs';

import { extractAudio } from '../../../engines/media/audio.ts';
import { probe } from '../../../engines/media/probe.ts';
import { mediaTools } from '../../../platform/runtime/media-tools.ts';
import { transcription } from '../../../platform/runtime/transcription.ts';
import { inWorkspace } from '../../../platform/runtime/workspace.ts';
import { languageById } from '../../../platform/shared/languages.ts';
import { bestAudio, MEDIA_LIMITS } from '../../../platform/shared/media.ts';
import type { SoundMap } from '../../../platform/shared/sound.ts';
import { sourceKey } from '../../../platform/store/objects.ts';
import { hearing } from '../actions/hearing.ts';
import {
  audioKey,
  type IngestInput,
  ingestServices,
  ingestStep,
  type PreparedAudio,
  report,
  soundKey,
} from '../actions/ingest.ts';

/** How long ffmpeg may take: less than the step's own limit of 15 minutes, so that the caller hears why. */
const TIMEOUT_MS = 840_000;

export const handler = ingestStep<IngestInput, PreparedAudio>(
  'PrepareAudio',
  (input, { tenant, now, signal }) =>
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
      });
      const key = audioKey(tenant, input);
      await objects.upload(key, audio, 'audio/wav');
      const sound = await heardIn(audio);
      await objects.write(soundKey(tenant, input), JSON.stringify(sound), 'application/json');
      const pieces = await (await transcription()).plan(sound);
      await jobs.planParts(input.asset_id, input.job_id, pieces.length);
      await report(input, tenant, now(), 'transcription');
      return { audio: { key, duration_ms }, pieces };
    }),
);

/** Of a WAV file whose samples follow 44 bytes of header. */
async function heardIn(wav: string): Promise<SoundMap> {
  const { push, end } = hearing();
  let odd = Buffer.alloc(0);
  for await (const chunk of createReadStream(wav, { start: 44 })) {
    const bytes = Buffer.concat([odd, chunk as Buffer]);
    const whole = bytes.length & ~1;
    push(new Int16Array(Uint8Array.from(bytes.subarray(0, whole)).buffer));
    odd = bytes.subarray(whole);
  }
  return end();
}
