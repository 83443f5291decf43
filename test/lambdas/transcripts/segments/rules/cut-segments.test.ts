import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { segmentsFromWords } from '../../../../../lambdas/transcripts/segmentation/rules/make-segments.ts';
import {
  type Cut,
  joinSegments,
  splitSegment,
} from '../../../../../lambdas/transcripts/segments/rules/cut-segments.ts';
import type { Segment } from '../../../../../shared/segments.ts';
import { forAny } from '../../../../support/for-any.ts';
import { anyWords, countingIds, letters, segment, spoken } from '../../../subtitles/speech.ts';

const [heard] = segmentsFromWords(spoken('We saw the old|200 house there.'), { newId: countingIds() }) as [
  Segment,
];
const cut = (at: Cut, of: Segment = heard) => splitSegment([of], of.segment_id, at, 'new');
const texts = (segments: Segment[]) => segments.map(({ text }) => text);

const refusalOf = (pointer: string) =>
  expect.objectContaining({ findings: [expect.objectContaining({ pointer })] });

describe('a segment that is cut', () => {
  it('after some words has the times of its words, and both parts keep its speaker', () => {
    const [first, second] = cut({ word: 4 }, { ...heard, speaker: 'Ana' }) as [Segment, Segment];
    expect(texts([first, second])).toEqual(['We saw the old', 'house there.']);
    expect([first.end_ms, second.start_ms]).toEqual([heard.words[3]!.end_ms, heard.words[4]!.start_ms]);
    expect([first.words.length, second.words.length]).toEqual([4, 2]);
    expect([first.segment_id, second.segment_id]).toEqual([heard.segment_id, 'new']);
    expect([first.speaker, second.speaker, first.timing]).toEqual(['Ana', 'Ana', undefined]);
  });

  it('at a time has set times there, and its text is cut between the nearest words', () => {
    const at = heard.words[3]!.end_ms + 100;
    const [first, second] = cut({ time_ms: at }) as [Segment, Segment];
    expect(texts([first, second])).toEqual(['We saw the old', 'house there.']);
    expect([first.end_ms, second.start_ms, first.timing, second.timing]).toEqual([at, at, 'set', 'set']);
  });

  it('after some characters keeps the marks of a letter with it, in any script', () => {
    expect(texts(cut({ character: 3 }))).toEqual(['We', 'saw the old house there.']);
    expect(texts(cut({ character: 5 }, segment('字幕を作ります。', 0, 3000)))).toEqual([
      '字幕を作り',
      'ます。',
    ]);
    const decomposed = segment('e\u0301te\u0301', 0, 3000);
    expect(texts(cut({ character: 1 }, segment('ae\u0301', 0, 3000)))).toEqual(['a', 'e\u0301']);
    expect(texts(cut({ character: 4 }, decomposed))).toEqual(['e\u0301t', 'e\u0301']);
  });

  it('inside a word is cut after that word, or before it if it is the last word', () => {
    const [first, second] = cut({ character: 13 }) as [Segment, Segment];
    expect(texts([first, second])).toEqual(['We saw the old', 'house there.']);
    expect(first.words.map(({ text }) => text)).toEqual(['We', 'saw', 'the', 'old']);
    expect(texts(cut({ character: 24 }))).toEqual(['We saw the old house', 'there.']);
  });

  it('inside its only word has a part of the word on each side', () => {
    const [one] = segmentsFromWords(spoken('Everything'), { newId: countingIds() }) as [Segment];
    expect(texts(cut({ character: 5 }, one))).toEqual(['Every', 'thing']);
  });

  it('has no part shorter than a frame', () => {
    const { start_ms, end_ms } = heard;
    for (const time_ms of [start_ms + 39, end_ms - 39])
      expect(() => cut({ time_ms })).toThrow(refusalOf('/time_ms'));
    expect(cut({ time_ms: end_ms - 40 })).toHaveLength(2);
    expect(() => cut({ word: 1 }, segment('Yes. No.', 0, 79))).toThrow();
    expect(cut({ word: 1 }, segment('A thing.', 0, 80)).map((one) => [one.start_ms, one.end_ms])).toEqual([
      [0, 40],
      [40, 80],
    ]);
  });

  it('keeps its line breaks', () => {
    expect(texts(cut({ word: 4 }, segment('- Is it?\n- It is.\n- Good.', 0, 6000)))).toEqual([
      '- Is it?\n-',
      'It is.\n- Good.',
    ]);
  });

  it.each([
    ['at its start', { time_ms: 0 }],
    ['at a time after it', { time_ms: 900_000 }],
    ['after all of its words', { word: 6 }],
    ['after all of its characters', { character: 40 }],
    ['before an invisible part', { character: 26 }, segment('We saw the old house there. \u200b', 0, 3000)],
  ])('is rejected %s', (_, at, of = heard) => {
    expect(() => cut(at, of)).toThrow(refusalOf(`/${Object.keys(at)[0]}`));
  });
});

describe('segments that are joined', () => {
  it('become one from the first start to the last end, with all texts and words', () => {
    const parts = cut({ word: 4 });
    const [joined] = joinSegments(parts, [parts[1]!.segment_id, parts[0]!.segment_id], 'joined');
    expect(joined).toEqual({ ...heard, segment_id: 'joined' });
  });

  it('become a dialogue without a speaker if they have two speakers', () => {
    const said = [
      segment('Is it you?', 0, 900, { speaker: 'Ana' }),
      segment('It is.', 1000, 1900, { speaker: 'Ben' }),
      segment('Who else?', 2000, 2900, { speaker: 'Ben' }),
    ];
    const ids = said.map(({ segment_id }) => segment_id);
    const [joined] = joinSegments(said, ids, 'joined');
    expect(joined).toMatchObject({ text: '- Is it you?\n- It is. Who else?', speaker: null, end_ms: 2900 });
  });

  it('are rejected if another segment is between them', () => {
    const three = [segment('a', 0, 1), segment('b', 1, 2), segment('c', 2, 3)];
    expect(() => joinSegments(three, ['0', '2'], 'new')).toThrow(refusalOf('/segment_ids'));
  });
});

describe('any segments', () => {
  it('lose no letter and no time if they are cut and joined again', () => {
    const anyCut = fc.oneof(
      fc.record({ word: fc.integer({ min: 1, max: 9 }) }),
      fc.record({ character: fc.integer({ min: 1, max: 40 }) }),
      fc.record({ time_ms: fc.nat(30_000) }),
    );
    forAny([anyWords, anyCut, fc.nat()], (words, at, nth) => {
      const before = segmentsFromWords(words, { newId: countingIds(), language: 'en' });
      const one = before[nth % Math.max(before.length, 1)];
      if (!one) return;
      let after: Segment[];
      try {
        after = splitSegment(before, one.segment_id, at, 'new');
      } catch {
        return;
      }
      const place = before.indexOf(one);
      const [first, second] = [after[place]!, after[place + 1]!];
      expect(first.start_ms).toBe(one.start_ms);
      expect(first.end_ms).toBeGreaterThan(first.start_ms);
      expect(second.start_ms).toBeGreaterThanOrEqual(first.end_ms);
      expect(second.end_ms).toBe(one.end_ms);
      expect(letters(first.text + second.text)).toBe(letters(one.text));
      const joined = joinSegments(after, [first.segment_id, 'new'], 'joined');
      expect(joined.length).toBe(before.length);
      expect(letters(joined[place]!.text)).toBe(letters(one.text));
    });
  });
});
