/** Clones the voices of speakers for a job. The job removes the voices at its end. */
import type { SpeechEngine } from '../../../engines/speech/port.ts';
import type { VoiceCloningEngine } from '../../../engines/voice-cloning/port.ts';
import { wavFile } from '../../../media/ffmpeg/extract-sound.ts';
import { speech, voiceCloning } from '../../../platform/runtime/speech.ts';
import { engineUnavailable, internalError } from '../../../shared/job-errors.ts';
import type { DubFiles, DubIds, DubJob } from '../records/dub-files.ts';
import { cloneOf, type DubPlan, type PlannedPiece } from '../rules/dub-plan.ts';
import type { OriginalSpeech } from './sample-speech.ts';

/** The maximum speech of a speaker that the engine gets, ms. Engines need between 30 seconds and 3 minutes. */
const SAMPLED_MS = 120_000;

interface Cloning {
  readonly ids: DubIds;
  readonly files: DubFiles;
  readonly said: OriginalSpeech;
  readonly engine: VoiceCloningEngine;
  readonly signal: AbortSignal;
}

/**
 * Clones the voices of speakers with pieces that are not spoken yet. Each voice is recorded before the next is cloned.
 * A repeat therefore uses the voices again, and the end of the job can remove them. Throws a JobError if a speaker has
 * no speech.
 */
export async function clonedVoices(
  pieces: readonly PlannedPiece[],
  speakers: readonly (string | null)[],
  { ids, files, said, engine, signal }: Cloning,
): Promise<DubPlan['cloned']> {
  const missing = new Set<string>();
  for (const { voice, name } of pieces) {
    if (!missing.has(voice) && !(await files.hasPiece(ids, name))) missing.add(voice);
  }
  const cloned: Record<string, string> = { ...(await files.voices(ids)) };
  const isWanted = (name: string) => missing.has(name) && cloned[name] === undefined;
  for (const speaker of speakers.filter((one) => isWanted(cloneOf(one)))) {
    const samples = await said(speaker, SAMPLED_MS);
    if (samples.length === 0) {
      throw engineUnavailable(
        'A voice cannot be cloned, because no speech of its speaker was found. Try again without clone_voice.',
      );
    }
    const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
    const name = `${ids.job_id} ${Object.keys(cloned).length + 1}`;
    cloned[cloneOf(speaker)] = await engine.clone(name, wavFile(bytes), { signal });
    await files.writeVoices(ids, cloned);
  }
  return cloned;
}

export async function speakerFor({ config, cloned }: DubPlan): Promise<SpeechEngine> {
  if (!config.clone_voice) return speech();
  const engine = await voiceCloning();
  return {
    voices: () => [],
    speak: (text, request) => {
      const voice = cloned[request.voice];
      if (voice === undefined) throw internalError('The voice was not cloned for this job.');
      return engine.speak(text, { ...request, voice });
    },
  };
}

/** Removes all voices that were cloned for a job, also for languages that failed. */
export async function discardAll(job: DubJob, files: DubFiles): Promise<void> {
  await discardVoices(await files.allVoices(job));
}

/** Removes the cloned voices and the files of a failed language. In other languages, the mix removes the voices. */
export async function removeFailed(ids: DubIds, files: DubFiles): Promise<void> {
  await discardVoices(Object.values(await files.voices(ids)));
  await files.removeLanguage(ids);
}

/** Removes voices from the provider. Without voices, makes no request. */
export async function discardVoices(voices: readonly string[], signal?: AbortSignal): Promise<void> {
  if (voices.length === 0) return;
  const engine = await voiceCloning();
  for (const voice of voices) await engine.discard(voice, { signal });
}
