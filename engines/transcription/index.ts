/** Which transcription engines there are, and which one is used. */
import type { AmazonTranscribeParts } from './aws.ts';
import { pocketsphinx, pocketsphinxDefaults } from './pocketsphinx.ts';
import type { TranscriptionEngine } from './port.ts';
import { sherpa } from './sherpa.ts';

export type * from './port.ts';
export type { AmazonTranscribeParts };

export type TranscriptionSettings = {
  engines: 'aws' | 'local';
  /** The folder of a sherpa-onnx model; it then goes before PocketSphinx. */
  sherpa_model_dir?: string | undefined;
  /** Path or name of the program, if not the one on the PATH. */
  pocketsphinx?: string | undefined;
  /** An existing folder for temporary files. */
  work_dir: string;
  /** Processor cores that a local recogniser may use. */
  threads?: number | undefined;
  /** Called only where `engines` is "aws". */
  amazonTranscribe(): AmazonTranscribeParts | Promise<AmazonTranscribeParts>;
};

type Entry = {
  fits(settings: TranscriptionSettings): boolean;
  create(settings: TranscriptionSettings): TranscriptionEngine | Promise<TranscriptionEngine>;
};

/** In order of preference. The AWS engine is imported when it is used, since its SDK takes time to start. */
const engines: readonly Entry[] = [
  {
    fits: (s) => s.engines === 'aws',
    create: async (s) => (await import('./aws.ts')).amazonTranscribe(await s.amazonTranscribe()),
  },
  {
    fits: (s) => !!s.sherpa_model_dir,
    create: (s) => sherpa({ model_dir: s.sherpa_model_dir!, threads: s.threads ?? 2 }),
  },
  {
    fits: () => true,
    create: (s) =>
      pocketsphinx({
        ...pocketsphinxDefaults,
        work_dir: s.work_dir,
        ...(s.pocketsphinx && { command: s.pocketsphinx }),
      }),
  },
];

/** Throws `engine_unavailable` where the settings name an engine that is not there. */
export async function transcriptionEngine(settings: TranscriptionSettings): Promise<TranscriptionEngine> {
  return await engines.find((entry) => entry.fits(settings))!.create(settings);
}
