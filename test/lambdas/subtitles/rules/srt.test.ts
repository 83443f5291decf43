import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cue } from '../../../../lambdas/subtitles/rules/cue.ts';
import { parseSrt, writeSrt } from '../../../../lambdas/subtitles/rules/srt.ts';
import { cleanLines } from '../../../../lambdas/subtitles/rules/text.ts';
import { forAny } from '../../../support/for-any.ts';
import { anyCue, anyText } from '../speech.ts';

const hello: Cue = { start_ms: 1000, end_ms: 2500, lines: ['Hello.', 'Ana.'], speaker: 'Ana' };

describe('writing SRT', () => {
  it('writes a number, times with a comma, and the lines', () => {
    expect(writeSrt([hello, { ...hello, start_ms: 3000, end_ms: 400_000_000 }])).toBe(
      '1\n00:00:01,000 --> 00:00:02,500\nHello.\nAna.\n\n2\n00:00:03,000 --> 111:06:40,000\nHello.\nAna.\n',
    );
  });

  it('places a sound above the speech that it overlaps', () => {
    const applause: Cue = { ...hello, start_ms: 2000, lines: ['[applause]'], position: 'top' };
    expect(writeSrt([{ ...hello, lines: ['Hello.'] }, applause])).toBe(
      '1\n00:00:01,000 --> 00:00:02,500\n[applause]\nHello.\n',
    );
  });

  it('replaces characters only if a player would treat them as markup', () => {
    const lines = ['1 < 2 & 3 > 2 {3}', '<i>x</i> {\\an8}', '<b {a <u>', 'a --> b'];
    expect(writeSrt([{ ...hello, lines }])).toContain(
      '1 < 2 & 3 > 2 {3}\n‹i›x‹/i› ❴\\an8❵\n‹b ❴a ‹u›\na → b\n',
    );
  });

  it('writes nothing if there are no cues or only blank ones', () => {
    expect(writeSrt([])).toBe('');
    expect(writeSrt([{ ...hello, lines: [' ', ''] }])).toBe('');
  });
});

describe('reading SRT', () => {
  it('accepts files that Kinora wrote', () => {
    forAny([fc.array(anyCue, { maxLength: 8 })], (cues) => {
      const file = writeSrt(cues);
      const read = parseSrt(file);
      expect(read.problems).toEqual([]);
      expect(read.cues).toHaveLength(file === '' ? 0 : file.match(/^.* --> .*$/gm)!.length);
      expect(writeSrt(read.cues)).toBe(file);
    });
  });

  it('restores exactly the same cues if their lines have no markup', () => {
    const anyPlainCue = fc
      .tuple(
        fc.nat({ max: 500_000_000 }),
        fc.integer({ min: 1, max: 9000 }),
        fc.array(anyText, { minLength: 1 }),
      )
      .map(([start_ms, length, lines]): Cue => {
        const plain = cleanLines(lines.map((line) => line.replace(/[<{]|-->/g, '')));
        return { start_ms, end_ms: start_ms + length, lines: plain, speaker: null };
      })
      .filter(({ lines }) => lines.length > 0 && !lines.join().includes('-->'));
    forAny([fc.array(anyPlainCue)], (unordered) => {
      const cues = unordered.toSorted((one, other) => one.start_ms - other.start_ms);
      expect(parseSrt(writeSrt(cues))).toEqual({ cues, problems: [] });
    });
  });

  it('reads common variants of the format', () => {
    const file =
      '\ufeff1\r\n00:00:01,5 --> 00:00:02.500 X1:40 X2:600\r\n<font color="#fff"><i>Hello</i></font>\r\n\r\nthere\r\n\r\n' +
      '2\r\n0:03 --> 0:04\r\n{\\an8}1984\r\n3\r\n00:00:05,000-->00:00:06,000\r\nno counter --> text\r\n';
    expect(parseSrt(file)).toEqual({
      cues: [
        { start_ms: 1500, end_ms: 2500, lines: ['Hello', 'there'], speaker: null },
        { start_ms: 3000, end_ms: 4000, lines: ['1984'], speaker: null, position: 'top' },
        { start_ms: 5000, end_ms: 6000, lines: ['no counter --> text'], speaker: null },
      ],
      problems: [],
    });
  });

  it('skips a cue and reports its line', () => {
    expect(
      parseSrt('hello\n\n1\n00:00:02,000 --> 00:00:01,000\nx\n\n2\n00:00:03,000 --> 00:00:04,000\n\n'),
    ).toEqual({
      cues: [],
      problems: [
        { line: 1, message: 'There is text before the first time line.' },
        { line: 4, message: 'The cue does not end after it starts.' },
        { line: 8, message: 'The cue has no text.' },
      ],
    });
  });

  it('never throws, and returns only valid cues', () => {
    const scraps = [
      '1',
      '\n',
      '\r\n',
      '00:00:01,000 --> 00:00:02,000',
      '-->',
      '00:01 --> 99:99',
      '<i>',
      '{\\an8}',
      'text',
      ' ',
    ];
    const anyFile = fc
      .array(fc.oneof(anyText, fc.constantFrom(...scraps)), { maxLength: 20 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(anyFile, (file) => {
        for (const { start_ms, end_ms, lines } of parseSrt(file).cues) {
          expect(end_ms).toBeGreaterThan(start_ms);
          expect(lines.length).toBeGreaterThan(0);
          expect(lines.every((line) => line !== '')).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});
