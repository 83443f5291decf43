/** The cues of segments that are spoken at the same time. */
import { describe, expect, it } from 'vitest';
import { cuesFromSegments } from '../../../../lambdas/subtitles/rules/make-cues.ts';
import { writeSrt } from '../../../../lambdas/subtitles/rules/srt.ts';
import { parseVtt, writeVtt } from '../../../../lambdas/subtitles/rules/vtt.ts';
import { withQc } from '../../../../lambdas/transcripts/quality/rules/mark-segments.ts';
import { joinSegments } from '../../../../lambdas/transcripts/segments/rules/cut-segments.ts';
import { changedSegments } from '../../../../lambdas/transcripts/segments/rules/edit-segments.ts';
import type { Segment } from '../../../../shared/segments.ts';
import { segment } from '../../subtitles/speech.ts';

let made = 0;
const set = (text: string, start_ms: number, end_ms: number, speaker: string | null = null) =>
  segment(text, start_ms, end_ms, { timing: 'set', speaker, segment_id: `${++made}` });

const cuesOf = (segments: Segment[]) =>
  cuesFromSegments(segments, { language: 'en' }).map(({ start_ms, end_ms, lines }) => [
    start_ms,
    end_ms,
    lines.join(' / '),
  ]);

const textsOf = (segments: Segment[]) => cuesOf(segments).map(([, , text]) => text);

describe('two speakers at the same time', () => {
  const duet = [set('Is it really you?', 1000, 3500, 'Núria'), set('Who else?', 1000, 3500, 'José')];

  it('are shown in one cue with two lines after dashes', () => {
    expect(cuesOf(duet)).toEqual([[1000, 3500, '- Is it really you? / - Who else?']]);
    expect(cuesOf(duet.map((one) => ({ ...one, timing: 'automatic' as const })))).toEqual([
      [1000, 3500, '- Is it really you? / - Who else?'],
    ]);
  });

  it('are both named in WebVTT, one on each line', () => {
    const cues = cuesFromSegments(duet);
    const file = writeVtt(cues, { flavor: 'standard' });
    expect(file).toContain('<v Núria>- Is it really you?</v>\n<v José>- Who else?</v>\n');
    expect(parseVtt(file).cues[0]!.lines).toEqual(['- Is it really you?', '- Who else?']);
    expect(writeVtt(cues, { flavor: 'simplified' })).toContain('\n- Is it really you?\n- Who else?\n');
    expect(writeSrt(cues)).toContain('\n- Is it really you?\n- Who else?\n');
  });

  it('are shown one after the other if one text does not fit a line, or one speaks much longer', () => {
    const long = 'This is far more than a single line of any screen holds.';
    expect(cuesOf([set(long, 1000, 5000, 'Núria'), set('Who else?', 1000, 5000, 'José')])).toHaveLength(2);
    expect(cuesOf([set('One.', 0, 6000, 'Núria'), set('Two.', 2000, 4000, 'José')])).toEqual([
      [0, 1920, 'One.'],
      [2000, 4000, 'Two.'],
    ]);
  });
});

describe('segments with set times that overlap', () => {
  it('start at their start, and end at the start of the next', () => {
    expect(cuesOf([set('One of them is here.', 500, 5600), set('And so is the other.', 5000, 8088)])).toEqual(
      [
        [500, 4920, 'One of them is here.'],
        [5000, 8088, 'And so is the other.'],
      ],
    );
  });

  it('are not mixed: a long segment is shown before the segments that start in it', () => {
    const long =
      'I speak all of the time from here to there. I do not stop. Nobody else is heard at all in this.';
    const others = [segment('Is that so?', 3000, 5000), segment('It is.', 5200, 8000)];
    for (const timing of ['automatic', 'set'] as const) {
      const rest = others.map((one) => ({ ...one, timing }));
      const shown = cuesOf([set(long, 0, 9100), ...rest]);
      expect(shown.slice(-2)).toEqual([
        [expect.any(Number), expect.any(Number), 'Is that so?'],
        [expect.any(Number), expect.any(Number), 'It is.'],
      ]);
      expect(shown[0]![0]).toBe(0);
      // The second cue is later only by the reading time of the first cue.
      expect(shown.at(-2)![0]).toBeLessThanOrEqual(5000);
      expect(shown.at(-1)![0]).toBe(5200);
    }
  });

  it('delay later speech by at most four seconds', () => {
    const shown = cuesOf([set('I speak all the time.', 0, 12_000), segment('And so do I.', 5100, 7000)]);
    expect(shown[0]![0]).toBe(0);
    expect(shown.at(-2)![1]).toBe(5020);
    expect(shown.at(-1)).toEqual([5100, 7000, 'And so do I.']);
  });
});

describe('automatic segments near set segments', () => {
  it('wait until they can be read, instead of flashing before set segments', () => {
    const shown = cuesOf([
      segment('Welcome to this short film about subtitles.', 86, 3900),
      set('Who is there?', 1000, 3500),
    ]);
    expect(shown.map(([start]) => start)).toEqual([1000, 3580]);
  });

  it('wait for a moment until a set segment with a shared time ends', () => {
    const others = [segment('And so do I.', 5100, 7000), segment('We all do.', 11_900, 13_000)];
    const shown = cuesOf([set('I speak all the time.', 0, 12_000), ...others]);
    expect(shown.slice(-2).map(([start]) => start)).toEqual([5100, 12_080]);
  });
});

describe('a merged segment of two speakers', () => {
  const merged = (one: string, other: string) => {
    const parts = [segment(one, 0, 2000, { speaker: 'Ana' }), segment(other, 2100, 5000, { speaker: 'Ben' })];
    return joinSegments(
      parts,
      parts.map(({ segment_id }) => segment_id),
      'merged',
    );
  };

  it('is one cue of two lines if the text of each speaker fits a line', () => {
    expect(textsOf(merged('Is it you?', 'It is.'))).toEqual(['- Is it you? / - It is.']);
  });

  it('has no dash in a cue with only one speaker', () => {
    const welcome = merged('Welcome to this short film about subtitles.', 'Many people see it.');
    expect(textsOf(welcome)).toEqual([
      'Welcome to this short film / about subtitles.',
      'Many people see it.',
    ]);
    const three = [segment('- One?\n- Two.\n- Three?', 0, 6000)];
    expect(textsOf(three)).toEqual(['- One? / - Two.', 'Three?']);
    const cold = [segment('-5 degrees\n-10 degrees\n-20 degrees', 0, 6000)];
    expect(textsOf(cold).at(-1)).toBe('-20 degrees');
  });
});

describe('a rewritten text', () => {
  const tokens = 'The machine listens to what people say and gives you a video.'.split(' ');
  const words = tokens.map((text, i) => {
    return { text, start_ms: 15_298 + i * 440, end_ms: 15_700 + i * 440, confidence: 0.9 };
  });
  const heard = segment(tokens.join(' '), 15_298, words.at(-1)!.end_ms, { words });
  const edit = (one: Segment, text: string) =>
    changedSegments([one], [{ id: one.segment_id, pointer: '', text }], [])[0]!;

  it('has its first times again after an undo, and does not show callers the stored words', () => {
    const back = edit(edit(heard, 'Something else.'), heard.text);
    expect(back.words).toEqual(words);
    expect(withQc([back], 'en')[0]).not.toHaveProperty('heard');
  });
});
