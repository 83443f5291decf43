import { describe, expect, it } from 'vitest';
import { floatSamples, sherpaRecognizer } from '../../../engines/transcription/sherpa.ts';
import { sherpaModel } from '../../../engines/transcription/sherpa-model.ts';
import { assignSpeakers, wordsFromResult } from '../../../engines/transcription/sherpa-words.ts';
import { finish, requestFor } from './conformance.ts';
import { modelFolder, standIn, voices, zipformer } from './sherpa-stand-in.ts';

const whisper = ['tiny-encoder.onnx', 'tiny-decoder.onnx', 'tiny-tokens.txt'];

const recognizer = async (folder: string, files: readonly string[], more: object = {}) =>
  sherpaRecognizer({ model_dir: await modelFolder(folder, files), threads: 1, ...more });

describe('sherpa-onnx', () => {
  const samples = new Uint8Array(60_000 * 32);
  const piece = { index: 0, start_ms: 0, end_ms: 60_000 };

  it('names the package to install if it is missing', async () => {
    const engine = await recognizer('bare-en', zipformer);
    await expect(engine.transcribe(piece, requestFor({ samples, language: 'en' }))).rejects.toMatchObject({
      code: 'engine_unavailable',
      detail: expect.stringContaining('npm install sherpa-onnx-node'),
    });
  });

  it.each([
    ['that does not exist', () => Promise.resolve('/nowhere')],
    ['without a model', () => modelFolder('no-model', ['readme.txt'])],
  ])('says what is wrong with a folder %s', async (_, folder) => {
    await expect(sherpaRecognizer({ model_dir: await folder(), threads: 1 })).rejects.toMatchObject({
      code: 'engine_unavailable',
      detail: expect.stringContaining('SHERPA_MODEL_DIR'),
    });
  });

  it('processes only the utterances, one after the other', async () => {
    const { seen, load } = standIn();
    const engine = await recognizer('chunks-en', zipformer, { threads: 3, load });
    const utterances = [
      { start_ms: 1000, end_ms: 4000 },
      { start_ms: 30_000, end_ms: 50_000 },
    ];
    const { words } = await finish(engine, piece, requestFor({ samples, language: 'en', utterances }));
    expect(seen.chunks).toEqual([3 * 16_000, 20 * 16_000]);
    expect(words.map(({ start_ms }) => start_ms)).toEqual([1200, 2000, 30_200, 31_000]);
    expect(seen.configs).toMatchObject([
      { featConfig: { sampleRate: 16_000 }, modelConfig: { numThreads: 3 } },
    ]);
  });

  it('passes the language to Whisper, and uses the detected one', async () => {
    const { seen, load } = standIn();
    const engine = await recognizer('whisper', whisper, { load });
    await finish(engine, piece, requestFor({ samples, language: 'es-MX' }));
    expect(seen.configs).toMatchObject([
      { modelConfig: { whisper: { language: 'es', task: 'transcribe' } } },
    ]);
  });

  it("uses Whisper's language codes, because Whisper ends the process for others", async () => {
    const { seen, load } = standIn();
    const engine = await recognizer('whisper-base', whisper, { load });
    await finish(engine, piece, requestFor({ samples, language: 'nb-NO' }));
    expect(seen.configs).toMatchObject([{ modelConfig: { whisper: { language: 'no' } } }]);
    expect(engine.supports('tlh')).toBe(false);
  });

  it('separates speakers with models in a separate folder', async () => {
    const voices_dir = await modelFolder('voices', voices);
    const engine = await recognizer('alone-en', zipformer, { voices_dir, load: standIn().load });
    const short = { index: 0, start_ms: 0, end_ms: 3000 };
    const { words } = await finish(engine, short, requestFor({ samples, language: 'en' }));
    expect(words.map(({ speaker }) => speaker)).toEqual(['Speaker 1', 'Speaker 2']);
  });

  it('names the command that installs a model for a missing language', async () => {
    const engine = await recognizer('only-en', zipformer);
    await expect(engine.transcribe(piece, requestFor({ samples, language: 'fr' }))).rejects.toMatchObject({
      code: 'language_unsupported',
      detail: expect.stringContaining('npm run models'),
    });
  });

  it('separates speakers with models in the same folder, in one piece so that speakers stay the same', async () => {
    const engine = await recognizer('voices-en', [...zipformer, ...voices], { load: standIn().load });
    expect(await engine.plan({ duration_ms: 3_600_000, utterances: [] })).toHaveLength(1);
    const short = { index: 0, start_ms: 0, end_ms: 3000 };
    const { words } = await finish(engine, short, requestFor({ samples, language: 'en' }));
    expect(words.map(({ text, speaker }) => [text, speaker])).toEqual([
      ['hello', 'Speaker 1'],
      ['world', 'Speaker 2'],
    ]);
  });
});

describe('sherpaModel', () => {
  it('recognizes a transducer, prefers quantized files, and finds its language in the name of the folder', () => {
    expect(sherpaModel('/m/sherpa-onnx-zipformer-en-2023-06-26', zipformer)).toEqual({
      kind: 'transducer',
      config: {
        tokens: '/m/sherpa-onnx-zipformer-en-2023-06-26/tokens.txt',
        transducer: {
          encoder: '/m/sherpa-onnx-zipformer-en-2023-06-26/encoder-99.int8.onnx',
          decoder: '/m/sherpa-onnx-zipformer-en-2023-06-26/decoder-99.onnx',
          joiner: '/m/sherpa-onnx-zipformer-en-2023-06-26/joiner-99.int8.onnx',
        },
      },
      languages: ['en'],
      diarization: null,
    });
  });

  it.each([
    [
      'sherpa-onnx-whisper-tiny.en',
      ['tiny.en-encoder.int8.onnx', 'tiny.en-decoder.onnx', 'tiny.en-tokens.txt'],
      'whisper',
      ['en'],
    ],
    [
      'sherpa-onnx-whisper-small',
      ['small-encoder.onnx', 'small-decoder.onnx', 'small-tokens.txt'],
      'whisper',
      expect.arrayContaining(['en', 'es', 'nb']),
    ],
    [
      'sherpa-onnx-nemo-ctc-en-conformer-small',
      ['model.int8.onnx', 'model.onnx', 'tokens.txt'],
      'nemo_ctc',
      ['en'],
    ],
    ['sherpa-onnx-zipformer-ctc-en-2023-10-02', ['model.onnx', 'tokens.txt'], 'zipformer_ctc', ['en']],
    [
      'sherpa-onnx-moonshine-base-en-int8',
      [
        'preprocess.onnx',
        'encode.int8.onnx',
        'uncached_decode.int8.onnx',
        'cached_decode.int8.onnx',
        'tokens.txt',
      ],
      'moonshine',
      ['en'],
    ],
    ['sherpa-onnx-paraformer-zh-2023', ['model.int8.onnx', 'tokens.txt'], 'paraformer', ['zh']],
    [
      'sherpa-onnx-sense-voice-zh-en-ja-ko-yue',
      ['model.onnx', 'tokens.txt'],
      'sense_voice',
      ['zh', 'en', 'ja', 'ko', 'yue'],
    ],
    [
      'sherpa-onnx-nemo-parakeet-tdt-0.6b-v3',
      ['encoder.onnx', 'decoder.onnx', 'joiner.onnx', 'tokens.txt'],
      'nemo_transducer',
      null,
    ],
  ])('recognizes %s', (folder, files, kind, languages) => {
    expect(sherpaModel(folder, files)).toMatchObject({ kind, languages });
  });

  it('reads a model card for facts that the names do not contain', () => {
    const card = { kind: 'nemo_ctc', languages: ['de', 'en'] } as const;
    expect(sherpaModel('/m/mine', ['model.onnx', 'tokens.txt'], card)).toEqual({
      kind: 'nemo_ctc',
      config: { tokens: '/m/mine/tokens.txt', nemoCtc: { model: '/m/mine/model.onnx' } },
      languages: ['de', 'en'],
      diarization: null,
    });
    const files = ['encoder.onnx', 'decoder.onnx', 'joiner.onnx', 'tokens.txt'];
    expect(sherpaModel('/m/mine', files, { kind: 'nemo_transducer' })?.config.modelType).toBe(
      'nemo_transducer',
    );
  });

  it.each([
    ['sherpa-onnx-zipformer-en', zipformer.filter((file) => file !== 'tokens.txt')],
    ['sherpa-onnx-streaming-zipformer-en', zipformer],
    ['some-folder', ['model.onnx', 'tokens.txt']],
    ['sherpa-onnx-paraformer-zh', ['sherpa-onnx-pyannote-segmentation-3-0/model.onnx', 'tokens.txt']],
  ])('rejects %s with %j as a model', (folder, files) => {
    expect(sherpaModel(folder, files)).toBeNull();
  });
});

describe('wordsFromResult', () => {
  const texts = (result: Parameters<typeof wordsFromResult>[0]) =>
    wordsFromResult(result, 0, 10_000).map(({ text }) => text);

  it('joins tokens to words with times and mean probability, and writes all-capital text in lower case', () => {
    const result = {
      text: 'HELLO WORLD',
      tokens: ['▁HE', 'LLO', '▁WORLD'],
      timestamps: [0.5, 0.7, 1.5],
      ys_log_probs: [0, Math.log(0.25), 0],
    };
    expect(wordsFromResult(result, 1000, 5000)).toEqual([
      { text: 'hello', start_ms: 1500, end_ms: 2500, confidence: 0.5 },
      { text: 'world', start_ms: 2500, end_ms: 2900, confidence: 1 },
    ]);
  });

  it('ends a word before the pause after it', () => {
    const result = { text: 'a b', tokens: [' a', ' b'], timestamps: [1, 3] };
    expect(wordsFromResult(result, 0, 5000)).toMatchObject([
      { end_ms: 1800 },
      { start_ms: 3000, end_ms: 3400 },
    ]);
  });

  it.each([
    ['keep the case and punctuation of the model', [' Hello', ',', ' Ann', '.'], ['Hello,', 'Ann.']],
    ['are single Han characters', ['你', '好', ' hello'], ['你', '好', 'hello']],
    ['are joined at "@@"', ['hel@@', 'lo'], ['hello']],
    ['leave out marks for noise', ['<|en|>', ' yes', '<|endoftext|>'], ['yes']],
  ])('words %s', (_, tokens, words) => {
    const timestamps = tokens.map((_token, at) => at / 5);
    expect(texts({ text: words.join(' '), tokens, timestamps })).toEqual(words);
  });

  it('distributes words over the chunk by their length if the model returns no times', () => {
    expect(wordsFromResult({ text: 'a bcd', tokens: [], timestamps: [] }, 1000, 5000)).toEqual([
      { text: 'a', start_ms: 1000, end_ms: 2000, confidence: Number.NaN },
      { text: 'bcd', start_ms: 2000, end_ms: 5000, confidence: Number.NaN },
    ]);
  });
});

describe('passages that Whisper reports', () => {
  it('limit the range over which their words are distributed', () => {
    const result = {
      text: 'a bcd e',
      segment_timestamps: [0.5, 2],
      segment_durations: [1, 5],
      segment_texts: [' a bcd', ' e'],
    };
    expect(wordsFromResult(result, 1000, 6000)).toMatchObject([
      { text: 'a', start_ms: 1500, end_ms: 1750 },
      { text: 'bcd', start_ms: 1750, end_ms: 2500 },
      { text: 'e', start_ms: 3000, end_ms: 6000 },
    ]);
  });
});

describe('assignSpeakers', () => {
  const word = (start_ms: number, end_ms: number) => ({ text: 'x', start_ms, end_ms, confidence: 1 });

  it('assigns each word the speaker who speaks longest during it, numbered in order of appearance', () => {
    const turns = [
      { start: 0, end: 1.4, speaker: 7 },
      { start: 1.4, end: 3, speaker: 0 },
    ];
    const words = [word(10_000, 11_000), word(11_200, 12_000), word(20_000, 21_000)];
    expect(assignSpeakers(words, turns, 10_000).map(({ speaker }) => speaker)).toEqual([
      'Speaker 1',
      'Speaker 2',
      undefined,
    ]);
  });
});

it('reads samples as numbers from -1 to 1', () => {
  expect([...floatSamples(Uint8Array.of(0, 0x80, 0, 0, 0, 0x40))]).toEqual([-1, 0, 0.5]);
});
