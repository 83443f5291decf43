import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc, { array, integer, property } from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { findTurns } from '../../../media/sound/find-turns.ts';
import { createVoiceListener, type VoiceShapes } from '../../../media/sound/voice-shapes.ts';
import type { Interval, Turn } from '../../../shared/sound.ts';
import { outcomeOf } from '../../support/outcome.ts';
import type { Voice } from '../../support/talk/voices.ts';
import { makeTalk, type SpokenSentence } from '../../support/talk.ts';
import { speakerError } from '../../support/talk-scores.ts';

const dir = mkdtempSync(join(tmpdir(), 'kinora-voices-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const turnsHeard = (facts: VoiceShapes, utterances: readonly Interval[]): Turn[] =>
  outcomeOf(findTurns(facts, utterances));

function listen(samples: Int16Array, chunk = 16_000): VoiceShapes {
  const listener = createVoiceListener();
  for (let at = 0; at < samples.length; at += chunk) listener.push(samples.subarray(at, at + chunk));
  return listener.end();
}

async function talkOf(voices: readonly Voice[], minutes: number, seed: number) {
  const { file, sentences } = await makeTalk({ minutes, seed, dir, voices });
  const pcm = new Uint8Array(readFileSync(file).subarray(44));
  const samples = new Int16Array(pcm.buffer, 0, pcm.length >> 1);
  return { sentences, utterances: utterancesOf(sentences), samples, facts: listen(samples) };
}

/** Joins sentences less than a second apart to utterances of at most 20 s, regardless of the speaker. */
function utterancesOf(sentences: readonly SpokenSentence[]): Interval[] {
  const utterances: Interval[] = [];
  for (const { start_ms, end_ms } of sentences) {
    const last = utterances.at(-1);
    const isNear = last && start_ms - last.end_ms < 1_000 && end_ms - last.start_ms < 20_000;
    if (isNear) last.end_ms = end_ms;
    else utterances.push({ start_ms, end_ms });
  }
  return utterances;
}

const shared = (one: Interval, other: Interval) =>
  Math.max(0, Math.min(one.end_ms, other.end_ms) - Math.max(one.start_ms, other.start_ms));

const errorOf = (sentences: readonly SpokenSentence[], turns: readonly Turn[]) =>
  speakerError(
    { sentences: [...sentences] },
    turns.map(({ voice, ...turn }) => ({ ...turn, speaker: `${voice}` })),
  );

const numbersOf = (turns: readonly Turn[]) => [...new Set(turns.map(({ voice }) => voice))];

const three = await talkOf(['slt', 'rms', 'kal16'], 1.5, 11);
const one = await talkOf(['rms'], 0.75, 12);

describe('voices', () => {
  it('are distinguished in the right number, with an error of at most 20 % of the speech', () => {
    const turns = turnsHeard(three.facts, three.utterances);
    expect(errorOf(three.sentences, turns)).toBeLessThanOrEqual(0.2);
    expect(numbersOf(turns)).toEqual([1, 2, 3]);
  });

  it('are distinguished for two men', () => {
    const men = three.sentences.filter(({ voice }) => voice !== 'slt');
    const turns = turnsHeard(three.facts, utterancesOf(men));
    expect(errorOf(men, turns)).toBeLessThanOrEqual(0.2);
    expect(numbersOf(turns)).toEqual([1, 2]);
  });

  it('are a single voice for one speaker, even if the level changes', () => {
    expect(numbersOf(turnsHeard(one.facts, one.utterances))).toEqual([1]);
    const half = one.samples.length / 2;
    const fading = one.samples.map((sample, i) => (i < half ? sample : Math.round(sample / 4)));
    expect(numbersOf(turnsHeard(listen(fading), one.utterances))).toEqual([1]);
  });

  it('are distinguished within an utterance without pauses', () => {
    const [first, second] = ['slt', 'kal16'].map((name) => {
      const own = three.sentences.filter(({ voice }) => voice === name);
      return own.flatMap(({ start_ms, end_ms }) => [...three.samples.subarray(start_ms * 16, end_ms * 16)]);
    });
    const half = 16 * 10_000;
    const samples = Int16Array.from([...first!.slice(0, half), ...second!.slice(0, half)]);
    const turns = turnsHeard(listen(samples), [{ start_ms: 0, end_ms: 20_000 }]);
    expect(turns.map(({ voice }) => voice)).toEqual([1, 2]);
    expect(Math.abs(turns[0]!.end_ms - 10_000)).toBeLessThan(500);
  });

  it('cover each utterance in order, without gap or overlap, in whole milliseconds', () => {
    const lengths = array(integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      property(lengths, integer({ min: 0, max: 60_000 }), (cuts, from) => {
        let at = from;
        const utterances = cuts.map((length, i) => {
          at += length + (i % 3) * 100;
          return { start_ms: at - length, end_ms: at };
        });
        const turns = turnsHeard(three.facts, utterances);
        for (const { start_ms, end_ms } of utterances) {
          const within = turns.filter((turn) => shared(turn, { start_ms, end_ms }) > 0);
          expect(within[0]!.start_ms).toBe(start_ms);
          expect(within.at(-1)!.end_ms).toBe(end_ms);
          for (const [i, turn] of within.slice(1).entries()) expect(turn.start_ms).toBe(within[i]!.end_ms);
          if (within.length > 1)
            for (const turn of within) expect(shared(turn, turn)).toBeGreaterThanOrEqual(1_000);
        }
        for (const turn of turns) expect([turn.start_ms, turn.end_ms].every(Number.isInteger)).toBe(true);
        expect(numbersOf(turns)).toEqual(numbersOf(turns).map((_, i) => i + 1));
      }),
      { numRuns: 8 },
    );
  });

  it('do not depend on the length of the chunks, or on storing between steps', () => {
    const samples = three.samples.subarray(0, 16_000 * 3);
    const whole = Buffer.from(listen(samples));
    fc.assert(
      property(integer({ min: 1, max: 20_000 }), (chunk) => {
        expect(whole.equals(listen(samples, chunk))).toBe(true);
      }),
      { numRuns: 3 },
    );
    const restored = new Uint8Array(Buffer.from(Buffer.from(three.facts).toString('base64'), 'base64'));
    expect(turnsHeard(restored, three.utterances)).toEqual(turnsHeard(three.facts, three.utterances));
  });

  it('are at most one during silence', () => {
    const silence = listen(new Int16Array(16_000 * 8));
    expect(turnsHeard(silence, [])).toEqual([]);
    const utterances = [
      { start_ms: 0, end_ms: 7_000 },
      { start_ms: 7_990, end_ms: 8_000 },
      { start_ms: 60_000, end_ms: 61_000 },
    ];
    expect(turnsHeard(silence, utterances)).toEqual(
      utterances.map((utterance) => ({ ...utterance, voice: 1 })),
    );
  });
});
