/**
 * Models are installed by operators and have hundreds of megabytes. So the recognizer is a stand-in with the methods of
 * sherpa-onnx-node 1.13. The model folders, the words and the missing package are real.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fixturePath } from '../../fixtures/media.ts';

export const zipformer = [
  'encoder-99.onnx',
  'encoder-99.int8.onnx',
  'decoder-99.onnx',
  'joiner-99.int8.onnx',
  'tokens.txt',
];
export const voices = ['sherpa-onnx-pyannote-segmentation-3-0/model.onnx', '3dspeaker_eres2net.onnx'];

export async function modelFolder(name: string, files: readonly string[]): Promise<string> {
  const folder = fixturePath(name);
  for (const file of files) {
    await mkdir(join(folder, file, '..'), { recursive: true });
    await writeFile(join(folder, file), '');
  }
  return folder;
}

/** Returns the same three tokens for every chunk, and records its configuration and input. */
export function standIn() {
  const seen: { configs: unknown[]; chunks: number[] } = { configs: [], chunks: [] };
  const recogniser = {
    createStream: () => ({
      acceptWaveform: ({ samples }: { samples: Float32Array }) => seen.chunks.push(samples.length),
    }),
    decodeAsync: async () => ({
      text: 'HELLO WORLD',
      tokens: [' HE', 'LLO', ' WORLD'],
      timestamps: [0.2, 0.4, 1],
      ys_log_probs: [-0.1, -0.3, 0],
      lang: '',
    }),
  };
  const OfflineRecognizer = {
    createAsync: async (config: unknown) => {
      seen.configs.push(config);
      return recogniser;
    },
  };
  class OfflineSpeakerDiarization {
    process = () => [
      { start: 0, end: 0.9, speaker: 4 },
      { start: 0.9, end: 3, speaker: 2 },
    ];
  }
  return { seen, load: async () => ({ default: { OfflineRecognizer, OfflineSpeakerDiarization } }) };
}
