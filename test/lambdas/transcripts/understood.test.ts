import { describe, expect, it } from 'vitest';
import { understood } from '../../../lambdas/transcripts/rules/understood.ts';
import type { Word } from '../../../platform/shared/segments.ts';

const utterance = (start_ms: number, end_ms: number) => ({ start_ms, end_ms });
/** So many words, spread evenly. */
const spoken = (count: number, confidence: number, { start_ms, end_ms } = utterance(0, 8000)): Word[] =>
  Array.from({ length: count }, (_, i) => {
    const from = start_ms + Math.floor((i * (end_ms - start_ms)) / count);
    return { text: `w${i}`, start_ms: from, end_ms: from + 100, confidence };
  });

describe('words of an utterance', () => {
  const eight = utterance(0, 8000);

  it('are left out where they are few and doubtful: it was music', () => {
    expect(understood(spoken(12, 0.3), [eight])).toEqual([]);
  });

  it.each([
    ['they are many, as in noise', spoken(20, 0.15), eight],
    ['they are slow but clear', spoken(8, 0.8), eight],
    ['it is short', spoken(1, 0.1, utterance(0, 1500)), utterance(0, 1500)],
    ['the engine gives no confidence', spoken(4, Number.NaN), eight],
  ])('stay where %s', (_, words, around) => {
    expect(understood(words, [around])).toEqual(words);
  });

  it('stay beside those of another that are left out', () => {
    const music = utterance(9000, 17_000);
    const said = spoken(20, 0.9);
    expect(understood([...said, ...spoken(6, 0.4, music)], [eight, music])).toEqual(said);
  });
});
