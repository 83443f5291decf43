/** The transcription engine of this environment: one a process, since some hold a model in memory. */
import { tmpdir } from 'node:os';
import { type TranscriptionEngine, transcriptionEngine } from '../../engines/transcription/index.ts';
import { asTenantId } from '../shared/tenant.ts';
import { environment } from './environment.ts';
import { mediaObjects } from './s3.ts';

let engine: Promise<TranscriptionEngine> | undefined;

export function transcription(): Promise<TranscriptionEngine> {
  engine ??= transcriptionEngine({
    engines: environment.engines,
    sherpa_model_dir: environment.sherpaModels,
    pocketsphinx: environment.pocketsphinx,
    work_dir: tmpdir(),
    amazonTranscribe,
  });
  return engine;
}

/** Imported only where it is used: the SDK takes time to start. */
async function amazonTranscribe() {
  const { TranscribeClient } = await import('@aws-sdk/client-transcribe');
  return { client: new TranscribeClient({}), output_bucket: environment.mediaBucket, readObject };
}

/** A result lies where the job was told to put it: under its tenant's own prefix, `t/{tenant}/…`. */
async function readObject(key: string): Promise<string> {
  const objects = mediaObjects(asTenantId(key.split('/')[1] ?? ''));
  return Buffer.from((await objects.read(key)) ?? '').toString('utf8');
}
