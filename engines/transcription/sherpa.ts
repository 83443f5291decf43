/** sherpa-onnx with a model of the operator's choice. `ENGINE_TRANSCRIPTION=sherpa-onnx` */
import { readdir, readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SAMPLE_RATE } from '../../media/ffmpeg/extract-sound.ts';
import { engineUnavailable, languageUnsupported } from '../../shared/job-errors.ts';
import type { Word } from '../../shared/segments.ts';
import { primarySubtag } from '../engine.ts';
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
  // The languages depend on the model. `transcribe` throws for languages that the model does not support.
  languages: 'any',
  settings: {
    SHERPA_MODEL_DIR: { description: 'Folder of an unpacked sherpa-onnx model' },
    SHERPA_VOICES_DIR: {
      description: 'Folder of the models for speaker diarization, if the folder of the model has none',
      default: '',
    },
    SHERPA_PACKAGE: {
      description: 'Name of the package, or path of its main file',
      default: 'sherpa-onnx-node',
    },
    SHERPA_THREADS: { description: 'Number of processor cores', default: '2' },
  },
  make: ({ settings }) =>
    sherpaRecognizer({
      model_dir: settings.SHERPA_MODEL_DIR,
      voices_dir: settings.SHERPA_VOICES_DIR,
      threads: Number(settings.SHERPA_THREADS),
      load: () => importPackage(settings.SHERPA_PACKAGE),
    }),
});

export type SherpaPackage = {
  OfflineRecognizer: {
    createAsync(config: RecognizerConfig): Promise<Recognizer>;
  };
  OfflineSpeakerDiarization: new (config: DiarizationConfig) => { process(samples: Float32Array): Turn[] };
};
type Recognizer = {
  createStream(): { acceptWaveform(wave: { samples: Float32Array; sampleRate: number }): void };
  decodeAsync(stream: object): Promise<SherpaResult>;
};
type RecognizerConfig = {
  featConfig: { sampleRate: number; featureDim: number };
  modelConfig: ModelConfig & { numThreads: number; provider: 'cpu' };
};
type DiarizationConfig = {
  segmentation: { pyannote: { model: string } };
  embedding: { model: string };
  clustering: { numClusters: number; threshold: number };
};

type Loaded = SherpaPackage | { default: SherpaPackage };

export type SherpaParts = {
  model_dir: string;
  voices_dir?: string;
  threads: number;
  load?: () => Promise<Loaded>;
};

const MAX_PIECE_MS = 120_000;
/** The maximum duration of a piece with speakers, ms. Pieces are long, because speakers are matched only within a piece. Four hours need 0.9 GB. */
const MAX_DIARIZED_PIECE_MS = 4 * 3_600_000;

const packageName = 'sherpa-onnx-node';
/** Imports the package by a variable name. If the name were a literal, bundlers would look for the package, which may not be installed. */
const importPackage = (name = packageName): Promise<Loaded> =>
  import(isAbsolute(name) ? pathToFileURL(name).href : name);

export async function sherpaRecognizer(parts: SherpaParts): Promise<TranscriptionEngine> {
  const model = await findModel(parts.model_dir);
  const voices = model.diarization ?? (await findVoices(parts.voices_dir));
  const supports = (language: string | null) =>
    language === null || model.languages === null || model.languages.includes(primarySubtag(language));
  const max_ms = voices ? MAX_DIARIZED_PIECE_MS : MAX_PIECE_MS;
  const recognizers = new Map<string, Promise<Recognizer>>();
  return {
    tellsSpeechApart: false,
    // Only transducers support hotwords, and hotwords need a list of BPE units that the published archives do not contain:
    // docs/decisions/0046.
    takesTerms: false,
    supports,
    plan: async (audio) => planPieces(audio, { max_ms }),
    async transcribe(piece, request) {
      if (request.language !== null && !supports(request.language))
        throw unsupported(request.language, model);
      const loaded = await loadSherpa(parts.load ?? (() => importPackage()));
      const language = request.language === null ? '' : primarySubtag(request.language);
      const creating = recognizers.get(language) ?? createRecognizer(loaded, model, language, parts.threads);
      recognizers.set(language, creating);
      const recognizer = await creating;
      const words: Word[] = [];
      let heard = '';
      // A chunk is one utterance, because utterances are shorter than 30 s. Whisper processes up to 30 s, and other models become
      // slow beyond that.
      for (const [i, utterance] of request.utterances.entries()) {
        request.signal?.throwIfAborted();
        const samples = floatSamples(await request.readSamples(utterance));
        const stream = recognizer.createStream();
        stream.acceptWaveform({ samples, sampleRate: SAMPLE_RATE });
        const result = await recognizer.decodeAsync(stream);
        words.push(...wordsFromResult(result, utterance.start_ms, utterance.end_ms));
        heard ||= (result.lang ?? '').replaceAll(/[<|>]/g, '');
        request.onProgress?.((i + 1) / request.utterances.length);
      }
      const turns = voices ? findTurns(loaded, voices, floatSamples(await request.readSamples(piece))) : [];
      return {
        status: 'done',
        words: assignSpeakers(words, turns, piece.start_ms),
        language: request.language ?? (heard || soleLanguage(model)),
      };
    },
  };
}

const soleLanguage = ({ languages }: SherpaModel) => (languages?.length === 1 && languages[0]) || 'und';

async function findModel(folder: string): Promise<SherpaModel> {
  const files = await readdir(folder, { recursive: true }).catch((cause) => {
    throw engineUnavailable(
      `The folder of the sherpa-onnx model (SHERPA_MODEL_DIR) cannot be read. ${howToInstall}`,
      cause,
    );
  });
  const model = sherpaModel(folder, files, files.includes(CARD) ? await readCard(join(folder, CARD)) : {});
  if (model) return model;
  throw engineUnavailable(
    'The folder SHERPA_MODEL_DIR contains no known sherpa-onnx model. It needs tokens.txt and the files of one model: a ' +
      'transducer (encoder, decoder, joiner), Whisper (encoder, decoder), Moonshine (preprocess, encode, two decode), or one ' +
      'file (model) of NeMo or Zipformer CTC, Paraformer or SenseVoice, in a folder with that name.',
  );
}

const howToInstall = 'Install a model: npm run models';

const readCard = async (path: string) => JSON.parse(await readFile(path, 'utf8')) as Card;

async function findVoices(folder: string | undefined) {
  if (!folder) return null;
  const files = await readdir(folder, { recursive: true }).catch(() => []);
  const voices = voicesIn(folder, files);
  if (voices) return voices;
  throw engineUnavailable(
    `The folder SHERPA_VOICES_DIR does not contain both models for speaker diarization. ${howToInstall}`,
  );
}

function unsupported(language: string, model: SherpaModel) {
  return languageUnsupported(
    `The installed sherpa-onnx model supports ${model.languages?.join(', ')}, not "${language}". ` +
      'Install a model for that language: npm run models',
  );
}

async function loadSherpa(load: () => Promise<Loaded>): Promise<SherpaPackage> {
  const loaded = await load().catch((cause) => {
    throw engineUnavailable(
      `The package ${packageName} is missing or does not run here. Install it: npm run models get NAME, or npm install ${packageName}`,
      cause,
    );
  });
  // A CommonJS package has its exports in the default export.
  return 'default' in loaded ? loaded.default : loaded;
}

async function createRecognizer(
  { OfflineRecognizer }: SherpaPackage,
  { config }: SherpaModel,
  language: string,
  numThreads: number,
): Promise<Recognizer> {
  const modelConfig = {
    ...config,
    ...(config.whisper && { whisper: { ...config.whisper, language: whisperCode(language) } }),
    ...(config.senseVoice && { senseVoice: { ...config.senseVoice, language } }),
    numThreads,
    provider: 'cpu' as const,
  };
  const featConfig = { sampleRate: SAMPLE_RATE, featureDim: 80 };
  return await OfflineRecognizer.createAsync({ featConfig, modelConfig }).catch((cause) => {
    throw engineUnavailable('The sherpa-onnx model cannot be loaded, because its files do not match.', cause);
  });
}

export function findTurns(
  { OfflineSpeakerDiarization }: SherpaPackage,
  { segmentation, embedding }: { segmentation: string; embedding: string },
  samples: Float32Array,
): Turn[] {
  const diarization = new OfflineSpeakerDiarization({
    segmentation: { pyannote: { model: segmentation } },
    embedding: { model: embedding },
    // With -1, the threshold determines the number of speakers. The package's default threshold is 0.5.
    clustering: { numClusters: -1, threshold: 0.5 },
  });
  return diarization.process(samples);
}

/** Converts 16-bit little endian samples to numbers from -1 to 1. */
export function floatSamples(pcm: Uint8Array): Float32Array {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  const length = Math.floor(pcm.byteLength / 2);
  return Float32Array.from({ length }, (_, i) => view.getInt16(2 * i, true) / 32768);
}
