import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planPieces, Silences } from '../../../engines/media/silence.ts';

const silence = (start_ms: number, end_ms: number) => ({ start_ms, end_ms });
const cuts = (duration_ms: number, silences: ReturnType<typeof silence>[], max_ms: number) =>
  planPieces(duration_ms, silences, { max_ms }).map(({ end_ms }) => end_ms);

describe('planPieces', () => {
  it('leaves audio in one piece that is short enough', () => {
    expect(planPieces(1000, [silence(400, 600)], { max_ms: 1000 })).toEqual([
      { index: 0, start_ms: 0, end_ms: 1000 },
    ]);
  });

  it('cuts in the middle of the last silence within reach', () => {
    const silences = [silence(600, 700), silence(800, 1000), silence(1700, 1800)];
    expect(cuts(2500, silences, 1000)).toEqual([900, 1750, 2500]);
  });

  it('cuts early, in the longest silence, where the second half has none', () => {
    expect(cuts(1150, [silence(100, 300), silence(20, 40)], 1000)).toEqual([200, 1150]);
  });

  it('cuts at full length where nobody pauses', () => {
    expect(cuts(2500, [], 1000)).toEqual([1000, 2000, 2500]);
  });

  it('makes no piece of nothing', () => {
    expect(planPieces(0, [], { max_ms: 1000 })).toEqual([]);
  });

  it('always covers everything in order, without gap, overlap or a piece that is too long', () => {
    const interval = fc.tuple(fc.nat(500_000), fc.nat(5000)).map(([at, length]) => silence(at, at + length));
    fc.assert(
      fc.property(
        fc.nat(500_000),
        fc.array(interval, { maxLength: 200 }),
        fc.integer({ min: 1000, max: 200_000 }),
        (duration, silences, max_ms) => {
          const pieces = planPieces(duration, silences, { max_ms });
          let covered = 0;
          pieces.forEach((piece, i) => {
            expect(piece).toMatchObject({ index: i, start_ms: covered });
            expect(piece.end_ms).toBeGreaterThan(piece.start_ms);
            expect(piece.end_ms - piece.start_ms).toBeLessThanOrEqual(max_ms);
            covered = piece.end_ms;
          });
          expect(covered).toBe(duration);
        },
      ),
    );
  });
});

describe('Silences', () => {
  const SECOND = 16_000;
  const loud = (samples: number) => new Int16Array(samples).fill(8000);
  const quiet = (samples: number) => new Int16Array(samples).fill(-500);
  const found = (...heard: Int16Array[]) => {
    const silences = new Silences();
    for (const samples of heard) silences.hear(samples);
    return silences.all();
  };

  it('finds pauses, however the samples arrive, also the one at the end', () => {
    const heard = [loud(SECOND), quiet(SECOND / 2), quiet(SECOND / 2), loud(SECOND), quiet(SECOND)];
    expect(found(...heard)).toEqual([silence(1000, 2000), silence(3000, 4000)]);
  });

  it('takes no stop within a word for a pause', () => {
    expect(found(loud(SECOND), quiet(SECOND / 4), loud(SECOND))).toEqual([]);
  });

  it('hears a sound of 35 dB below full scale as sound', () => {
    expect(found(new Int16Array(SECOND).fill(-583))).toEqual([]);
    expect(found(new Int16Array(SECOND).fill(-582))).toEqual([silence(0, 1000)]);
  });
});
