import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PieceLimits, planPieces, utterancesIn } from '../../../engines/transcription/plan-pieces.ts';
import { forAny } from '../../support/for-any.ts';

const spoken = (start_ms: number, end_ms: number) => ({ start_ms, end_ms });
const cuts = (duration_ms: number, utterances: ReturnType<typeof spoken>[], limits: PieceLimits) =>
  planPieces({ duration_ms, utterances }, limits).map(({ end_ms }) => end_ms);

describe('planPieces', () => {
  it('keeps short audio in one piece', () => {
    expect(planPieces({ duration_ms: 1000, utterances: [spoken(400, 600)] }, { max_ms: 1000 })).toEqual([
      { index: 0, start_ms: 0, end_ms: 1000 },
    ]);
  });

  it('fills a piece with speech, and splits in the middle of the pause after it', () => {
    const utterances = [spoken(0, 400), spoken(500, 900), spoken(1100, 1200), spoken(9000, 9300)];
    expect(cuts(9500, utterances, { max_speech_ms: 850 })).toEqual([1000, 9500]);
    expect(cuts(9500, utterances, { max_speech_ms: 900 })).toEqual([5100, 9500]);
  });

  it.each([
    ['before the utterance that exceeds the limit', [spoken(100, 700), spoken(900, 1300)], 1500, [800, 1500]],
    ['at the maximum length without speech', [], 2500, [1000, 2000, 2500]],
    ['an utterance that is too long itself', [spoken(0, 2500)], 2500, [1000, 2000, 2500]],
    ['no empty audio', [], 0, []],
  ])('splits %s', (_, utterances, duration_ms, ends) => {
    expect(cuts(duration_ms, utterances, { max_ms: 1000, max_speech_ms: 1000 })).toEqual(ends);
  });

  it('covers everything in order without gaps, overlaps and too long pieces, and splits no utterance', () => {
    const steps = fc.array(fc.record({ pause: fc.nat(30_000), speech: fc.integer({ min: 1, max: 2000 }) }));
    const limit = fc.integer({ min: 2000, max: 100_000 });
    forAny([steps, fc.nat(50_000), limit, limit], (steps, rest, max_ms, max_speech_ms) => {
      let at = 0;
      const utterances = steps.map(({ pause, speech }) => {
        const start_ms = at + pause;
        at = start_ms + speech;
        return spoken(start_ms, at);
      });
      const duration_ms = at + rest;
      const pieces = planPieces({ duration_ms, utterances }, { max_ms, max_speech_ms });
      let covered = 0;
      pieces.forEach((piece, i) => {
        expect(piece).toMatchObject({ index: i, start_ms: covered });
        expect(piece.end_ms).toBeGreaterThan(piece.start_ms);
        expect(piece.end_ms - piece.start_ms).toBeLessThanOrEqual(max_ms);
        covered = piece.end_ms;
      });
      expect(covered).toBe(duration_ms);
      expect(pieces.flatMap((piece) => utterancesIn(piece, utterances))).toEqual(utterances);
    });
  });
});

describe('utterancesIn', () => {
  it('returns the utterances of a piece, cut off at its ends', () => {
    const utterances = [spoken(0, 100), spoken(200, 300), spoken(400, 900), spoken(900, 950)];
    expect(utterancesIn(spoken(150, 500), utterances)).toEqual([spoken(200, 300), spoken(400, 500)]);
  });
});
