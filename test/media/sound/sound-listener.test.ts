import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createSoundListener, type Heard } from '../../../media/sound/sound-listener.ts';
import type { Interval } from '../../../shared/sound.ts';
import { outcomeOf } from '../../support/outcome.ts';
import { seeded } from '../../support/talk/random.ts';
import { makeTalk } from '../../support/talk.ts';

const RATE = 16_000;
const folder = mkdtempSync(join(tmpdir(), 'kinora-sound-'));
afterAll(() => rmSync(folder, { recursive: true }));

function heardIn(samples: Int16Array, chunks: readonly number[] = [samples.length]): Heard {
  const listener = createSoundListener();
  let at = 0;
  for (const length of chunks) {
    listener.push(samples.subarray(at, at + length));
    at += length;
  }
  listener.push(samples.subarray(at));
  return outcomeOf(listener.end());
}

const shared = (one: Interval, other: Interval) =>
  Math.max(0, Math.min(one.end_ms, other.end_ms) - Math.max(one.start_ms, other.start_ms));
const within = (one: Interval, others: readonly Interval[]) =>
  others.reduce((sum, other) => sum + shared(one, other), 0);
const lengthOf = ({ start_ms, end_ms }: Interval) => end_ms - start_ms;

/** Bursts of noise and tones between pauses, at any level. None of them is speech. */
const anySound = fc
  .array(
    fc.record({
      seconds: fc.double({ min: 0.01, max: 4, noNaN: true }),
      level: fc.constantFrom(0, 3, 300, 30_000),
      hz: fc.constantFrom(0, 100, 440, 3000),
    }),
    { maxLength: 8 },
  )
  .map((stretches) => {
    const random = seeded(7);
    return Int16Array.from(
      stretches.flatMap(({ seconds, level, hz }) =>
        Array.from({ length: Math.round(seconds * RATE) }, (_, i) =>
          Math.round(level * (hz === 0 ? random.between(-1, 1) : Math.sin((2 * Math.PI * hz * i) / RATE))),
        ),
      ),
    );
  });

describe('the result of the sound analysis', () => {
  it('covers the whole audio in order, without gap or overlap', () => {
    fc.assert(
      fc.property(anySound, (samples) => {
        const { duration_ms, sounds } = heardIn(samples);
        expect(duration_ms).toBe(Math.floor(samples.length / 16));
        expect([sounds[0]?.start_ms ?? 0, sounds.at(-1)?.end_ms ?? 0]).toEqual([0, duration_ms]);
        for (const [i, sound] of sounds.entries()) {
          expect(lengthOf(sound)).toBeGreaterThan(0);
          if (i > 0) expect(sound.start_ms).toBe(sounds[i - 1]!.end_ms);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('has utterances of at most 20 s, in order and only within speech', () => {
    fc.assert(
      fc.property(anySound, (samples) => {
        const { sounds, utterances } = heardIn(samples);
        const speech = sounds.filter(({ kind }) => kind === 'speech');
        for (const [i, utterance] of utterances.entries()) {
          expect(lengthOf(utterance)).toBeLessThanOrEqual(20_000);
          expect(utterance.start_ms).toBeGreaterThanOrEqual(utterances[i - 1]?.end_ms ?? 0);
          expect(within(utterance, speech)).toBe(lengthOf(utterance));
        }
      }),
      { numRuns: 25 },
    );
  });

  it('does not depend on the length of the chunks', () => {
    const chunks = fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 20 });
    fc.assert(
      fc.property(anySound, chunks, (samples, lengths) => {
        expect(heardIn(samples, lengths)).toEqual(heardIn(samples));
      }),
      { numRuns: 15 },
    );
  });

  it('is silence for an empty signal', () => {
    const { sounds, utterances } = heardIn(new Int16Array(5 * RATE));
    expect(sounds).toEqual([{ start_ms: 0, end_ms: 5000, kind: 'silence', level_db: -100 }]);
    expect(utterances).toEqual([]);
  });
});

describe('a talk with interludes of music and noise', () => {
  it('has all of its speech, and no utterance in music, noise and silence', async () => {
    const talk = await makeTalk({ minutes: 2, seed: 21, dir: folder });
    const samples = new Int16Array(Uint8Array.from(readFileSync(talk.file).subarray(44)).buffer);
    const { utterances } = heardIn(samples);
    const said = talk.sentences.reduce((sum, sentence) => sum + lengthOf(sentence), 0);
    const kept = talk.sentences.reduce((sum, sentence) => sum + within(sentence, utterances), 0);
    expect(kept / said).toBeGreaterThan(0.97);
    expect(talk.stretches.length).toBeGreaterThan(0);
    // Utterances include a quarter of a second of the surrounding sound.
    for (const stretch of talk.stretches) expect(within(stretch, utterances)).toBeLessThanOrEqual(500);
  });
});
