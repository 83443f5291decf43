import { beforeAll, describe, expect, it } from 'vitest';
import { espeak } from '../../../../engines/speech/espeak.ts';
import type { SpeechEngine, SpeechRequest } from '../../../../engines/speech/port.ts';
import { fittedSpeech } from '../../../../lambdas/voice-over/actions/fit-speech.ts';
import { measureSpeechLoudness } from '../../../../media/sound/speech-loudness.ts';
import { peakOf } from '../../../../media/sound/trim-speech.ts';
import { hasEspeak } from '../../../engines/speech/espeak-installed.ts';
import { tools } from '../../../fixtures/media.ts';

const text = 'Las primeras líneas están listas en unos minutos, y puedes cambiarlas cuando quieras.';
const spanish = { language: 'es', voice: 'f2' };

describe.skipIf(!hasEspeak())('speech that must fit into the time of a segment', () => {
  let engine: SpeechEngine;
  const asked: SpeechRequest[] = [];
  beforeAll(async () => {
    const real = await espeak.make({ settings: { ESPEAK_PATH: 'espeak-ng' } });
    engine = {
      ...real,
      speak: (words, request) => {
        asked.push(request);
        return real.speak(words, request);
      },
    };
  });
  const fitted = async (slot_ms: number, room_ms = 0, said = text) => {
    asked.length = 0;
    return await fittedSpeech({ text: said, slot_ms, room_ms }, spanish, { engine, tools });
  };

  it('is spoken once, at the natural rate of the voice, and followed by silence if there is time', async () => {
    const { samples, report } = await fitted(9000);
    expect(report).toMatchObject({ rate: 1, tempo: 1, borrowed_ms: 0, overflow_ms: 0, drift_ms: 0 });
    expect(asked).toHaveLength(1);
    expect(samples).toHaveLength(9000 * 48);
    expect(samples.findLastIndex((sample) => sample !== 0) / 48).toBeLessThanOrEqual(report.spoken_ms);
    expect(samples.findIndex((sample) => Math.abs(sample) > 300) / 48).toBeLessThan(60);
  });

  it.each([1.05, 1.2, 1.35, 1.5, 1.6])(
    'ends with its segment, within 50 ms, if %d times the speed is enough',
    async (factor) => {
      const natural_ms = (await fitted(20_000)).report.spoken_ms;
      const slot_ms = Math.round(natural_ms / factor);
      const { samples, report } = await fitted(slot_ms);
      expect(asked.length).toBeLessThanOrEqual(2);
      expect(report.drift_ms).toBeLessThanOrEqual(50);
      expect(report.spoken_ms).toBeGreaterThan(0.85 * slot_ms);
      expect(samples.length / 48).toBeLessThanOrEqual(slot_ms + 50);
      expect(report.characters).toBe(asked.length * text.length);
    },
  );

  it('uses the silence after the segment, and reports the overflow without cutting it', async () => {
    const { samples, report } = await fitted(1500, 400);
    expect(report).toMatchObject({ rate: 1.5, tempo: 1.15, borrowed_ms: 400 });
    expect(report.overflow_ms).toBe(report.spoken_ms - 1900);
    expect(report.drift_ms).toBe(report.spoken_ms - 1500);
    expect(Math.ceil(samples.length / 48)).toBe(report.spoken_ms);
  });

  it('is equally loud in every voice, without clipping', async () => {
    for (const { id } of engine.voices('es')) {
      const piece = { text: 'Hola a todos, y buenos días.', slot_ms: 2000, room_ms: 0 };
      const { samples, report } = await fittedSpeech(piece, { language: 'es', voice: id }, { engine, tools });
      const heard = samples.subarray(0, report.spoken_ms * 48);
      expect(Math.abs(measureSpeechLoudness(heard)! + 23), id).toBeLessThan(0.5);
      expect(peakOf(samples), id).toBeLessThanOrEqual(29_204);
    }
  });

  it('is the same if it is spoken again', async () => {
    expect((await fitted(3500, 100)).samples).toEqual((await fitted(3500, 100)).samples);
  });

  it('is silence for a text without words, without a request to an engine', async () => {
    const { samples, report } = await fitted(1000, 0, '… 👋 —');
    expect(asked).toEqual([]);
    expect(samples).toEqual(new Int16Array(48_000));
    expect(report).toMatchObject({ rate: 1, tempo: 1, spoken_ms: 0, drift_ms: 0, characters: 0 });
  });
});
