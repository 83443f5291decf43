import { describe, expect, it } from 'vitest';
import { understood } from '../../../../../lambdas/transcripts/segmentation/rules/find-speech.ts';
import type { Word } from '../../../../../shared/segments.ts';
import type { Interval } from '../../../../../shared/sound.ts';

const heard = (utterances: Interval[], music: Interval[] = []) => ({
  utterances,
  sounds: music.map((interval) => ({ ...interval, kind: 'music' as const, level_db: -20 })),
});
const utterance = (start_ms: number, end_ms: number) => ({ start_ms, end_ms });
const spoken = (count: number, confidence: number, { start_ms, end_ms } = utterance(0, 8000)): Word[] =>
  Array.from({ length: count }, (_, i) => {
    const from = start_ms + Math.floor((i * (end_ms - start_ms)) / count);
    return { text: `w${i}`, start_ms: from, end_ms: from + 100, confidence };
  });

describe('the words of an utterance', () => {
  const eight = utterance(0, 8000);

  it('are removed if they are few and have low confidence, because they were music', () => {
    expect(understood(spoken(12, 0.3), heard([eight]))).toEqual([]);
  });

  it.each([
    ['they are many, as in noise', spoken(20, 0.15), eight],
    ['they are slow but clear', spoken(8, 0.8), eight],
    ['it is short', spoken(1, 0.1, utterance(0, 1500)), utterance(0, 1500)],
    ['the engine gives no confidence', spoken(4, Number.NaN), eight],
  ])('are kept if %s', (_, words, around) => {
    expect(understood(words, heard([around]))).toEqual(words);
  });

  it('are kept if the words of another utterance are removed', () => {
    const music = utterance(9000, 17_000);
    const said = spoken(20, 0.9);
    expect(understood([...said, ...spoken(6, 0.4, music)], heard([eight, music]))).toEqual(said);
  });

  it('are removed if there is only one word next to music, even with high confidence', () => {
    const short = utterance(0, 1300);
    const words = spoken(1, 1, short);
    expect(understood(words, heard([short], [utterance(1400, 9000)]))).toEqual([]);
    expect(understood(words, heard([short], [utterance(2400, 9000)]))).toEqual(words);
    const clear = spoken(3, 0.8, short);
    expect(understood(clear, heard([short], [utterance(1400, 9000)]))).toEqual(clear);
  });
});
