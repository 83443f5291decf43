import { mkdir, readdir, readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { settingsFor } from '../../../engines/selection.ts';
import { parseWords, pocketsphinx } from '../../../engines/transcription/pocketsphinx.ts';
import type { TranscriptionEngine } from '../../../engines/transcription/port.ts';
import { demoText, fixturePath } from '../../fixtures/media.ts';
import { wordErrorRate } from '../../support/wer.ts';
import { finish, requestFor } from './conformance.ts';
import { hasPocketsphinx } from './pocketsphinx-installed.ts';
import { type Speech, speechOfTheDemo } from './speech.ts';

const workDir = fixturePath('work');
const readObject = () => expect.fail('a recogniser on this machine reads no object');
const engineWith = (settings: Record<string, string> = {}): TranscriptionEngine =>
  pocketsphinx.make({
    settings: { ...settingsFor(pocketsphinx, {}), ...settings } as never,
    workDir,
    readObject,
  });
const engine = engineWith();
let speech: Speech;

beforeAll(async () => {
  await mkdir(workDir, { recursive: true });
  speech = await speechOfTheDemo();
});

// Skipped where the optional packages pocketsphinx and pocketsphinx-en-us are not installed.
describe.skipIf(!hasPocketsphinx())('PocketSphinx, as installed', () => {
  it('understands the bundled video: fewer than 8 of 100 words are wrong', { timeout: 180_000 }, async () => {
    const piece = { index: 0, start_ms: 0, end_ms: speech.duration_ms };
    const { words } = await finish(engine, piece, requestFor({ ...speech, language: 'en' }));
    const heard = words.map(({ text }) => text).join(' ');
    expect(wordErrorRate(await readFile(demoText, 'utf8'), heard)).toBeLessThan(0.08);
  });

  it('hears nothing in silence', async () => {
    const silence = { samples: new Uint8Array(2000 * 32), language: 'en' };
    const { words } = await finish(engine, { index: 0, start_ms: 0, end_ms: 2000 }, requestFor(silence));
    expect(words).toEqual([]);
  });

  it('leaves no file behind', async () => {
    const piece = { index: 0, start_ms: 0, end_ms: 500 };
    await finish(engine, piece, requestFor({ ...speech, language: 'en' }));
    expect(await readdir(workDir)).toEqual([]);
  });

  it('names the command to install it where the program is missing', async () => {
    await expectInstallHint(engineWith({ POCKETSPHINX_PATH: '/nowhere/pocketsphinx' }));
  });
});

it('names the command to install it where the model is missing', async () => {
  await expectInstallHint(engineWith({ POCKETSPHINX_MODEL_DIR: '/nowhere' }));
});

async function expectInstallHint(broken: typeof engine) {
  const piece = { index: 0, start_ms: 0, end_ms: 500 };
  await expect(broken.transcribe(piece, requestFor({ ...speech, language: 'en' }))).rejects.toMatchObject({
    name: 'engine_unavailable',
    detail: expect.stringContaining('apt-get install pocketsphinx pocketsphinx-en-us'),
  });
}

it('cuts long audio at silences into pieces of at most two minutes', async () => {
  const silences = async () => [{ start_ms: 100_000, end_ms: 101_000 }];
  expect(await engine.plan({ duration_ms: 150_000, silences })).toEqual([
    { index: 0, start_ms: 0, end_ms: 100_500 },
    { index: 1, start_ms: 100_500, end_ms: 150_000 },
  ]);
});

describe('parseWords', () => {
  const printed = [
    'some are on a train',
    '<s> 11.620 11.720 0.999900',
    'some 11.730 12.100 0.991634',
    '<sil> 12.110 12.200 0.960977',
    'and(2) 12.210 12.450 1.000300',
    "don't 12.460 12.590 0.465851",
    '[NOISE] 12.600 12.700 0.5',
    '++UH++ 12.710 12.800 0.5',
    '</s> 12.810 12.900 1.000000',
    '',
  ].join('\n');

  it('reads words with times and confidence, without silences, noises and marks of pronunciation', () => {
    expect(parseWords(printed, 0)).toEqual([
      { text: 'some', start_ms: 11_730, end_ms: 12_100, confidence: 0.991634 },
      { text: 'and', start_ms: 12_210, end_ms: 12_450, confidence: 1 },
      { text: "don't", start_ms: 12_460, end_ms: 12_590, confidence: 0.465851 },
    ]);
  });

  it('adds where the piece begins', () => {
    expect(parseWords(printed, 120_000)[0]).toMatchObject({ start_ms: 131_730, end_ms: 132_100 });
  });

  it('reads back whatever words are printed', () => {
    const word = fc.record({
      text: fc.stringMatching(/^[a-z][a-z'.-]{0,12}$/),
      start_ms: fc.nat(10_000_000),
      length: fc.integer({ min: 1, max: 2000 }),
      confidence: fc.integer({ min: 0, max: 1000 }),
    });
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const lines = words.map(
          ({ text, start_ms, length, confidence }) =>
            `${text} ${(start_ms / 1000).toFixed(3)} ${((start_ms + length) / 1000).toFixed(3)} ${(confidence / 1000).toFixed(6)}`,
        );
        const expected = words.map(({ text, start_ms, length, confidence }) => ({
          text,
          start_ms,
          end_ms: start_ms + length,
          confidence: confidence / 1000,
        }));
        expect(parseWords(lines.join('\n'), 0)).toEqual(expected);
      }),
    );
  });
});
