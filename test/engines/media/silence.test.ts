import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSilences, planPieces } from '../../../engines/media/silence.ts';
import { builds, makeMedia } from '../../fixtures/media.ts';

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

describe.each(builds)('findSilences with $name', ({ tools }) => {
  it('finds pauses, also the one at the end', async () => {
    const loudUntil = "volume='if(between(t,1,2)+gt(t,3),0,1)':eval=frame";
    const file = await makeMedia('pauses.wav', ['-f', 'lavfi', '-i', 'sine=d=4:r=16000', '-af', loudUntil]);
    const silences = await findSilences(tools, file, 4000, { timeout_ms: 20_000 });
    const rounded = silences.map(({ start_ms, end_ms }) => [
      Math.round(start_ms / 100),
      Math.round(end_ms / 100),
    ]);
    expect(rounded).toEqual([
      [10, 20],
      [30, 40],
    ]);
  });
});
