/** Voices of the speakers themselves: cloned for a job where speech has to be made in them, and removed after it. */

import type { SpeechEngine } from '../../../engines/speech/port.ts';
import type { VoiceCloningEngine } from '../../../engines/voice-cloning/port.ts';
import { wavFile } from '../../../media/ffmpeg/extract-sound.ts';
import { speech, voiceCloning } from '../../../platform/runtime/speech.ts';
import { engineUnavailable, internalError } from '../../../shared/job-errors.ts';
import type { DubFiles } from '../records/dub-files.ts';
import type { DubIds } from '../records/dub-keys.ts';
import { cloneOf, type DubPlan, type PlannedPiece } from '../rules/dub-plan.ts';
import type { OriginalSpeech } from './sample-speech.ts';

/** Engines take half a minute to three. */
const SAMPLED_MS = 120_000;

interface Cloning {
  readonly ids: DubIds;
  readonly files: DubFiles;
  readonly said: OriginalSpeech;
  readonly engine: VoiceCloningEngine;
  readonly signal: AbortSignal;
}

/**
 * Of the speakers of whom something is still to be spoken. Each is written down before the next is cloned: a repeat takes it from there, and
 * whoever clears up knows of it. Throws a JobError where nothing of one can be heard.
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
        'There is no speech of a speaker to clone the voice of. Ask without clone_voice.',
      );
    }
    const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
    const name = `${ids.job_id} ${Object.keys(cloned).length + 1}`;
    cloned[cloneOf(speaker)] = await engine.clone(name, wavFile(bytes), { signal });
    await files.writeVoices(ids, cloned);
  }
  return cloned;
}

/** What speaks the pieces of a plan. */
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

/** Removes all voices that were cloned for a job, also of languages that came to no sound. */
export async function discardAll(job: Pick<DubIds, 'asset_id' | 'job_id'>, files: DubFiles): Promise<void> {
  await discardVoices(await files.allVoices(job));
}

/** Removes what a language left that failed: the voices that were cloned for it, which its mix did not come to remove, and its files. */
export async function removeFailed(ids: DubIds, files: DubFiles): Promise<void> {
  await discardVoices(Object.values(await files.voices(ids)));
  await files.removeLanguage(ids);
}

/** Removes voices from the provider; nothing is asked where there are none. */
export async function discardVoices(voices: readonly string[], signal?: AbortSignal): Promise<void> {
  if (voices.length === 0) return;
  const engine = await voiceCloning();
  for (const voice of voices) await engine.discard(voice, { signal });
}
