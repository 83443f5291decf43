/** Tells by the files in a folder which sherpa-onnx model it holds. */
import { basename, join } from 'node:path';
import { whisperLanguages } from './whisper-languages.ts';

/** What `OfflineRecognizer` of sherpa-onnx-node takes as `modelConfig`, apart from threads and provider. */
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
  /** Parakeet and other NeMo transducers need to be told from Zipformer's. */
  modelType?: 'nemo_transducer';
};

/** The families that the engine knows. Those of one file look alike: only a name, or a card, tells them apart. */
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

/** Both files that telling voices apart needs. */
export type Voices = { segmentation: string; embedding: string };

export type SherpaModel = {
  kind: Kind;
  config: ModelConfig;
  /** Primary subtags that the card, the folder's or the files' names promise; null where they promise none. */
  languages: readonly string[] | null;
  /** Where they lie in the folder of the model. */
  diarization: Voices | null;
};

/** What `npm run models` writes beside a model that it fetched: what the list says, where names say too little. */
export type Card = { kind?: Kind | undefined; languages?: readonly string[] | null | undefined };
export const CARD = 'kinora-model.json';

/**
 * The model in `folder`, of which `files` are the relative paths; null where the folder holds none that is
 * known. The published archives of the project are understood as they unpack; quantised files
 * (`*.int8.onnx`) go first, since they are meant for processors without a graphics card.
 */
export function sherpaModel(folder: string, files: readonly string[], card: Card = {}): SherpaModel | null {
  const path = (file: string) => join(folder, file);
  const diarization = voicesIn(folder, files);
  const others = files.filter((file) => !/segmentation/i.test(file) && path(file) !== diarization?.embedding);
  const find = (name: RegExp): string | undefined => {
    const found = others.filter((file) => name.test(basename(file)));
    return found.find((file) => /int8/.test(file)) ?? found[0];
  };
  const tokens = find(/tokens\.txt$/);
  const recogniser = recogniserOf(basename(folder), card.kind, (name) => {
    const file = find(name);
    return file === undefined ? undefined : path(file);
  });
  if (!tokens || !recogniser) return null;
  return {
    kind: recogniser.kind,
    config: { tokens: path(tokens), ...recogniser.config },
    languages: card.languages ?? languagesOf(recogniser.kind, basename(folder), tokens),
    diarization,
  };
}

/** The models in `folder` that tell voices apart; null unless both are there. */
export function voicesIn(folder: string, files: readonly string[]): Voices | null {
  const segmentation = files.find((file) => /segmentation.*\.onnx$/i.test(file));
  const embedding = files.find((file) => EMBEDDING.test(basename(file)));
  if (!segmentation || !embedding) return null;
  return { segmentation: join(folder, segmentation), embedding: join(folder, embedding) };
}

/** How the published models that tell voices apart are called. */
const EMBEDDING = /(?:speaker|embedding|eres2net|campplus|cam\+\+|titanet|ecapa|resnet|_sv_).*\.onnx$/i;

type Recogniser = { kind: Kind; config: Omit<ModelConfig, 'tokens'> };
type Find = (name: RegExp) => string | undefined;

function recogniserOf(name: string, kind: Kind | undefined, find: Find): Recogniser | null {
  // Models for live audio have files of the same names, but want another recogniser.
  if (/(?<!non-)streaming/.test(name)) return null;
  const model = find(/^model.*\.onnx$/);
  return ofSeveralFiles(name, kind, find) ?? (model ? ofOneFile(model, kind ?? kindByName(name)) : null);
}

function ofSeveralFiles(name: string, kind: Kind | undefined, find: Find): Recogniser | null {
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
    // Times of words need a model that was exported with its attention, which the published ones are not; times of
    // segments need none.
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

function ofOneFile(model: string, kind: Kind | null): Recogniser | null {
  switch (kind) {
    case 'nemo_ctc':
      return { kind, config: { nemoCtc: { model } } };
    case 'zipformer_ctc':
      return { kind, config: { zipformerCtc: { model } } };
    case 'paraformer':
      return { kind, config: { paraformer: { model } } };
    case 'sense_voice':
      return { kind, config: { senseVoice: { model, useInverseTextNormalization: 1 } } };
    default:
      return null;
  }
}

/** How the project names archives of models that are one file. */
function kindByName(name: string): Kind | null {
  if (/sense-?voice/i.test(name)) return 'sense_voice';
  if (/paraformer/i.test(name)) return 'paraformer';
  if (/zipformer.*ctc/i.test(name)) return 'zipformer_ctc';
  if (/nemo.*(?:ctc|giga-?am)|parakeet.*ctc/i.test(name)) return 'nemo_ctc';
  return null;
}

/** The archives name their languages between hyphens: `sherpa-onnx-zipformer-en-2023-06-26`, `…-bilingual-zh-en-…`. */
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
