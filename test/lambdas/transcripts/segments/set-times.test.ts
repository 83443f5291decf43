/** The cues and marks of edited segments. The file has cases that one editor reported, and guarantees for any edit. */
import { describe, expect, it } from 'vitest';
import { cuesFromSegments } from '../../../../lambdas/subtitles/rules/make-cues.ts';
import { withQc } from '../../../../lambdas/transcripts/quality/rules/mark-segments.ts';
import {
  changedSegments,
  type SegmentChange,
} from '../../../../lambdas/transcripts/segments/rules/edit-segments.ts';
import type { Segment, Word } from '../../../../shared/segments.ts';
import { segment } from '../../subtitles/speech.ts';

function heard(text: string, start_ms: number, end_ms: number, more: Partial<Segment> = {}): Segment {
  const tokens = text.split(' ');
  const each = (end_ms - start_ms) / tokens.length;
  const words = tokens.map((token, i): Word => {
    const at = (nth: number) => Math.round(start_ms + nth * each);
    return { text: token, start_ms: at(i), end_ms: at(i + 1), confidence: 0.9 };
  });
  return segment(text, start_ms, end_ms, { words, ...more });
}

const set = (text: string, start_ms: number, end_ms: number, more: Partial<Segment> = {}) =>
  segment(text, start_ms, end_ms, { timing: 'set', ...more });

const times = (segments: Segment[], options = {}) =>
  cuesFromSegments(segments, { language: 'en', ...options }).map((cue) => [cue.start_ms, cue.end_ms]);

const texts = (segments: Segment[]) =>
  cuesFromSegments(segments, { language: 'en' }).map(({ lines }) => lines);

describe('a segment with new times', () => {
  const news = [
    heard('Welcome to the evening news from here.', 210, 2400),
    heard('It is a quiet day today.', 2750, 5000),
  ];
  const retimed = (change: SegmentChange) =>
    changedSegments(news, [{ id: news[0]!.segment_id, pointer: '', ...change }], []);

  it.each([1500, 2000, 2500, 3000, 3900])('moves its cue to %i ms', (end_ms) => {
    const [first, second] = times(retimed({ end_ms }));
    expect(first).toEqual([210, end_ms]);
    expect(second![0]).toBe(Math.max(2750, end_ms + 80));
  });

  it('keeps its end even if the next segment is spoken before it', () => {
    expect(times(retimed({ end_ms: 5000 }))).toEqual([
      [210, 5000],
      [5080, 6492],
    ]);
  });

  it('starts at its set start', () => {
    expect(times(retimed({ start_ms: 900 }))[0]).toEqual([900, 2400]);
    expect(times(retimed({ start_ms: 0 }))[0]).toEqual([0, 2400]);
  });

  it('is the only segment that is marked as set', () => {
    expect(withQc(retimed({ end_ms: 2000 }))).toMatchObject([{ timing: 'set' }, { timing: 'automatic' }]);
    expect(withQc(retimed({ text: 'Good evening.' }))).toMatchObject(Array(2).fill({ timing: 'automatic' }));
  });

  it('has its words at the same relative positions', () => {
    const [{ words }] = retimed({ start_ms: 1000, end_ms: 5380 }) as [Segment];
    expect(words[0]!.start_ms).toBe(1000);
    expect(words[3]!.end_ms).toBe(3502);
    expect(words.at(-1)!.end_ms).toBe(5380);
  });

  it('shows a later sentence when its words are said', () => {
    const said = heard('Nobody came to see it. So we closed the doors again.', 0, 4000);
    const [slow] = changedSegments([said], [{ id: said.segment_id, pointer: '', end_ms: 8000 }], []);
    const so = slow!.words.find(({ text }) => text === 'So')!;
    expect(times([slow!])[1]).toEqual([so.start_ms, 8000]);
  });
});

describe('the minimum duration of a cue', () => {
  it('is taken from the silence after a shorter set segment, which keeps its start', () => {
    expect(times([set('Yes.', 1000, 1200)])).toEqual([[1000, 1834]]);
  });

  it('is not taken from the next set segment: a quality mark names the short cue', () => {
    const close = [set('Yes.', 1000, 1200), set('No, I do not think so.', 1300, 3000)];
    expect(times(close)).toEqual([
      [1000, 1300],
      [1300, 3000],
    ]);
    expect(withQc(close, 'en').map(({ qc }) => qc)).toEqual([
      [expect.objectContaining({ code: 'short_cue', value: 300, limit: 834 })],
      [],
    ]);
  });

  it('joins sentences of one segment if its times leave less for each', () => {
    const long = 'Yes. I know what you mean by that, and so does he. No. Never. It cannot be, and will not.';
    expect(texts([set(long, 0, 12_000)])).toHaveLength(5);
    expect(texts([set(long, 0, 2500)])).toHaveLength(2);
  });

  it('also applies to each of two overlapping set segments', () => {
    const overlapping = [set('One of us is here.', 0, 3000), set('And so is the other.', 100, 5000)];
    const [one, other] = times(overlapping) as [number[], number[]];
    expect(one[0]).toBe(0);
    expect(one[1]! - one[0]!).toBeGreaterThanOrEqual(834);
    expect(other[0]! - one[1]!).toBe(80);
    expect(other[1]).toBe(5000);
  });

  it('also applies to automatic segments between set segments, which wait if they have no room', () => {
    const automatic = [segment('Yes.', 1000, 1300), segment('No.', 1320, 1500), segment('Well.', 1520, 1700)];
    expect(times([set('It began here.', 0, 1000), ...automatic, set('It went on.', 1800, 4000)])).toEqual([
      [0, 1000],
      [1000, 1800],
      [1800, 4000],
      [4080, 4914],
      [4994, 5828],
    ]);
  });
});

describe('a segment with set times', () => {
  it('is one cue if it fits two lines, with any number of sentences', () => {
    expect(texts([set('Are you coming? Yes, I will be there.', 0, 5000)])).toEqual([
      ['Are you coming? Yes, I will be there.'],
    ]);
    expect(texts([set('Yes. No. Maybe. We will see about all of that.', 0, 5000)])).toHaveLength(1);
    expect(texts([set('It costs €5 10 %', 0, 2000)])).toHaveLength(1);
  });

  it('is several cues if one would be on screen for more than 7 s', () => {
    expect(texts([set('Are you coming? Yes, I will be there.', 0, 7001)])).toHaveLength(2);
  });
});

describe('cues', () => {
  it('never show two segments, even of one sentence', () => {
    expect(texts([segment('Yes,', 0, 300), segment('I know.', 320, 900)])).toEqual([['Yes,'], ['I know.']]);
  });

  it('end with the media, for any set or recognized times', () => {
    const late = [segment('One.', 8000, 9000), set('Two.', 9500, 9900), segment('Three.', 10_500, 11_000)];
    const shown = times(late, { mediaDurationMs: 10_000 });
    expect(shown).toHaveLength(3);
    expect(shown[1]).toEqual([9500, 9_999]);
    expect(shown[2]).toEqual([9_999, 10_000]);
  });

  it('keep written lines, one for each of two speakers', () => {
    expect(texts([segment('- Is it you?\n- It is.', 0, 3000)])).toEqual([['- Is it you?', '- It is.']]);
    expect(texts([segment('- One?\n- Two.\n- Three?\n- Four.', 0, 6000)])).toEqual([
      ['- One?', '- Two.'],
      ['- Three?', '- Four.'],
    ]);
  });

  it('get new breaks in lines that are too long', () => {
    const long = 'This is a line that is far too long for the screen,\nand this one is not.';
    for (const lines of texts([segment(long, 0, 6000)])) {
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(42);
    }
  });
});

describe('the end of the media', () => {
  it('allows corrections of text that was recognized after it', () => {
    const one = heard('One of many.', 0, 2000);
    const [edited] = changedSegments([one], [{ id: one.segment_id, pointer: '', text: 'One.' }], [], 1500);
    expect(edited!.text).toBe('One.');
  });
});
