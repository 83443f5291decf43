/** Tells by the files in a folder which sherpa-onnx model it holds. */
import { basename, join } from 'node:path';

/** What `OfflineRecognizer` of sherpa-onnx-node takes as `modelConfig`, apart from threads and provider. */
export type ModelConfig = {
  tokens: string;
  transducer?: { encoder: string; decoder: string; joiner: string };
  whisper?: { encoder: string; decoder: string; task: 'transcribe'; enableTokenTimestamps: true };
  paraformer?: { model: string };
  senseVoice?: { model: string; useInverseTextNormalization: 1 };
  /** Parakeet and other NeMo transducers need to be told from Zipformer's. */
  modelType?: 'nemo_transducer';
};

export type SherpaModel = {
  kind: 'transducer' | 'whisper' | 'paraformer' | 'sense_voice';
  config: ModelConfig;
  /** Primary subtags that the folder's or files' names promise; null where they promise none. */
  languages: readonly string[] | null;
  /** Both files that telling voices apart needs, where they lie in the folder. */
  diarization: { segmentation: string; embedding: string } | null;
};

/**
 * The model in `folder`, of which `files` are the relative paths; null where the folder holds none that is
 * known. The published archives of the project are understood as they unpack; quantised files
 * (`*.int8.onnx`) go first, since they are meant for processors without a graphics card.
 */
export function sherpaModel(folder: string, files: readonly string[]): SherpaModel | null {
  const path = (file: string) => join(folder, file);
  const segmentation = files.find((file) => /segmentation.*\.onnx$/i.test(file));
  const embedding = files.find((file) => EMBEDDING.test(basename(file)));
  const others = files.filter((file) => !/segmentation/i.test(file) && file !== embedding);
  const find = (name: RegExp): string | undefined => {
    const found = others.filter((file) => name.test(basename(file)));
    return found.find((file) => /int8/.test(file)) ?? found[0];
  };
  const tokens = find(/tokens\.txt$/);
  const recogniser = recogniserOf(basename(folder), (name) => {
    const file = find(name);
    return file === undefined ? undefined : path(file);
  });
  if (!tokens || !recogniser) return null;
  return {
    kind: recogniser.kind,
    config: { tokens: path(tokens), ...recogniser.config },
    languages: languagesOf(recogniser.kind, basename(folder), tokens),
    diarization:
      segmentation && embedding ? { segmentation: path(segmentation), embedding: path(embedding) } : null,
  };
}

/** How the published models that tell voices apart are called. */
const EMBEDDING = /(?:speaker|embedding|eres2net|campplus|cam\+\+|titanet|ecapa|resnet|_sv_).*\.onnx$/i;

function recogniserOf(
  name: string,
  find: (name: RegExp) => string | undefined,
): (Pick<SherpaModel, 'kind'> & { config: Omit<ModelConfig, 'tokens'> }) | null {
  // Models for live audio have files of the same names, but want another recogniser.
  if (/(?<!non-)streaming/.test(name)) return null;
  const encoder = find(/encoder.*\.onnx$/);
  const decoder = find(/decoder.*\.onnx$/);
  const joiner = find(/joiner.*\.onnx$/);
  const model = find(/^model.*\.onnx$/);
  if (encoder && decoder && joiner) {
    const isNemo = /nemo|parakeet/.test(name);
    const transducer = { encoder, decoder, joiner };
    return { kind: 'transducer', config: { transducer, ...(isNemo && { modelType: 'nemo_transducer' }) } };
  }
  if (encoder && decoder) {
    const whisper = { encoder, decoder, task: 'transcribe', enableTokenTimestamps: true } as const;
    return { kind: 'whisper', config: { whisper } };
  }
  if (model && /sense-?voice/i.test(name)) {
    return { kind: 'sense_voice', config: { senseVoice: { model, useInverseTextNormalization: 1 } } };
  }
  if (model && /paraformer/i.test(name)) return { kind: 'paraformer', config: { paraformer: { model } } };
  return null;
}

/** The archives name their languages between hyphens: `sherpa-onnx-zipformer-en-2023-06-26`, `…-bilingual-zh-en-…`. */
function languagesOf(kind: SherpaModel['kind'], folder: string, tokens: string): readonly string[] | null {
  if (kind === 'whisper') return /\.en-tokens\.txt$/.test(tokens) ? ['en'] : null;
  const known =
    /^(?:ar|bn|cs|da|de|en|es|fa|fi|fr|he|hi|hu|id|it|ja|kk|ko|nl|pl|pt|ru|sv|th|tr|uk|ur|vi|yue|zh)$/;
  const named = folder
    .toLowerCase()
    .split(/[-_]/)
    .filter((part) => known.test(part));
  return named.length > 0 ? named : null;
}
