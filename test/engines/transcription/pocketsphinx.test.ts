import { mkdir, readdir, readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { settingsFor } from '../../../engines/selection.ts';
import { countEnglishWords, parseWords, pocketsphinx } from '../../../engines/transcription/pocketsphinx.ts';
import type { TranscriptionEngine } from '../../../engines/transcription/port.ts';
import { demoText, fixturePath } from '../../fixtures/media.ts';
import { forAny } from '../../support/for-any.ts';
import { wordErrorRate } from '../../support/talk-scores.ts';
import { finish, requestFor } from './conformance.ts';
import { hasPocketsphinx } from './pocketsphinx-installed.ts';
import { type Speech, speechOf, speechOfTheDemo } from './speech.ts';

const workDir = fixturePath('work');
const readObject = () => expect.fail('a recogniser on this machine reads no object');
const engineWith = (settings: Record<string, string> = {}): TranscriptionEngine =>
  pocketsphinx.make({
    settings: { ...settingsFor(pocketsphinx, {}), ...settings } as never,
    workDir,
    readObject,
    writeObject: readObject,
  });
const engine = engineWith();
let speech: Speech;

beforeAll(async () => {
  await mkdir(workDir, { recursive: true });
  speech = await speechOfTheDemo();
});

// Skipped if the optional packages pocketsphinx and pocketsphinx-en-us are not installed.
describe.skipIf(!hasPocketsphinx())('the installed PocketSphinx', () => {
  it('transcribes the start of the bundled video with a word error rate below 12 %, and tells English from Spanish', async () => {
    const hear = async ({ duration_ms, ...heard }: Speech) => {
      const request = requestFor({ ...heard, language: 'en' }, { language: null });
      const { words, assumed } = await finish(
        engine,
        { index: 0, start_ms: 0, end_ms: duration_ms },
        request,
      );
      return { text: words.map(({ text }) => text).join(' '), fitting: assumed!.fitting / assumed!.words };
    };
    const english = await hear(await speechOfTheDemo(15_000));
    expect(english.fitting).toBeGreaterThan(0.75);
    const said = (await readFile(demoText, 'utf8')).split(/\s+/).slice(0, english.text.split(' ').length);
    expect(wordErrorRate(said.join(' '), english.text)).toBeLessThan(0.12);
    // Four Spanish sentences that espeak-ng speaks.
    expect((await hear(await speechOf('test/fixtures/spanish.ogg'))).fitting).toBeLessThan(0.5);
  });

  it('returns no words for silence', async () => {
    const silence = { samples: new Uint8Array(2000 * 32), language: 'en' };
    const { words } = await finish(engine, { index: 0, start_ms: 0, end_ms: 2000 }, requestFor(silence));
    expect(words).toEqual([]);
  });

  it('deletes its temporary files', async () => {
    const piece = { index: 0, start_ms: 0, end_ms: 500 };
    const utterances = [{ start_ms: 0, end_ms: 500 }];
    await finish(engine, piece, requestFor({ ...speech, utterances, language: 'en' }));
    expect(await readdir(workDir)).toEqual([]);
  });

  it('names the install command if the program is missing', async () => {
    await expectInstallHint(engineWith({ POCKETSPHINX_PATH: '/nowhere/pocketsphinx' }));
  });
});

it('names the install command if the model is missing', async () => {
  await expectInstallHint(engineWith({ POCKETSPHINX_MODEL_DIR: '/nowhere' }));
});

async function expectInstallHint(broken: typeof engine) {
  const piece = { index: 0, start_ms: 0, end_ms: 500 };
  await expect(broken.transcribe(piece, requestFor({ ...speech, language: 'en' }))).rejects.toMatchObject({
    name: 'engine_unavailable',
    detail: expect.stringContaining('apt-get install pocketsphinx pocketsphinx-en-us'),
  });
}

describe('the plan of PocketSphinx', () => {
  it('has pieces of at most 40 s of speech, regardless of pauses', async () => {
    const utterances = [0, 20_000, 700_000, 720_000].map((at) => ({ start_ms: at, end_ms: at + 18_000 }));
    const pieces = await engine.plan({ duration_ms: 800_000, utterances });
    expect(pieces.map(({ start_ms, end_ms }) => [start_ms, end_ms])).toEqual([
      [0, 369_000],
      [369_000, 800_000],
    ]);
  });
});

describe('countEnglishWords', () => {
  it('counts all words, and separately those with low cost, without silence and noise', () => {
    const written = [
      '0 S 0 T -9 A -8 L -1 0 -1609728 0 <s> 66 -5129216 -290 what(2) 152 -1349632 -524288 <sil> 190 -1349632 -169 </s> 239',
      '1 S 0 T -9 A -8 L -1 0 -171008 0 <s> 24 -1479680 -394 people 63 -564224 -136 are 73 -1 0 ++UH++ 80 -1 0 </s> 90',
      '',
    ];
    expect(countEnglishWords(written.join('\n'))).toEqual({ words: 3, fitting: 1 });
    expect(countEnglishWords('')).toEqual({ words: 0, fitting: 0 });
  });
});

describe('parseWords', () => {
  const utterances = [
    { start_ms: 0, end_ms: 4000 },
    { start_ms: 120_000, end_ms: 121_000 },
  ];

  it('reads words with confidence and times from the start of the audio, including their last frame', () => {
    const written = ['0 1 1.73 0.36 some 0.992', "0 1 2.10 0.12 don't 1.003", '1 1 0.03 0.08 yes 0.466', ''];
    expect(parseWords(written.join('\n'), utterances)).toEqual([
      [
        { text: 'some', start_ms: 1730, end_ms: 2100, confidence: 0.992 },
        { text: "don't", start_ms: 2100, end_ms: 2230, confidence: 1 },
      ],
      [{ text: 'yes', start_ms: 120_030, end_ms: 120_120, confidence: 0.466 }],
    ]);
  });

  it.each([
    ['after its utterance', '1 1 51.88 0.20 yes 0.5'],
    ['that continues after its utterance', '1 1 0.90 0.20 yes 0.5'],
    ['before it', '1 1 -0.10 0.20 yes 0.5'],
    ['that ends before it begins', '1 1 0.50 -0.20 yes 0.5'],
    ['that has no number as its length', '1 1 nan 0.20 yes 0.5'],
  ])('rejects a word %s instead of moving it', (_, line) => {
    expect(() => parseWords(line, utterances)).toThrow(expect.objectContaining({ code: 'internal_error' }));
  });

  it('reads any written words', () => {
    const frames = (from: number, to: number) => fc.integer({ min: from, max: to });
    const word = fc.record({
      text: fc.stringMatching(/^[a-z][a-z'.-]{0,12}$/),
      start: frames(0, 1000),
      length: frames(3, 200),
      confidence: fc.integer({ min: 0, max: 1000 }),
    });
    const utterance = { start_ms: 7000, end_ms: 27_000 };
    forAny([fc.array(word)], (words) => {
      const lines = words.map(
        ({ text, start, length, confidence }) =>
          `0 1 ${(start / 100).toFixed(2)} ${((length - 1) / 100).toFixed(2)} ${text} ${(confidence / 1000).toFixed(3)}`,
      );
      const expected = words.map(({ text, start, length, confidence }) => ({
        text,
        start_ms: 7000 + 10 * start,
        end_ms: 7000 + 10 * (start + length),
        confidence: confidence / 1000,
      }));
      expect(parseWords(lines.join('\n'), [utterance])).toEqual([expected]);
    });
  });
});
