/** Finds out which sherpa-onnx model a folder contains. */
import { basename, join } from 'node:path';
import { whisperLanguages } from './whisper-languages.ts';

/** The `modelConfig` of `OfflineRecognizer` in sherpa-onnx-node, without threads and provider. */
export type ModelConfig = {
  tokens: string;
  transducer?: { encoder: string; decoder: string; joiner: string };
  nemoCtc?: { model: string };
  zipformerCtc?: { model: string };
  whisper?: {
    encoder: string;
    decoder: string;
    task: 'transcribe';
    enableTokenTimestamps: 1;
    enableSegmentTimestamps: 1;
  };
  moonshine?: { preprocessor: string; encoder: string; uncachedDecoder: string; cachedDecoder: string };
  paraformer?: { model: string };
  senseVoice?: { model: string; useInverseTextNormalization: 1 };
  /** Distinguishes Parakeet and other NeMo transducers from Zipformer transducers. */
  modelType?: 'nemo_transducer';
};

/** The supported kinds of models. If a model has a single file, the name of its folder or its card shows the kind. */
export const kinds = [
  'transducer',
  'nemo_transducer',
  'nemo_ctc',
  'zipformer_ctc',
  'whisper',
  'moonshine',
  'paraformer',
  'sense_voice',
] as const;
export type Kind = (typeof kinds)[number];

export type Voices = { segmentation: string; embedding: string };

export type SherpaModel = {
  kind: Kind;
  config: ModelConfig;
  /** Primary subtags from the card, or from the names of the folder or its files. Null if these do not show the language. */
  languages: readonly string[] | null;
  diarization: Voices | null;
};

/**
 * The content of `kinora-model.json`, which `npm run models` writes next to a downloaded model. It has the facts that the names of folder
 * and files do not show.
 */
export type Card = { kind?: Kind | undefined; languages?: readonly string[] | null | undefined };
export const CARD = 'kinora-model.json';

/** Returns null if the folder has no known model. Prefers quantized files, because they are faster. @param files paths relative to `folder` */
export function sherpaModel(folder: string, files: readonly string[], card: Card = {}): SherpaModel | null {
  const path = (file: string) => join(folder, file);
  const diarization = voicesIn(folder, files);
  const others = files.filter((file) => !/segmentation/i.test(file) && path(file) !== diarization?.embedding);
  const find = (name: RegExp): string | undefined => {
    const found = others.filter((file) => name.test(basename(file)));
    return found.find((file) => /int8/.test(file)) ?? found[0];
  };
  const tokens = find(/tokens\.txt$/);
  const recognizer = recognizerOf(basename(folder), card.kind, (name) => {
    const file = find(name);
    return file === undefined ? undefined : path(file);
  });
  if (!tokens || !recognizer) return null;
  return {
    kind: recognizer.kind,
    config: { tokens: path(tokens), ...recognizer.config },
    languages: card.languages ?? languagesOf(recognizer.kind, basename(folder), tokens),
    diarization,
  };
}

export function voicesIn(folder: string, files: readonly string[]): Voices | null {
  const segmentation = files.find((file) => /segmentation.*\.onnx$/i.test(file));
  const embedding = files.find((file) => EMBEDDING.test(basename(file)));
  if (!segmentation || !embedding) return null;
  return { segmentation: join(folder, segmentation), embedding: join(folder, embedding) };
}

const EMBEDDING = /(?:speaker|embedding|eres2net|campplus|cam\+\+|titanet|ecapa|resnet|_sv_).*\.onnx$/i;

type Recognizer = { kind: Kind; config: Omit<ModelConfig, 'tokens'> };
type Find = (name: RegExp) => string | undefined;

function recognizerOf(name: string, kind: Kind | undefined, find: Find): Recognizer | null {
  // Models for live audio have the same file names, but need a different recognizer, which is not supported.
  if (/(?<!non-)streaming/.test(name)) return null;
  return ofSeveralFiles(name, kind, find) ?? ofOneFile(name, kind, find);
}

function ofSeveralFiles(name: string, kind: Kind | undefined, find: Find): Recognizer | null {
  const encoder = find(/encoder.*\.onnx$/);
  const decoder = find(/decoder.*\.onnx$/);
  const joiner = find(/joiner.*\.onnx$/);
  if (encoder && decoder && joiner) {
    const transducer = { encoder, decoder, joiner };
    const isNemo = kind === undefined ? /nemo|parakeet/.test(name) : kind === 'nemo_transducer';
    return isNemo
      ? { kind: 'nemo_transducer', config: { transducer, modelType: 'nemo_transducer' } }
      : { kind: 'transducer', config: { transducer } };
  }
  if (encoder && decoder) {
    // Published models were exported without their attention, so they return no word times. They do return segment times.
    const times = { enableTokenTimestamps: 1, enableSegmentTimestamps: 1 } as const;
    return { kind: 'whisper', config: { whisper: { encoder, decoder, task: 'transcribe', ...times } } };
  }
  const preprocessor = find(/^preprocess.*\.onnx$/);
  const encode = find(/^encode.*\.onnx$/);
  const uncachedDecoder = find(/^uncached_decode.*\.onnx$/);
  const cachedDecoder = find(/^cached_decode.*\.onnx$/);
  if (preprocessor && encode && uncachedDecoder && cachedDecoder) {
    const moonshine = { preprocessor, encoder: encode, uncachedDecoder, cachedDecoder };
    return { kind: 'moonshine', config: { moonshine } };
  }
  return null;
}

/** Models with a single file: their kind, a pattern for the names of the project's archives, and their configuration. */
const singles: readonly (readonly [Kind, RegExp, (model: string) => Recognizer['config']])[] = [
  ['sense_voice', /sense-?voice/i, (model) => ({ senseVoice: { model, useInverseTextNormalization: 1 } })],
  ['paraformer', /paraformer/i, (model) => ({ paraformer: { model } })],
  ['zipformer_ctc', /zipformer.*ctc/i, (model) => ({ zipformerCtc: { model } })],
  ['nemo_ctc', /nemo.*(?:ctc|giga-?am)|parakeet.*ctc/i, (model) => ({ nemoCtc: { model } })],
];

function ofOneFile(name: string, kind: Kind | undefined, find: Find): Recognizer | null {
  const model = find(/^model.*\.onnx$/);
  const single = singles.find(([one, names]) => (kind === undefined ? names.test(name) : kind === one));
  return model && single ? { kind: single[0], config: single[2](model) } : null;
}

/** Returns the languages of a model. Names of archives contain them between hyphens: `sherpa-onnx-zipformer-en-2023-06-26`, `…-bilingual-zh-en-…`. */
function languagesOf(kind: Kind, folder: string, tokens: string): readonly string[] | null {
  if (kind === 'whisper') return /\.en-tokens\.txt$/.test(tokens) ? ['en'] : whisperLanguages;
  const known =
    /^(?:ar|be|bn|cs|da|de|en|es|fa|fi|fr|he|hi|hr|hu|id|it|ja|kk|ko|nl|pl|pt|ru|sv|th|tr|uk|ur|vi|yue|zh)$/;
  const named = folder
    .toLowerCase()
    .split(/[-_]/)
    .filter((part) => known.test(part));
  return named.length > 0 ? named : null;
}
