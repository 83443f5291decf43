/** The conformance suite for speech engines. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { EngineDeclaration } from '../../../engines/engine.ts';
import type { Speech, SpeechEngine } from '../../../engines/speech/port.ts';
import { trimSpeech } from '../../../media/sound/trim-speech.ts';

const sentence = 'La casa roja está cerca del mar, y nadie vive en ella.';

/** Texts with markup, commands, and characters that engines may not know. */
const hostile = [
  '<b>uno</b> & "dos" \'tres\' </prosody></speak>',
  '--version',
  '-v es uno',
  '[[h@l@U]] {ssml} $(ls) `ls` |uno|',
  'a\u0301rbol y n\u0303andu\u0301',
  'uno 👩‍👩‍👧 dos 🇪🇸 tres',
  '12.345,67 € el 3/4/2026',
  'uno\u0000 dos \ud800 tres',
];

/** @param skip the reason for a skip, or null */
export function describeConformance(
  declared: EngineDeclaration,
  setUp: () => Promise<SpeechEngine>,
  skip: string | null = null,
): void {
  const title = `${declared.name} as an engine for speech${skip === null ? '' : ` (skipped: ${skip})`}`;
  describe.skipIf(skip !== null)(title, () => {
    let engine: SpeechEngine;
    beforeAll(async () => {
      engine = await setUp();
    });
    const speak = (text: string, more: object = {}) =>
      engine.speak(text, { language: 'es', voice: engine.voices('es')[0]!.id, rate: 1, ...more });

    it('has uniquely named voices for each declared language, and none for others', () => {
      for (const language of declared.languages === 'any' ? ['es'] : declared.languages) {
        const ids = engine.voices(language).map(({ id }) => id);
        expect(ids.length, language).toBeGreaterThan(0);
        expect(new Set(ids).size).toBe(ids.length);
      }
      expect(engine.voices('tlh')).toEqual([]);
    });

    it('has female and male Spanish voices with different pitches', () => {
      const pitchOf = (gender: string) =>
        engine.voices('es-MX').flatMap((voice) => (voice.gender === gender ? voice.pitch_hz : []));
      expect(Math.max(...pitchOf('male'))).toBeLessThan(Math.min(...pitchOf('female')));
    });

    it('speaks, and returns the number of characters', async () => {
      const { characters, ...speech } = await speak(sentence);
      expect(msOf(speech)).toBeGreaterThan(2000);
      expect(msOf(speech)).toBeLessThan(6000);
      expect(characters).toBe(sentence.length);
    });

    it('returns the same samples for the same request', async () => {
      expect((await speak(sentence)).samples).toEqual((await speak(sentence)).samples);
    });

    it.each([1.2, 1.5])('speaks %d times as fast if requested', async (rate) => {
      const gain = msOf(await speak(sentence)) / msOf(await speak(sentence, { rate }));
      expect(gain / rate).toBeGreaterThan(0.9);
      expect(gain / rate).toBeLessThan(1.05);
    });

    it.each(hostile)('reads %j as plain text', async (text) => {
      expect(msOf(await speak(text))).toBeGreaterThan(300);
    });

    it('speaks a text of 4,000 characters completely', async () => {
      const text = 'uno dos tres cuatro. ';
      const often = msOf(await speak(text.repeat(200))) / msOf(await speak(text.repeat(10)));
      expect(often).toBeGreaterThan(18);
      expect(often).toBeLessThan(22);
    });

    it('returns silence for a text without words', async () => {
      for (const text of ['', ' … ', '👩‍👩‍👧', '-']) expect(msOf(await speak(text)), text).toBeLessThan(50);
    });

    it('rejects a language that it does not declare', async () => {
      await expect(speak('hi', { language: 'tlh' })).rejects.toMatchObject({
        code: 'language_unsupported',
        detail: expect.stringContaining('"tlh"'),
      });
    });

    it('throws the reason of the signal if it is aborted', async () => {
      const canceled = new Error('canceled');
      await expect(speak(sentence, { signal: AbortSignal.abort(canceled) })).rejects.toBe(canceled);
    });
  });
}

/** The length of the sound without silence at both ends. */
const msOf = ({ samples, sample_rate }: Pick<Speech, 'samples' | 'sample_rate'>) =>
  (trimSpeech(samples, sample_rate).length * 1000) / sample_rate;
