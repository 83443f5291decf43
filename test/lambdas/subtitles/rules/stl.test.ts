import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cue } from '../../../../lambdas/subtitles/rules/cue.ts';
import type { StlSubtitle } from '../../../../lambdas/subtitles/rules/stl/file.ts';
import {
  cuesFromStl,
  readStl,
  type StlOptions,
  stlFromCues,
  stlLimits,
  stlRateOf,
  writeStl,
} from '../../../../lambdas/subtitles/rules/stl.ts';
import { parseVtt, writeVtt } from '../../../../lambdas/subtitles/rules/vtt.ts';
import { forAny } from '../../../support/for-any.ts';
import { anyCue } from '../speech.ts';
import { anyFile, header, row, subtitle } from './stl/files.ts';

const options: StlOptions = {
  display: 'level1',
  framesPerSecond: 25,
  startFrame: 0,
  language: 'es',
  title: 'Al otro lado',
  reference: 'cms-4711',
  created: '2026-11-21',
  revised: '2026-11-22',
  revision: 3,
};
const cue = (start_ms: number, end_ms: number, ...lines: string[]): Cue => ({
  start_ms,
  end_ms,
  lines,
  speaker: null,
});
const written = (cues: Cue[], more: Partial<StlOptions> = {}) => stlFromCues(cues, { ...options, ...more })!;
const shown = (cues: Cue[], more: Partial<StlOptions> = {}) => cuesFromStl(readStl(written(cues, more).file));
const spansOf = (cues: readonly Cue[]) => cues.map(({ start_ms, end_ms }) => [start_ms, end_ms]);
const linesOf = (cues: readonly Cue[]) => cues.map(({ lines }) => lines);
const text = (file: Uint8Array, from: number, to: number) =>
  Buffer.from(file.subarray(from, to)).toString('latin1');
const hex = (file: Uint8Array, from: number, to: number) =>
  Buffer.from(file.subarray(from, to)).toString('hex');

describe('the header', () => {
  it('has every field at its position in Tech 3264', () => {
    const cues = [cue(1000, 3000, 'Uno'), cue(3080, 5000, 'Dos')];
    const { file } = written(cues, { startFrame: 10 * 3600 * 25, title: 'Añil' });
    const fields = [
      [0, 3, '850'],
      [3, 11, 'STL25.01'],
      [11, 12, '1'],
      [12, 14, '00'],
      [14, 16, '0A'],
      [16, 48, 'A\xa4il'.padEnd(32)],
      [48, 80, ''.padEnd(32)],
      [80, 112, 'A\xa4il'.padEnd(32)],
      [112, 208, ''.padEnd(96)],
      [208, 224, 'cms-4711'.padEnd(16)],
      [224, 238, '26112126112203'],
      [238, 251, '0000200002001'],
      [251, 256, '40231'],
      [256, 274, '100000001000010011'],
      [274, 1024, ''.padEnd(750)],
    ] as const;
    for (const [from, to, expected] of fields) expect(text(file, from, to), `${from}`).toBe(expected);
    expect(file).toHaveLength(1024 + 2 * 128);
  });

  it.each([
    ['open', 30, '0', 'STL30.01', '42110'],
    ['level2', 25, '2', 'STL25.01', '40230'],
  ] as const)('of %s subtitles at %i has their codes', (display, framesPerSecond, code, format, rows) => {
    const { file } = written([], { display, framesPerSecond });
    expect([text(file, 11, 12), text(file, 3, 11), `${text(file, 251, 255)}0`]).toEqual([code, format, rows]);
    expect(text(file, 238, 251)).toBe('0000000000000');
  });

  it('is rejected if the number of blocks has too many digits', () => {
    const blocks = Array.from({ length: 100_000 }, () => subtitle([]));
    expect(() => writeStl({ header, subtitles: blocks })).toThrow(
      '100000 blocks. A file holds at most 99999',
    );
  });
});

describe('a subtitle', () => {
  it('in teletext is boxed and in double height, with its last row at 22', () => {
    const { file } = written([cue(1000, 3000, '¿Qué?', 'Nada.')]);
    expect(hex(file, 1024, 1040)).toBe('000000ff000000010000000300140200');
    const rows = '0d0b0b bf5175c2653f 0a0a 8a8a 0d0b0b 4e6164612e 0a0a'.replaceAll(' ', '');
    expect(hex(file, 1040, 1152)).toBe(rows.padEnd(224, '8f'));
    expect(file[1024 + 13]).toBe(20);
    expect(written([cue(0, 900, 'Uno')]).file[1024 + 13]).toBe(22);
  });

  it('in open subtitling contains only its text', () => {
    const { file } = written([cue(1000, 3000, 'Uno', 'dos')], { display: 'open' });
    expect(hex(file, 1040, 1152)).toBe('556e6f8a646f73'.padEnd(224, '8f'));
    expect(file[1024 + 13]).toBe(9);
  });

  it('omits the end of its box if the row is full', () => {
    const { file } = written([cue(0, 3000, 'x'.repeat(37))]);
    expect(hex(file, 1040, 1083)).toBe(`0d0b0b${'78'.repeat(37)}8f8f8f`);
  });

  it('continues in more blocks, which never separate an accent from its letter', () => {
    const long = ['ñ'.repeat(42), 'ñ'.repeat(42)];
    const { file } = written([cue(0, 3000, ...long)], { display: 'open' });
    expect(text(file, 238, 248)).toBe('0000200001');
    expect([file[1024 + 3], file[1152 + 3]]).toEqual([0, 0xff]);
    // The first block ends a byte early. It has 84 bytes of the first row, the code for a new row, and 27 bytes of the
    // second row.
    expect(hex(file, 1024 + 126, 1024 + 128)).toBe('6e8f');
    expect(cuesFromStl(readStl(file))[0]!.lines).toEqual(long);
  });

  it('gets new line breaks if its lines are wider than the rows, without losing a word', () => {
    const lines = (from: string[]) => shown([cue(0, 9000, ...from)])[0]!.lines;
    expect(lines(['We are here today because of all of you, my friends.'])).toEqual([
      'We are here today because',
      'of all of you, my friends.',
    ]);
    expect(lines([`${'x'.repeat(40)} y`])).toEqual(['x'.repeat(37), 'xxx y']);
  });

  it('becomes several subtitles if its rows do not fit the screen', () => {
    const cues = shown([cue(0, 4000, 'x'.repeat(37 * 20))]);
    expect(linesOf(cues).map(({ length }) => length)).toEqual([11, 9]);
    expect(spansOf(cues).flat()).toEqual([0, 2000, 2000, 4000]);
  });

  it('shows an overlapping sound above its text', () => {
    const sound: Cue = { ...cue(1500, 3000, '[aplausos]'), position: 'top' };
    expect(linesOf(shown([cue(1000, 3000, 'Gracias.'), sound]))).toEqual([['[aplausos]', 'Gracias.']]);
  });
});

describe('speakers', () => {
  const said = (i: number, speaker: string | null, ...lines: string[]): Cue => ({
    ...cue(i * 2000, i * 2000 + 1900, ...lines),
    speaker,
  });
  const colorsIn = (cues: Cue[], more: Partial<StlOptions> = {}) =>
    readStl(written(cues, more).file).subtitles.map(({ rows }) =>
      rows.map(({ spans }) => spans.map(({ color }) => color ?? 'white').join('+')),
    );

  it('are shown in white, yellow, cyan and green in the order of their first subtitles', () => {
    const names = ['Ana', 'Ben', null, 'Ana', 'Eva', 'Ugo', 'Zoe', 'Ben'];
    const cues = names.map((name, i) => said(i, name, 'Hola.'));
    const colors = ['white', 'yellow', 'white', 'white', 'cyan', 'green', 'white', 'yellow'];
    expect(colorsIn(cues).flat()).toEqual(colors);
  });

  it('have one row each, in their color, if two speak at the same time', () => {
    const duet: Cue = { ...said(1, null, '- ¿Qué?', '- Nada.'), voices: ['Ana', 'Ben'] };
    expect(colorsIn([said(0, 'Ana', 'Hola.'), duet])).toEqual([['white'], ['white', 'yellow']]);
  });

  it('are not shown in open subtitles', () => {
    const cues = [said(0, 'Ana', 'Hola.'), said(1, 'Ben', 'Hola.')];
    expect(colorsIn(cues, { display: 'open' }).flat()).toEqual(['white', 'white']);
  });

  it('need a cell for their color, so a row of 37 is broken again, and no row exceeds 40 cells', () => {
    const wide = `${'x'.repeat(18)} ${'y'.repeat(18)}`;
    const cues = shown([said(0, 'Ana', wide), said(1, 'Ben', wide)]);
    expect(linesOf(cues).map(({ length }) => length)).toEqual([1, 2]);
    expect(stlLimits('level1').line_width).toBe(37);
    expect(stlLimits('level1', true).line_width).toBe(36);
    expect(stlLimits('open', true).line_width).toBe(42);
  });
});

describe('times', () => {
  it('are rounded to the nearest frame, and no subtitle ends after the start of the next', () => {
    const cues = shown([cue(1015, 2030, 'a'), cue(2021, 3000, 'b'), cue(3001, 3002, 'c')]);
    expect(spansOf(cues).flat()).toEqual([1000, 2040, 2040, 3000, 3000, 3040]);
  });

  it('continue after midnight', () => {
    const startFrame = (23 * 3600 + 3599) * 25;
    const { file } = written([cue(0, 500, 'a'), cue(2000, 4000, 'b')], { startFrame });
    expect(hex(file, 1024 + 5 + 128, 1024 + 13 + 128)).toBe('0000010000000300');
    expect(cuesFromStl(readStl(file)).map(({ start_ms }) => start_ms)).toEqual([0, 2000]);
  });

  it('are written at 25 frames a second for media with 25, 50 or an unknown rate, and at 30 for other media', () => {
    expect([25, 50, null, 24.999].map(stlRateOf)).toEqual(Array(4).fill(25));
    expect([29.97, 30, 23.976, 24, 59.94, 60].map(stlRateOf)).toEqual(Array(6).fill(30));
  });
});

describe('a written file', () => {
  it('is equal to its subtitles after reading, for any subtitles', () => {
    fc.assert(
      fc.property(anyFile, (file) => {
        const { problems, userDataBlocks, ...read } = readStl(writeStl(file));
        expect(problems).toEqual([]);
        expect(userDataBlocks).toBe(0);
        expect(read).toEqual(file);
      }),
      { numRuns: 200 },
    );
  });

  it('has the same texts, and times to within a frame, after VTT to STL and back', () => {
    const word = fc.constantFrom(...'¿Qué señor vía España Muñoz, año 1984. “ok” garçon $5'.split(' '));
    const words = fc.array(word, { minLength: 1, maxLength: 5 });
    const cues = fc
      .array(
        fc.record({
          wait: fc.nat(2000),
          length: fc.integer({ min: 834, max: 7000 }),
          lines: fc.array(words, { minLength: 1, maxLength: 2 }),
        }),
        { minLength: 1, maxLength: 20 },
      )
      .map((parts) => {
        let now = 0;
        return parts.map(({ wait, length, lines }): Cue => {
          const start_ms = now + 80 + wait;
          now = start_ms + length;
          return cue(start_ms, now, ...lines.map((line) => line.join(' ').slice(0, 37).trim()));
        });
      });
    const anyDisplay = fc.constantFrom('open', 'level1', 'level2');
    forAny([cues, anyDisplay, fc.constantFrom(25, 30)], (given, display, rate) => {
      const vtt = writeVtt(given, { flavor: 'simplified' });
      const more = { display, framesPerSecond: rate, startFrame: 36_000 * rate } as Partial<StlOptions>;
      const { file, replaced } = written(parseVtt(vtt).cues, more);
      const again = parseVtt(writeVtt(cuesFromStl(readStl(file)), { flavor: 'simplified' })).cues;
      expect(replaced).toEqual([]);
      expect(linesOf(again)).toEqual(linesOf(given));
      for (const [i, span] of spansOf(again).entries())
        for (const [at, ms] of spansOf([given[i]!])[0]!.entries())
          expect(Math.abs(span[at]! - ms)).toBeLessThanOrEqual(1000 / rate);
    });
  });

  it('can be read, for any cues', () => {
    forAny([fc.array(anyCue, { maxLength: 6 })], (cues) => {
      const { file } = stlFromCues(cues, { ...options, language: 'en' })!;
      expect(file.length % 128).toBe(0);
      expect(readStl(file).problems.filter(({ message }) => !message.includes('does not end after'))).toEqual(
        [],
      );
    });
  });

  it('contains each subtitle once for a transcript of 10,000 cues', () => {
    const cues = Array.from({ length: 10_000 }, (_, i) =>
      cue(i * 3000, i * 3000 + 2600, `Línea ${i}`, 'y otra más'),
    );
    const { file } = written(cues);
    expect(file).toHaveLength(1024 + 10_000 * 128);
    expect(cuesFromStl(readStl(file))).toEqual(cues);
  });
});

const hasMediaInfo = spawnSync('mediainfo', ['--Version']).error === undefined;

describe.skipIf(!hasMediaInfo)('mediainfo', () => {
  it('finds the format, the times, the language and the lines in our file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kinora-stl-'));
    const path = join(folder, 'a.stl');
    writeFileSync(
      path,
      written([cue(1000, 3000, 'Uno'), cue(3080, 5000, 'Dos', 'tres')], { startFrame: 900_000 }).file,
    );
    const run = spawnSync('mediainfo', ['--Output=JSON', path], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    const [general, track] = JSON.parse(run.stdout).media.track;
    expect(general).toMatchObject({ Format: 'N19', Title: 'Al otro lado', CatalogNumber: 'cms-4711' });
    expect(track).toMatchObject({
      Format: 'N19',
      FrameRate: '25.000',
      Width: '40',
      Height: '23',
      TimeCode_FirstFrame: '10:00:01:00',
      Language: 'es',
      Events_Total: '2',
      Lines_Count: '3',
    });
    expect(track.extra.CharacterSet).toBe('ISO 6937-2');
  });
});

describe('cues from a file of another program', () => {
  const cumulative = (
    part: StlSubtitle['cumulative'],
    startFrame: number,
    endFrame: number,
    ...rows: string[]
  ) =>
    subtitle(
      rows.map((each) => row(each)),
      { cumulative: part, startFrame, endFrame },
    );

  it('contain no comments and colors, and show the growing rows of cumulative sets', () => {
    const at = header.startFrame;
    const spans = [
      { text: 'One ', color: 'yellow' as const },
      { text: 'two', color: 'cyan' as const },
    ];
    const subtitles = [
      subtitle([row('', { spans })], { startFrame: at, endFrame: at + 25, row: 2 }),
      subtitle([row('For the editor')], { startFrame: at + 25, endFrame: at + 50, isComment: true }),
      cumulative('first', at + 50, at + 150, 'a'),
      cumulative('intermediate', at + 75, at + 150, 'b'),
      cumulative('last', at + 100, at + 150, 'c'),
    ];
    expect(cuesFromStl(readStl(writeStl({ header, subtitles })))).toEqual([
      { start_ms: 0, end_ms: 1000, lines: ['One two'], speaker: null, position: 'top' },
      cue(2000, 3000, 'a'),
      cue(3000, 4000, 'a', 'b'),
      cue(4000, 6000, 'a', 'b', 'c'),
    ]);
  });

  it('show the newest rows of an endless cumulative set, as many as a header can declare', () => {
    const at = header.startFrame;
    const subtitles = Array.from({ length: 300 }, (_, i) =>
      cumulative(i === 0 ? 'first' : 'intermediate', at + i, at + 400, `row ${i}`),
    );
    const cues = cuesFromStl(readStl(writeStl({ header, subtitles })));
    expect(cues).toHaveLength(300);
    expect(cues[98]!.lines).toHaveLength(99);
    expect(cues.at(-1)!.lines).toEqual(Array.from({ length: 99 }, (_, i) => `row ${i + 201}`));
  });

  it('start at midnight if a subtitle precedes the start time code', () => {
    const subtitles = [subtitle([row('a')], { startFrame: 25, endFrame: 50 })];
    expect(cuesFromStl({ header, subtitles })).toEqual([cue(1000, 2000, 'a')]);
  });
});
