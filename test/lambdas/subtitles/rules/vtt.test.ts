import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cue } from '../../../../lambdas/subtitles/rules/cue.ts';
import { writeSrt } from '../../../../lambdas/subtitles/rules/srt.ts';
import { cleanLines, cleanText, rememberPlainLines } from '../../../../lambdas/subtitles/rules/text.ts';
import { joinTopCues } from '../../../../lambdas/subtitles/rules/top-cues.ts';
import { parseVtt, writeVtt } from '../../../../lambdas/subtitles/rules/vtt.ts';
import { forAny } from '../../../support/for-any.ts';
import { anyCue, anyText, letters } from '../speech.ts';
import { judgeVtt } from '../webvtt-judge.ts';

const flavors = ['standard', 'simplified'] as const;
const hello: Cue = { start_ms: 1000, end_ms: 2500, lines: ['Hello.'], speaker: 'Ana' };
const applause: Cue = { start_ms: 2000, end_ms: 4000, lines: ['[applause]'], speaker: null, position: 'top' };

/** The letters of the texts in sorted order, so that neither the order of cues nor line ends matter. */
function shownLetters(texts: string[]): string[] {
  return [...letters(texts.join(''))].sort();
}

describe('writing WebVTT', () => {
  it('includes voices, identifiers, positions and the language in the standard flavor', () => {
    expect(writeVtt([hello, applause], { flavor: 'standard', language: 'en' })).toBe(
      [
        'WEBVTT',
        '',
        'NOTE Language: en',
        '',
        '1',
        '00:00:01.000 --> 00:00:02.500',
        '<v Ana>Hello.',
        '',
        '2',
        '00:00:02.000 --> 00:00:04.000 line:0',
        '[applause]',
        '',
      ].join('\n'),
    );
  });

  it('includes only times and text in the simplified flavor, with sounds above the speech that they overlap', () => {
    expect(writeVtt([hello, applause], { flavor: 'simplified', language: 'en' })).toBe(
      ['WEBVTT', '', '00:00:01.000 --> 00:00:02.500', '[applause]', 'Hello.', ''].join('\n'),
    );
  });

  it('adds a sound to two full lines if it fits, and otherwise as a third line', () => {
    const merged = (lines: string[]) => joinTopCues([{ ...hello, lines }, applause])[0]!.lines;
    expect(merged(['We are here today', 'because of all of you'])).toEqual([
      '[applause] We are here today',
      'because of all of you',
    ]);
    expect(merged(['x'.repeat(40), 'y'.repeat(40)])).toEqual(['[applause]', 'x'.repeat(40), 'y'.repeat(40)]);
  });

  it('escapes text and speakers', () => {
    const cue = { ...hello, lines: ['a < b && c > d --> e'], speaker: 'R&D <x>' };
    const file = writeVtt([cue], { flavor: 'standard' });
    expect(file).toContain('<v R&amp;D &lt;x&gt;>a &lt; b &amp;&amp; c &gt; d --&gt; e\n');
    expect(parseVtt(file).cues).toEqual([cue]);
  });

  it('removes blank lines, control characters and lone surrogates', () => {
    const file = writeVtt([{ ...hello, lines: ['one\n\n\ntwo', ' ', 'three\u0000\u2028four\ud800'] }], {
      flavor: 'simplified',
    });
    expect(file).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.500\none\ntwo\nthree\nfour\ufffd\n');
  });

  it('writes hours above 99 and corrects invalid times', () => {
    const file = writeVtt(
      [
        { ...hello, start_ms: 400_000_000, end_ms: 400_000_001 },
        { ...hello, start_ms: Number.NaN, end_ms: -4 },
        { ...hello, start_ms: 1.6, end_ms: Number.POSITIVE_INFINITY },
      ],
      { flavor: 'simplified' },
    );
    expect(file).toContain('111:06:40.000 --> 111:06:40.001');
    expect(file).toContain('00:00:00.000 --> 00:00:00.834');
    expect(file).toContain('00:00:00.002 --> 00:00:00.836');
  });

  it('is the same with and without the fast path for plain lines', () => {
    forAny([fc.array(anyCue, { maxLength: 8 }), fc.constantFrom(...flavors)], (cues, flavor) => {
      const laid = cues.map((cue) => ({ ...cue, lines: rememberPlainLines([...cue.lines]) }));
      expect(writeVtt(laid, { flavor })).toBe(writeVtt(cues, { flavor }));
      expect(writeSrt(laid)).toBe(writeSrt(cues));
    });
  });

  it('returns a valid and complete file, for any cues', () => {
    fc.assert(
      fc.property(
        fc.array(anyCue, { maxLength: 8 }),
        fc.constantFrom(...flavors),
        anyText,
        (cues, flavor, language) => {
          const judged = judgeVtt(writeVtt(cues, { flavor, language }));
          expect(judged.errors).toEqual([]);
          expect(shownLetters(judged.texts)).toEqual(
            shownLetters(cues.flatMap(({ lines }) => cleanLines(lines))),
          );
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('reading WebVTT', () => {
  const cueOf = (timing: string, text = 'Hello.') => parseVtt(`WEBVTT\n\n${timing}\n${text}\n`);

  it('accepts files that Kinora wrote', () => {
    const anySpeaker = fc.option(anyText.map(cleanText).filter((name) => name !== ''));
    const anyNormalCue = fc
      .record({
        start_ms: fc.integer({ min: 0, max: 500_000_000 }),
        length: fc.integer({ min: 1, max: 10_000 }),
        lines: fc.array(anyText, { minLength: 1, maxLength: 3 }).map(cleanLines),
        speaker: anySpeaker,
        isAtTop: fc.boolean(),
      })
      .filter(({ lines }) => lines.length > 0)
      .map(({ start_ms, length, lines, speaker, isAtTop }): Cue => {
        return { start_ms, end_ms: start_ms + length, lines, speaker, ...(isAtTop && { position: 'top' }) };
      });
    forAny([fc.array(anyNormalCue)], (unordered) => {
      const cues = unordered.toSorted((one, other) => one.start_ms - other.start_ms);
      expect(parseVtt(writeVtt(cues, { flavor: 'standard' }))).toEqual({ cues, problems: [] });
      const plain = joinTopCues(cues).map((cue) => ({ ...cue, speaker: null }));
      expect(parseVtt(writeVtt(cues, { flavor: 'simplified' }))).toEqual({ cues: plain, problems: [] });
    });
  });

  it('accepts a byte order mark, any line ends, and short, long or hourless times', () => {
    const file = '\ufeffWEBVTT a title\r\n\r\nid\r\n01:02.003 --> 123:00:00.000\rone\r\ntwo\r\n';
    expect(parseVtt(file)).toEqual({
      cues: [{ start_ms: 62_003, end_ms: 442_800_000, lines: ['one', 'two'], speaker: null }],
      problems: [],
    });
  });

  it('skips notes, styles and regions', () => {
    const file =
      'WEBVTT\n\nSTYLE\n::cue { color: red }\n\nREGION\nid:x\n\nNOTE hello\nthere\n\n00:01.000 --> 00:02.000\nHi\n';
    expect(parseVtt(file)).toMatchObject({ cues: [{ lines: ['Hi'] }], problems: [] });
  });

  it('removes tags, resolves references and finds the first voice', () => {
    const { cues } = cueOf(
      '00:01.000 --> 00:02.000',
      '<v.loud R&amp;D\tTeam>a<00:01.500> <c.x>b</c> &lt;i&gt; &#8364;&#x20ac;&nbsp;&unknown;</v> <v Bo>c</v>',
    );
    expect(cues).toEqual([
      { start_ms: 1000, end_ms: 2000, lines: ['a b <i> €€\u00a0&unknown; c'], speaker: 'R&D Team' },
    ]);
  });

  it.each([
    ['line:0', 'top'],
    ['line:10%,start align:center', 'top'],
    ['line:-1', undefined],
    ['line:90%', undefined],
    ['position:10%', undefined],
  ])('reads %s as a position at the %s', (setting, position) => {
    expect(cueOf(`00:01.000 --> 00:02.000 ${setting}`).cues[0]!.position).toBe(position);
  });

  it.each([
    ['00:01,000 --> 00:02.000', 3, 'The times of the cue cannot be read.'],
    ['00:01.000 --> 00:99.000', 3, 'The times of the cue cannot be read.'],
    ['--> 00:02.000', 3, 'The times of the cue cannot be read.'],
    ['00:02.000 --> 00:01.000', 3, 'The cue does not end after it starts.'],
  ])('skips a cue and reports its line: %s', (timing, line, message) => {
    expect(cueOf(timing)).toEqual({ cues: [], problems: [{ line, message }] });
  });

  it('reports other errors and continues', () => {
    expect(parseVtt('00:01.000 --> 00:02.000 colour:red\nHi\n\n\n00:03.000 --> 00:04.000\n\n')).toEqual({
      cues: [{ start_ms: 1000, end_ms: 2000, lines: ['Hi'], speaker: null }],
      problems: [
        { line: 1, message: 'The file does not begin with WEBVTT.' },
        { line: 1, message: 'The cue has an unknown setting: colour:red' },
        { line: 5, message: 'The cue has no text.' },
      ],
    });
  });

  const scraps = [
    'WEBVTT',
    '\n',
    '\n\n',
    '\r\n',
    '00:01.000 --> 00:02.000',
    '00:00:03.000 --> 00:00:04.500',
    '-->',
    ' --> ',
    '1:00.000',
    '00:00:05.000',
    'id',
    'text',
    '<v A>',
    '<',
    '&amp;',
    '&',
    'line:0',
    '\0',
    ' ',
  ];
  const anyFile = fc.oneof(
    anyText,
    fc.array(fc.constantFrom(...scraps), { maxLength: 25 }).map((parts) => `WEBVTT\n\n${parts.join('')}`),
  );

  it('never throws, and finds the same valid cues as the reference parser', () => {
    fc.assert(
      fc.property(anyFile, (file) => {
        const theirs = judgeVtt(file).cues.filter(
          ({ lines, start_ms, end_ms }) => lines.length > 0 && end_ms > start_ms,
        );
        const ours = parseVtt(file).cues.map(({ start_ms, end_ms, lines }) => ({ start_ms, end_ms, lines }));
        expect(ours).toEqual(expect.arrayContaining(theirs));
        expect(ours).toHaveLength(theirs.length);
      }),
      { numRuns: 1000 },
    );
  });

  it('returns the same cues on the fast path and on the slow path', () => {
    const anyTimeLine = fc.constantFrom(
      '00:00:00.000 --> 00:00:01.250',
      '01:59:59.999 --> 12:05:00.000',
      '09:30:07.040 --> 09:30:07.040',
    );
    const strange = ['', '/', ':', '6', '9', ' ', '-', 'x', '\u00a0'];
    const anyStrangeLine = fc
      .tuple(anyTimeLine, fc.nat({ max: 28 }), fc.constantFrom(...strange))
      .map(([line, at, strange]) => line.slice(0, at) + strange + line.slice(at + 1));
    const texts = ['one', 'two words', ' three ', '', 'a > b', 'to --> fro', 'more than a dozen'];
    const anyLine = fc.constantFrom(...texts);
    const anyBlock = fc.oneof(
      fc
        .tuple(fc.oneof(anyTimeLine, anyStrangeLine), fc.array(anyLine, { maxLength: 3 }))
        .map(([times, lines]) => [times, ...lines]),
      fc.array(anyLine, { maxLength: 2 }),
    );
    // Neither comment changes a cue. The first one disables the fast path, and the second one makes the text two-byte.
    const slow = '\n\nNOTE &';
    const wide = '\n\nNOTE \u0416';
    fc.assert(
      fc.property(fc.array(anyBlock, { maxLength: 12 }), fc.constantFrom('\n\n', '\n'), (blocks, gap) => {
        const file = `WEBVTT\n\n${blocks.map((lines) => lines.join('\n')).join(gap)}`;
        const { cues } = parseVtt(file);
        expect(parseVtt(file + slow).cues).toEqual(cues);
        expect(parseVtt(file + wide).cues).toEqual(cues);
      }),
      { numRuns: 2000 },
    );
  });
});
