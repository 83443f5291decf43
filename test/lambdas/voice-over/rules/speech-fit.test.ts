import fc, { array, asyncProperty, constantFrom, double, integer, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Displaced,
  type DubPiece,
  type Timeline,
  timelineOf,
} from '../../../../lambdas/voice-over/actions/dub-timeline.ts';
import {
  fitSlot,
  MOST_ATTEMPTS,
  MOST_LATE_MS,
  MOST_RATE,
  MOST_TEMPO,
  nextRate,
  tempoFor,
} from '../../../../lambdas/voice-over/rules/speech-fit.ts';

/** An engine that follows a rate only approximately, because it does not shorten some sounds. */
const engines = record({
  natural_ms: integer({ min: 80, max: 20_000 }),
  obedience: double({ min: 0.85, max: 1.05, noNaN: true }),
});
const slots = record({ slot_ms: integer({ min: 1, max: 15_000 }), room_ms: integer({ min: 0, max: 4000 }) });

type Engine = { natural_ms: number; obedience: number };
type Slot = { slot_ms: number; room_ms: number };
const forAnySlot = (check: (engine: Engine, slot: Slot) => void) =>
  fc.assert(property(engines, slots, check), { numRuns: 2000 });

function fittedBy({ natural_ms, obedience }: Engine, slot: Slot) {
  const spokenAt = (rate: number) => natural_ms / (1 + (rate - 1) * obedience);
  let [rate, attempts] = [1, 1];
  for (; attempts < MOST_ATTEMPTS; attempts++) {
    const next = nextRate(spokenAt(rate), rate, slot);
    if (next === null) break;
    expect(next).toBeGreaterThan(rate);
    rate = next;
  }
  const tempo = tempoFor(spokenAt(rate), slot);
  const spoken_ms = Math.ceil(spokenAt(rate) / tempo);
  return { rate, tempo, attempts, spoken_ms, ...fitSlot(spoken_ms, slot) };
}

/** Speech is in time if it ends at most this long after its slot. */
const TOLERANCE_MS = 50;

describe('fitting of speech', () => {
  it('uses a rate of at most 1.5, a speed-up of at most 15 percent, and at most three requests', () => {
    forAnySlot((engine, slot) => {
      const { rate, tempo, attempts } = fittedBy(engine, slot);
      expect(rate).toBeLessThanOrEqual(MOST_RATE);
      expect(tempo).toBeLessThanOrEqual(MOST_TEMPO);
      expect(attempts).toBeLessThanOrEqual(MOST_ATTEMPTS);
    });
  });

  it('ends the speech with its segment, or reports the overflow after all attempts', () => {
    forAnySlot((engine, slot) => {
      const { rate, tempo, spoken_ms, borrowed_ms, overflow_ms, drift_ms } = fittedBy(engine, slot);
      expect(drift_ms).toBe(Math.max(0, spoken_ms - slot.slot_ms));
      expect(borrowed_ms + overflow_ms).toBe(drift_ms);
      expect(borrowed_ms).toBeLessThanOrEqual(slot.room_ms);
      if (overflow_ms > 0) expect(borrowed_ms).toBe(slot.room_ms);
      if (drift_ms > TOLERANCE_MS) expect([rate, tempo]).toEqual([MOST_RATE, MOST_TEMPO]);
    });
  });

  it('does not change speech that fits, and changes only the tempo of slightly longer speech', () => {
    expect(nextRate(2000, 1, { slot_ms: 2000, room_ms: 0 })).toBeNull();
    expect(tempoFor(1999, { slot_ms: 2000, room_ms: 0 })).toBe(1);
    expect(nextRate(2060, 1, { slot_ms: 2000, room_ms: 0 })).toBeNull();
    expect(nextRate(2400, 1, { slot_ms: 2000, room_ms: 5000 })).toBeCloseTo(1.224, 3);
  });
});

/**
 * Pieces in order. Their slots do not overlap, but some pieces overflow. The sound is loud throughout, so that the test
 * hears all of it.
 */
const talks = array(
  record({
    pause_ms: constantFrom(0, 0, 40, 600, 3000),
    slot_ms: integer({ min: 100, max: 1500 }),
    spoken_ms: integer({ min: 1, max: 4500 }),
  }),
  { minLength: 1, maxLength: 12 },
);

function piecesOf(talk: readonly { pause_ms: number; slot_ms: number; spoken_ms: number }[]) {
  let at = 0;
  return talk.map(({ pause_ms, slot_ms, spoken_ms }, i) => {
    const start_ms = at + pause_ms;
    at = start_ms + slot_ms;
    const room_ms = talk[i + 1]?.pause_ms ?? 0;
    const samples = new Int16Array(Math.max(slot_ms, spoken_ms) * 48);
    samples.fill(100 + i, 0, spoken_ms * 48);
    return { start_ms, spoken_ms, slot_ms, samples, overflow_ms: Math.max(0, spoken_ms - slot_ms - room_ms) };
  });
}

/** The speech and the gain of the original: one value for each millisecond. */
async function timeline(pieces: readonly DubPiece[], more: Partial<Timeline> & { duration_ms: number }) {
  const displaced: Displaced[] = [];
  const [speech, factors]: number[][] = [[], []];
  let frames = 0;
  const dub = { pieces, mute_original_voice: true, speech_spans: [], ...more };
  for await (const block of timelineOf(dub, displaced)) {
    const samples = new Int16Array(block.buffer);
    for (let at = 0; at < samples.length; at += 2, frames++) {
      if (frames % 48 !== 24) continue;
      speech!.push(samples[at]!);
      factors!.push(samples[at + 1]! / 32_767);
    }
  }
  return { speech: speech!, factors: factors!, displaced, frames };
}

const loud = (ms: number) => new Int16Array(48 * ms).fill(1000);

describe('the timeline of a dubbed track', () => {
  it('has no overlap and no early speech; delays and cuts are limited and reported', async () => {
    await fc.assert(
      asyncProperty(talks, async (talk) => {
        const pieces = piecesOf(talk);
        const last = pieces.at(-1)!;
        const duration_ms = last.start_ms + last.slot_ms;
        const { speech, displaced, frames } = await timeline(pieces, { duration_ms });
        expect(frames).toBe(duration_ms * 48);
        // Each piece has a unique value, so two pieces at once would add up to a different value.
        const expected = new Array<number>(duration_ms).fill(0);
        for (const [i, { start_ms, spoken_ms }] of pieces.entries()) {
          const { late_ms = 0, cut_ms = 0 } = displaced.find((one) => one.start_ms === start_ms) ?? {};
          expect(late_ms).toBeLessThanOrEqual(MOST_LATE_MS);
          const from = start_ms + late_ms;
          expected.fill(100 + i, from, Math.max(from, Math.min(duration_ms, from + spoken_ms - cut_ms)));
        }
        const faded = (at: number) =>
          speech[at]! < expected[at]! && displaced.some(({ cut_ms }) => cut_ms > 0);
        expect(speech.findIndex((value, at) => value !== expected[at] && !faded(at))).toBe(-1);
      }),
      { numRuns: 40 },
    );
  });

  it('waits for a piece that overflows, and cuts it if the next would wait too long', async () => {
    const pieces = [
      { start_ms: 0, samples: loud(1800), overflow_ms: 800 },
      { start_ms: 1000, samples: loud(500), overflow_ms: 0 },
      { start_ms: 3000, samples: loud(4000), overflow_ms: 3000 },
      { start_ms: 4000, samples: loud(500), overflow_ms: 0 },
      { start_ms: 9500, samples: loud(1500), overflow_ms: 1000 },
    ];
    const { displaced } = await timeline(pieces, { duration_ms: 10_000 });
    expect(displaced).toEqual([
      { nth: 1, start_ms: 1000, late_ms: 800, cut_ms: 0 },
      { nth: 2, start_ms: 3000, late_ms: 0, cut_ms: 1500 },
      { nth: 3, start_ms: 4000, late_ms: 1500, cut_ms: 0 },
      { nth: 4, start_ms: 9500, late_ms: 0, cut_ms: 1000 },
    ]);
  });

  it('reports which of two pieces with the same start is cut', async () => {
    const pieces = [
      { start_ms: 1000, samples: loud(500) },
      { start_ms: 1000, samples: loud(4000), overflow_ms: 3000 },
      { start_ms: 2000, samples: loud(500) },
    ];
    const { displaced } = await timeline(pieces, { duration_ms: 10_000 });
    expect(displaced.map(({ nth, cut_ms }) => [nth, cut_ms])).toEqual([
      [1, 1500],
      [2, 0],
    ]);
  });

  it('lets two speakers overlap if they overlap in the original', async () => {
    const pieces = [
      { start_ms: 0, samples: loud(1000) },
      { start_ms: 400, samples: new Int16Array(24_000).fill(500) },
    ];
    const { speech, displaced } = await timeline(pieces, { duration_ms: 2000 });
    expect(displaced).toEqual([]);
    expect([speech[200], speech[600], speech[950]]).toEqual([1000, 1500, 1000]);
  });

  it.each([
    [true, 0],
    [false, 10 ** (-15 / 20)],
  ])(
    'mutes (%s) or softens the original while either of them speaks, with soft transitions',
    async (mute_original_voice, floor) => {
      const pieces = [{ start_ms: 4000, samples: loud(1000) }];
      const speech_spans = [{ start_ms: 1000, end_ms: 2000 }];
      const { factors } = await timeline(pieces, { duration_ms: 8000, mute_original_voice, speech_spans });
      expect(factors[500]).toBeCloseTo(1, 3);
      for (const at of [1000, 1500, 1999, 4000, 4999]) expect(factors[at]).toBeCloseTo(floor, 3);
      expect(factors[3000]).toBeCloseTo(1, 3);
      const steps = factors.slice(1).map((factor, at) => Math.abs(factor - factors[at]!));
      expect(Math.max(...steps)).toBeLessThan(0.02);
    },
  );

  it('also mutes short pauses between sentences, also at the end of a block', async () => {
    const speech_spans = [
      { start_ms: 100, end_ms: 800 },
      { start_ms: 1450, end_ms: 1700 },
      { start_ms: 2500, end_ms: 2600 },
    ];
    const { factors } = await timeline([], { duration_ms: 4000, speech_spans });
    expect(Math.max(...factors.slice(200, 1690))).toBe(0);
    expect(Math.max(...factors.slice(1700, 2500))).toBeCloseTo(1, 3);
  });
});
