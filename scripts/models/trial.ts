/**
 * Tries a model before it is used. `tryModel` starts this file as a process, which loads the model in the engine and recognizes two
 * seconds of sound. It must be a process, because the recognizer ends its process if files do not match.
 */
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { findTurns, type SherpaPackage, sherpaRecognizer } from '../../engines/transcription/sherpa.ts';
import { voicesIn } from '../../engines/transcription/sherpa-model.ts';
import { SAMPLE_RATE } from '../../media/ffmpeg/extract-sound.ts';
import type { Entry } from './catalogue.ts';
import { ended } from './ended.ts';
import { ModelFailure } from './failure.ts';

/** Time limit of the trial. On a slow disk, a model of 1 GB takes half a minute to load. */
const TIMEOUT_MS = 300_000;
const HEARD_MS = 2000;
const SHOWN_CHARACTERS = 4000;

/** Throws `ModelFailure` with the last output, if the model does not load or does not work. */
export async function tryModel(folder: string, role: Entry['role'], packageFile: string): Promise<void> {
  const command = [fileURLToPath(import.meta.url), folder, role, packageFile];
  const limits = { timeout: TIMEOUT_MS, killSignal: 'SIGKILL' } as const;
  const { code, said } = await ended(process.execPath, command, limits);
  if (code === 0) return;
  const last = said.slice(-SHOWN_CHARACTERS).trim();
  throw new ModelFailure(`The model does not run, so it is not used:\n${last || `it ended with ${code}`}`);
}

if (import.meta.main) {
  const [folder, role, packageFile] = process.argv.slice(2) as [string, Entry['role'], string];
  const load = async () => createRequire(import.meta.url)(packageFile) as SherpaPackage;
  await (role === 'voices' ? hearVoices(folder, await load()) : hearSpeech(folder, load)).catch((error) => {
    console.error((error as { detail?: string }).detail ?? (error as Error).message);
    process.exitCode = 1;
  });
}

async function hearSpeech(folder: string, load: () => Promise<SherpaPackage>): Promise<void> {
  const engine = await sherpaRecognizer({ model_dir: folder, threads: availableParallelism(), load });
  const piece = { index: 0, start_ms: 0, end_ms: HEARD_MS };
  await engine.transcribe(piece, {
    key: 'trial',
    language: null,
    utterances: [piece],
    readSamples: async () => new Uint8Array((HEARD_MS / 1000) * SAMPLE_RATE * 2),
    locate: async () => '',
  });
}

async function hearVoices(folder: string, loaded: SherpaPackage): Promise<void> {
  const voices = voicesIn(folder, readdirSync(folder, { recursive: true }) as string[]);
  if (!voices) throw new Error('It lacks the segmentation or the embedding of voices.');
  findTurns(loaded, voices, new Float32Array((HEARD_MS / 1000) * SAMPLE_RATE));
}
