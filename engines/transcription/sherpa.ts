/** sherpa-onnx with a model folder of the user's: many languages, and speakers where their models lie there too. */
import { readdir, readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SAMPLE_RATE } from '../../media/ffmpeg/extract-sound.ts';
import { engineUnavailable, languageUnsupported } from '../../shared/job-errors.ts';
import type { Word } from '../../shared/segments.ts';
import { primarySubtag } from '../engine.ts';
import { floatSamples } from './float-samples.ts';
import { planPieces } from './plan-pieces.ts';
import { type TranscriptionEngine, transcriptionEngine } from './port.ts';
import {
  CARD,
  type Card,
  type ModelConfig,
  type SherpaModel,
  sherpaModel,
  voicesIn,
} from './sherpa-model.ts';
import { assignSpeakers, type SherpaResult, type Turn, wordsFromResult } from './sherpa-words.ts';
import { whisperCode } from './whisper-languages.ts';

export const sherpa = transcriptionEngine({
  name: 'sherpa-onnx',
  runs: ['local'],
  price: null,
  // Its model knows which, and refuses the others when it is asked.
  languages: 'any',
  settings: {
    SHERPA_MODEL_DIR: { description: 'Folder of a sherpa-onnx model, as its archive unpacks' },
    SHERPA_VOICES_DIR: {
      description: 'Folder of the models that tell voices apart, where the model’s own holds none',
      default: '',
    },
    SHERPA_PACKAGE: {
      description: 'The package sherpa-onnx-node, or the path of its main file',
      default: 'sherpa-onnx-node',
    },
    SHERPA_THREADS: { description: 'Processor cores that it may use', default: '2' },
  },
  permissions: {},
  make: ({ settings }) =>
    sherpaRecogniser({
      model_dir: settings.SHERPA_MODEL_DIR,
      voices_dir: settings.SHERPA_VOICES_DIR,
      threads: Number(settings.SHERPA_THREADS),
      load: () => importPackage(settings.SHERPA_PACKAGE),
    }),
});

/** The part of the package `sherpa-onnx-node` that is used. */
export type SherpaPackage = {
  OfflineRecognizer: {
    createAsync(config: RecogniserConfig): Promise<Recogniser>;
  };
  OfflineSpeakerDiarization: new (config: DiarizationConfig) => { process(samples: Float32Array): Turn[] };
};
type Recogniser = {
  createStream(): { acceptWaveform(wave: { samples: Float32Array; sampleRate: number }): void };
  decodeAsync(stream: object): Promise<SherpaResult>;
};
type RecogniserConfig = {
  featConfig: { sampleRate: number; featureDim: number };
  modelConfig: ModelConfig & { numThreads: number; provider: 'cpu' };
};
type DiarizationConfig = {
  segmentation: { pyannote: { model: string } };
  embedding: { model: string };
  clustering: { numClusters: number; threshold: number };
};

export type SherpaParts = {
  model_dir: string;
  voices_dir?: string;
  threads: number;
  /** Imports the package that the user installed. */
  load?: () => Promise<unknown>;
};

const MAX_PIECE_MS = 120_000;
/** Voices are told apart within a piece only, so it is as long as memory allows: four hours are .9 GB. */
const MAX_DIARIZED_PIECE_MS = 4 * 3_600_000;

const packageName = 'sherpa-onnx-node';
/** The name in a variable keeps bundlers from looking for a package that is not there. */
const importPackage = (name = packageName): Promise<unknown> =>
  import(isAbsolute(name) ? pathToFileURL(name).href : name);

export async function sherpaRecogniser(parts: SherpaParts): Promise<TranscriptionEngine> {
  const model = await findModel(parts.model_dir);
  const voices = model.diarization ?? (await findVoices(parts.voices_dir));
  const supports = (language: string | null) =>
    language === null || model.languages === null || model.languages.includes(primarySubtag(language));
  const max_ms = voices ? MAX_DIARIZED_PIECE_MS : MAX_PIECE_MS;
  const tools = new Map<string, Promise<Recogniser>>();
  return {
    tellsSpeechApart: false,
    // Hotwords are read from a file as the recogniser is made, by transducers alone, and need a list of BPE units that the
    // published archives do not hold: docs/decisions/0046.
    takesTerms: false,
    supports,
    plan: async (audio) => planPieces(audio, { max_ms }),
    async transcribe(piece, request) {
      if (!supports(request.language)) throw unsupported(request.language!, model);
      const loaded = await loadPackage(parts.load ?? (() => importPackage()));
      const language = request.language === null ? '' : primarySubtag(request.language);
      if (!tools.has(language)) tools.set(language, createRecogniser(loaded, model, language, parts.threads));
      const recogniser = await tools.get(language)!;
      const words: Word[] = [];
      let heard = '';
      // Whisper hears 30 s at a time, and others grow slow beyond that: utterances are shorter.
      for (const [i, utterance] of request.utterances.entries()) {
        request.signal?.throwIfAborted();
        const samples = floatSamples(await request.readSamples(utterance));
        const stream = recogniser.createStream();
        stream.acceptWaveform({ samples, sampleRate: SAMPLE_RATE });
        const result = await recogniser.decodeAsync(stream);
        words.push(...wordsFromResult(result, utterance.start_ms, utterance.end_ms));
        heard ||= (result.lang ?? '').replaceAll(/[<|>]/g, '');
        request.onProgress?.((i + 1) / request.utterances.length);
      }
      const turns = voices
        ? tellVoicesApart(loaded, voices, floatSamples(await request.readSamples(piece)))
        : [];
      return {
        status: 'done',
        words: assignSpeakers(words, turns, piece.start_ms),
        language: request.language ?? (heard || soleLanguage(model)),
      };
    },
  };
}

const soleLanguage = ({ languages }: SherpaModel) => (languages?.length === 1 ? languages[0]! : 'und');

async function findModel(folder: string): Promise<SherpaModel> {
  const files = await readdir(folder, { recursive: true }).catch((cause) => {
    throw engineUnavailable(
      `The folder of the sherpa-onnx model (SHERPA_MODEL_DIR) cannot be read. ${howToChoose}`,
      cause,
    );
  });
  const model = sherpaModel(folder, files, files.includes(CARD) ? await readCard(join(folder, CARD)) : {});
  if (model) return model;
  throw engineUnavailable(
    'The folder of the sherpa-onnx model (SHERPA_MODEL_DIR) holds no model that is known: it needs tokens.txt ' +
      'with the files of a transducer (encoder, decoder, joiner), Whisper (encoder, decoder), Moonshine (preprocess, encode, ' +
      'two decode), or one file (model) in a folder whose name says what it is: NeMo or Zipformer CTC, Paraformer, SenseVoice.',
  );
}

const howToChoose = 'Choose another: npm run models';

const readCard = async (path: string) => JSON.parse(await readFile(path, 'utf8')) as Card;

async function findVoices(folder: string | undefined) {
  if (!folder) return null;
  const files = await readdir(folder, { recursive: true }).catch(() => []);
  const voices = voicesIn(folder, files);
  if (voices) return voices;
  throw engineUnavailable(
    `The folder of the models that tell voices apart (SHERPA_VOICES_DIR) does not hold both. ${howToChoose}`,
  );
}

function unsupported(language: string, model: SherpaModel) {
  return languageUnsupported(
    `The sherpa-onnx model in use understands ${model.languages?.join(', ')}, not "${language}". ` +
      'Choose a model of that language: npm run models',
  );
}

async function loadPackage(load: () => Promise<unknown>): Promise<SherpaPackage> {
  const loaded = (await load().catch((cause) => {
    throw engineUnavailable(
      `The package ${packageName} is not installed or does not run here. Install it: npm run models get NAME, or npm install ${packageName}`,
      cause,
    );
  })) as { default?: SherpaPackage } & SherpaPackage;
  // A CommonJS package: its exports are the default.
  return loaded.default ?? loaded;
}

async function createRecogniser(
  { OfflineRecognizer }: SherpaPackage,
  { config }: SherpaModel,
  language: string,
  numThreads: number,
): Promise<Recogniser> {
  const modelConfig = {
    ...config,
    ...(config.whisper && { whisper: { ...config.whisper, language: whisperCode(language) } }),
    ...(config.senseVoice && { senseVoice: { ...config.senseVoice, language } }),
    numThreads,
    provider: 'cpu' as const,
  };
  const featConfig = { sampleRate: SAMPLE_RATE, featureDim: 80 };
  return await OfflineRecognizer.createAsync({ featConfig, modelConfig }).catch((cause) => {
    throw engineUnavailable('The sherpa-onnx model cannot be loaded: its files do not fit together.', cause);
  });
}

export function tellVoicesApart(
  { OfflineSpeakerDiarization }: SherpaPackage,
  { segmentation, embedding }: { segmentation: string; embedding: string },
  samples: Float32Array,
): Turn[] {
  const diarization = new OfflineSpeakerDiarization({
    segmentation: { pyannote: { model: segmentation } },
    embedding: { model: embedding },
    // -1: the number of voices is found by the threshold, the package's own default.
    clustering: { numClusters: -1, threshold: 0.5 },
  });
  return diarization.process(samples);
}
