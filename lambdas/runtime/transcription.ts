/** The transcription engine of this environment. */
import { tmpdir } from 'node:os';
import { TranscribeClient } from '@aws-sdk/client-transcribe';
import type { MediaObjects } from '../data/objects.ts';
import { type TranscriptionEngine, transcriptionEngine } from '../engines/transcription/index.ts';
import { environment } from './environment.ts';

/** @param objects where Amazon Transcribe leaves its results */
export const transcription = (objects: MediaObjects): Promise<TranscriptionEngine> =>
  transcriptionEngine({
    engines: environment.engines,
    sherpa_model_dir: environment.sherpaModels,
    pocketsphinx: environment.pocketsphinx,
    work_dir: tmpdir(),
    amazonTranscribe: () => ({
      client: new TranscribeClient({}),
      output_bucket: objects.bucket,
      readObject: async (key) => Buffer.from((await objects.read(key)) ?? '').toString('utf8'),
    }),
  });
