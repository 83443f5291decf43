import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openFonts } from '../../../media/rendering/choose-font.ts';
import { installFonts } from '../../../media/rendering/install-fonts.ts';
import { filterValue } from '../../../media/rendering/render-chunk.ts';
import type { BurnedCue } from '../../../media/rendering/split-cue.ts';
import { plainStyle, type SubtitleStyle } from '../../../media/rendering/subtitle-style.ts';
import { writeAss } from '../../../media/rendering/write-ass.ts';
import { fixturePath } from '../../fixtures/media.ts';

const execute = promisify(execFile);
const fonts = openFonts();
const hd = { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709' };
const bare: SubtitleStyle = { ...plainStyle, font_size_px: 60, stroke_thickness_px: 0 };
const cue = (lines: readonly string[], more: Partial<BurnedCue> = {}): BurnedCue => ({
  ...{ start_ms: 0, end_ms: 1000, lines, ...more },
});

type Size = readonly [width: number, height: number];
const set = (
  cues: readonly BurnedCue[],
  style: Partial<SubtitleStyle> = {},
  [width, height]: Size = [960, 540],
) => writeAss(cues, { ...bare, ...style }, { width, height, colour: hd }, { fonts });

let count = 0;

/** Draws subtitles over gray. Returns the first picture. */
async function drawn(
  cues: readonly BurnedCue[],
  style: Partial<SubtitleStyle> = {},
  size: Size = [960, 540],
) {
  const [width, height] = size;
  const { document, fonts: paths } = set(cues, style, size);
  count += 1;
  const folder = fixturePath(`subtitles-${count}`);
  await mkdir(folder);
  await writeFile(`${folder}/a.ass`, document);
  const own = await installFonts(paths, folder);
  const filters = [
    `ass=filename=${filterValue(`${folder}/a.ass`)}:fontsdir=${filterValue(own.folder)}`,
    'scale=in_color_matrix=bt709:flags=accurate_rnd+full_chroma_int,format=rgb24',
  ];
  const source = `color=gray:s=${width}x${height}:r=25:d=1,format=yuv420p`;
  const args = ['-v', 'error', '-f', 'lavfi', '-i', source, '-vf', filters.join(), '-frames:v', '1'];
  const { stdout, stderr } = await execute('ffmpeg', [...args, '-f', 'rawvideo', '-'], {
    ...{ encoding: 'buffer', maxBuffer: 1 << 28, env: { ...process.env, ...own.environment } },
  });
  expect(String(stderr)).toBe('');
  return { width, height, rgb: stdout };
}

type Picture = Awaited<ReturnType<typeof drawn>>;

/** The rectangle around all pixels with about this color, and their number. */
function extent({ width, rgb }: Picture, colour: readonly number[], by = 24) {
  const far = Number.POSITIVE_INFINITY;
  const box = { left: far, right: -1, top: far, bottom: -1, pixels: 0 };
  for (let at = 0; at < rgb.length; at += 3) {
    const isIt = colour.every((value, channel) => Math.abs(rgb[at + channel]! - value) <= by);
    if (!isIt) continue;
    const [x, y] = [(at / 3) % width, Math.floor(at / 3 / width)];
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
    box.pixels += 1;
  }
  return box;
}

/** The rectangle around all pixels that differ from the gray background. */
function touched({ width, rgb }: Picture) {
  const changed = Buffer.alloc(rgb.length, 128);
  for (let at = 0; at < rgb.length; at += 3) {
    if (Math.abs(rgb[at]! - 128) + Math.abs(rgb[at + 1]! - 128) + Math.abs(rgb[at + 2]! - 128) > 30)
      changed.fill(0, at, at + 3);
  }
  return extent({ width, height: 0, rgb: changed }, [0, 0, 0]);
}

const white = [255, 255, 255];

describe('burned-in subtitles', () => {
  it('have letters with the height of the font at the given size, on the baseline of the line height', async () => {
    const { font } = fonts.chosen('Inter', 600);
    for (const line_height of [1, 2]) {
      const picture = await drawn([cue(['HHH'])], { line_height, vertical_position_pct: 0.2 });
      const { top, bottom, left, right } = extent(picture, white, 60);
      // Inter's capitals are .727 of the em. The em is 60 px of 1080 lines, and so 30 of 540.
      expect(Math.abs(bottom - top + 1 - 0.727 * 30)).toBeLessThanOrEqual(1);
      const line = 30 * line_height;
      const baseline = 540 * 0.8 - line + (line - (font.ascent + font.descent) * 30) / 2 + font.ascent * 30;
      expect(Math.abs(bottom + 1 - baseline)).toBeLessThanOrEqual(1);
      expect(Math.abs((left + right) / 2 - 480)).toBeLessThanOrEqual(1);
    }
  });

  it('have the right colors in pictures with BT.709', async () => {
    const stroke = { stroke_thickness_px: 8, stroke_color: '#1D3557' };
    const picture = await drawn([cue(['MMMM'])], { font_size_px: 150, text_color: '#E63946', ...stroke });
    expect(extent(picture, [230, 57, 70], 4).pixels).toBeGreaterThan(400);
    expect(extent(picture, [29, 53, 87], 4).pixels).toBeGreaterThan(400);
  });

  it('have the weight of the font', async () => {
    const inkOf = async (font_weight: number) =>
      extent(await drawn([cue(['Bold'])], { font_weight }), white, 60).pixels;
    const inks = [await inkOf(200), await inkOf(400), await inkOf(600), await inkOf(900)];
    expect(inks).toEqual(inks.toSorted((one, other) => one - other));
    expect(inks[3]! / inks[0]!).toBeGreaterThan(2.5);
  });

  it('have an outline of the requested thickness outside the letters', async () => {
    const plain = extent(await drawn([cue(['HHH'])]), white, 60);
    const picture = await drawn([cue(['HHH'])], { stroke_thickness_px: 12, stroke_color: '#0000FF' });
    expect(extent(picture, white, 60)).toEqual({ ...plain, pixels: expect.any(Number) });
    const around = touched(picture);
    // 12 px in a picture of 1080 lines are 6 px in one of 540 lines.
    expect(around.left).toBeGreaterThanOrEqual(plain.left - 8);
    expect(around.left).toBeLessThanOrEqual(plain.left - 5);
    expect(around.bottom).toBeGreaterThanOrEqual(plain.bottom + 5);
  });

  it('have a shadow with the requested offset, opacity and blur, and none without a color', async () => {
    const shadow = { shadow_color: '#000000', shadow_offset_x_px: 40, shadow_offset_y_px: 60 } as const;
    const hard = await drawn([cue(['HHH'])], { ...shadow, shadow_opacity_pct: 0.5 });
    const text = extent(hard, white, 60);
    const half = extent(hard, [64, 64, 64], 8);
    expect([half.left - text.left, half.bottom - text.bottom]).toEqual(
      [20, 30].map((by) => expect.toSatisfy((found: number) => Math.abs(found - by) <= 1)),
    );
    const soft = await drawn([cue(['HHH'])], { ...shadow, shadow_opacity_pct: 0.5, shadow_blur: 20 });
    expect(touched(soft).pixels).toBeGreaterThan(1.2 * touched(hard).pixels);
    expect(extent(soft, [64, 64, 64], 8).pixels).toBeLessThan(half.pixels / 2);
    const none = await drawn([cue(['HHH'])], { ...shadow, shadow_color: undefined });
    expect(touched(none).bottom).toBeLessThanOrEqual(text.bottom + 1);
  });

  it('have a box of the requested opacity behind them, without seams between lines', async () => {
    const box = { background_color: '#000000', background_opacity: 0.5, vertical_position_pct: 0.1 };
    const picture = await drawn([cue(['A line above another', 'and the one below it'])], box);
    const { left, right, top, bottom, pixels } = extent(picture, [64, 64, 64], 4);
    const text = extent(picture, white, 60);
    expect(left).toBeLessThan(text.left - 5);
    expect(right).toBeGreaterThan(text.right + 5);
    expect(Math.abs(bottom - 540 * 0.9 - 0.12 * 30)).toBeLessThanOrEqual(2);
    expect(Math.abs(bottom - top - (2 * 36 + 0.24 * 30))).toBeLessThanOrEqual(2);
    expect(pixels).toBeGreaterThan(10_000);
    const column = Array.from(
      { length: bottom - top - 1 },
      (_, y) => picture.rgb[((top + 1 + y) * 960 + text.left - 6) * 3]!,
    );
    const isEven = column.filter((level) => Math.abs(level - 64) <= 4 || Math.abs(level - 128) <= 4);
    expect(isEven).toHaveLength(column.length);
  });

  it('stay within the picture for every aspect ratio and every height', async () => {
    const long = cue([
      'A line that is much too long for a picture that is so narrow',
      'and another of the kind',
    ]);
    const sizes: [Size, Size, Size] = [
      [304, 540],
      [540, 540],
      [960, 400],
    ];
    for (const vertical_position_pct of [0, 0.5, 1]) {
      for (const size of sizes) {
        const style = { vertical_position_pct, stroke_thickness_px: 4 };
        const { left, right, top, bottom } = touched(await drawn([long], style, size));
        expect(left).toBeGreaterThanOrEqual(size[0] * 0.04);
        expect(right).toBeLessThan(size[0] * 0.96);
        expect(top).toBeGreaterThanOrEqual(0);
        expect(bottom).toBeLessThan(size[1]);
      }
    }
  });

  it('are at the top if the cue says so', async () => {
    const both = [cue(['[applause]'], { position: 'top' }), cue(['What is said'])];
    for (const vertical_position_pct of [0.1, 0.8]) {
      const { document } = set(both, { vertical_position_pct });
      const places = [...document.matchAll(/\\pos\(480,([\d.]+)\)/g)].map(([, y]) => Number(y));
      expect(Math.abs(places[0]! - places[1]!)).toBeGreaterThan(200);
    }
  });

  it('mark the words of two speakers with dashes, on separate lines', () => {
    const { document } = set([cue(['Are you there?', '- Yes.'], { voices: ['A', 'B'] })]);
    expect(document).toContain('}- Are you there?');
    expect(document).toContain('}- Yes.');
  });

  it('show commands in texts as plain text', async () => {
    const plain = await drawn([cue([String.raw`{\b1}C:\new\Neu\h {\pos(0,0)}`])]);
    const { top, bottom } = touched(plain);
    expect([top > 400, bottom < 500]).toEqual([true, true]);
    const forged = 'a\u0000b\nDialogue: 0,0:00:00.00,9:00:00.00,Text,,0,0,0,,x\u2028c\ud800';
    for (const line of set([cue([forged])]).document.matchAll(/^Dialogue.*/gm))
      expect(line[0]).toContain('\\pos');
    // A combining accent after a letter is drawn as part of the letter.
    expect(set([cue(['Cafe\u0301'])]).document).toContain('Café');
  });

  it('contain no command, line or break from the text of a user', () => {
    const sign = fc.constantFrom(...'{}\\Nnh,;\n\r\u2029 \u202e', 'p1', '\\p1', '{\\fnA}');
    const anything = fc.array(fc.oneof(sign, fc.string()), { maxLength: 20 });
    fc.assert(
      fc.property(anything, anything, fc.string(), (one, other, font_family) => {
        const lines = [one.join(''), other.join('')];
        const { document } = set([cue(lines)], {
          font_family,
          background_color: '#000000',
          background_opacity: 1,
        });
        const events = document.slice(document.indexOf('\nDialogue')).split('\n').slice(1, -1);
        for (const event of events) {
          const text = /^Dialogue: [012],0:00:0\d\.\d\d,0:00:0\d\.\d\d,(?:Text|Box),,0,0,0,,(\{.*)$/.exec(
            event,
          )![1]!;
          // libass reads escaped braces as text, and other braces as commands. All commands must be our own.
          const commands = text.match(/(?<!\\)\{[^}]*\}/g)!;
          const ours =
            /^\{(?:\\(?:an\d|pos\([\d.,-]+\)|clip\([\d.,-]+\)|fn[\w -]+|fs[\d.]+|[1-4]c?a?&H[0-9A-F]+&|[xy]?(?:bord|shad)[\d.-]+|blur[\d.]+|p1))+\}$/;
          for (const command of commands) expect(command).toMatch(ours);
          expect(text.replace(/(?<!\\)\{[^}]*\}/g, '')).not.toMatch(/\\(?![{}\u2060])|(?<!\\)[{}]/);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('show every script and emoji in a suitable font, and report characters without a font', async () => {
    const lines = ['مرحبا بالعالم', 'שלום', '漢字かな', '한국어', 'ไทย', 'हिन्दी', '😀🎉'];
    for (const line of lines) expect(set([cue([line])]).notes, line).toEqual([]);
    // libass has only the fonts of the text. So a character without a font is drawn as an empty box, and emoji must not
    // be boxes.
    const smile = touched(await drawn([cue(['😀'])]));
    const box = touched(await drawn([cue(['\u{10fffd}'])]));
    expect(smile.pixels).not.toBe(box.pixels);
    expect(set([cue(['\u{10fffd}'])]).notes).toMatchObject([{ code: 'glyphs_missing' }]);
  });

  it('have a width that counts all parts of a combined emoji, for lines and for the box', async () => {
    const families = '👨‍👩‍👧‍👦 '.repeat(9).trim();
    const { left, right } = touched(await drawn([cue([families])], {}, [540, 540]));
    expect(left).toBeGreaterThanOrEqual(540 * 0.04);
    expect(right).toBeLessThan(540 * 0.96);
    const box = { background_color: '#000000', background_opacity: 0.5 };
    const picture = await drawn([cue(['It is in 🇪🇸 and 🇮🇹'])], box);
    const [behind, text] = [extent(picture, [64, 64, 64], 4), extent(picture, white, 60)];
    expect(behind.left).toBeLessThan(text.left - 5);
    expect(behind.right).toBeGreaterThan(text.right + 5);
  });

  it('omit skin tones, and use the font of the words after an emoji', () => {
    const { document } = set([cue(['It is 👍🏽 & 100 % good'])]);
    expect(document).toContain('}👍{');
    expect(document).toMatch(/\}👍\{\\fnInter-SemiBold[^}]*\} & 100 % good/);
  });

  it('use another font, and a note says so, if the family is not available', () => {
    const { notes, fonts: files } = set([cue(['A'])], { font_family: 'Comic Neue' });
    const detail = 'The font family "Comic Neue" is not available. The subtitles use Inter.';
    expect(notes).toEqual([{ code: 'font_substituted', detail }]);
    expect(files).toEqual(['/usr/share/fonts/opentype/inter/Inter-SemiBold.otf']);
    // Built-in members of JavaScript objects must not count as fonts.
    for (const family of ['__proto__', 'constructor'])
      expect(set([cue(['A'])], { font_family: family }).notes).toHaveLength(1);
    for (const family of ['Inter', 'Open Sans', 'Roboto', 'Lato', 'DejaVu Sans', 'Noto Sans', 'sans-serif']) {
      expect(set([cue(['A'])], { font_family: family }).notes).toEqual([]);
    }
  });

  /** Groups lines that are shown at the same time. Times are in seconds. */
  const pages = (cues: readonly BurnedCue[], style: Partial<SubtitleStyle>, size: Size) => {
    const { document } = set(cues, style, size);
    const seconds = (time: string) => time.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);
    const lines = [...document.matchAll(/^Dialogue: 2,([\d:.]+),([\d:.]+),.*?\}(.*)$/gm)];
    return [...Map.groupBy(lines, ([, start]) => start!)].map(([start, shown]) => ({
      ...{ from: seconds(start), to: seconds(shown[0]![2]!) },
      lines: shown.map(([, , , text]) => text!.replace(/\{\\[^}]*\}/g, '')),
    }));
  };
  const upright = [1080, 1920] as const;
  const spoken = [
    ['Съешь же ещё этих мягких французских', 'булок, да выпей чаю'],
    ['Cuando nos envió un vídeo, escuchará al', 'habla y escribirá abajo cada palabra.'],
    ['Wir fahren heute mit der Bahn über Land', 'und kommen erst gegen Abend wieder heim.'],
  ];

  it('get new line breaks in narrow frames: pages of three lines, without a lost word or a gap', () => {
    for (const lines of spoken) {
      const shown = pages([cue(lines, { end_ms: 5000 })], { font_size_px: 50 }, upright);
      expect(shown.flatMap((page) => page.lines).join(' ')).toBe(lines.join(' '));
      expect(Math.max(...shown.map((page) => page.lines.length))).toBeLessThanOrEqual(3);
      expect([shown[0]!.from, shown.at(-1)!.to]).toEqual([0, 5]);
      for (const [at, page] of shown.entries()) {
        expect(page.to - page.from).toBeGreaterThan(0.8);
        if (at > 0) expect(page.from).toBe(shown[at - 1]!.to);
      }
    }
  });

  it('have two lines if the frame is wide enough, and the written lines if these fit', () => {
    for (const lines of spoken) {
      expect(pages([cue(lines)], { font_size_px: 44 }, [1920, 1080])).toMatchObject([{ lines }]);
      for (const { lines: shown } of pages([cue(lines, { end_ms: 5000 })], {}, [1080, 1080]))
        expect(shown.length).toBeLessThanOrEqual(2);
    }
  });

  it('are split after a sentence or a clause, or between two speakers', () => {
    const lines = ['We came home late that evening. Mother', 'was there, and all the lights were out.'];
    const [first] = pages([cue(lines, { end_ms: 6000 })], { font_size_px: 50 }, upright);
    expect(first!.lines.at(-1)).toMatch(/evening\.$/);
    const two = ['- Where were you when the lights went out?', '- At home, and then with my old neighbours.'];
    const [one, other] = pages([cue(two, { end_ms: 4000 })], { font_size_px: 50 }, upright);
    expect([one!.lines.join(' '), other!.lines.join(' ')]).toEqual(two);
  });

  it('join lines without a space in scripts that have no spaces', () => {
    const lines = [
      '吾輩は猫である。名前はまだ無い。どこで生れたか',
      'とんと見当がつかぬ。何でも薄暗いところで泣いていた',
    ];
    const shown = pages([cue(lines, { end_ms: 5000 })], { font_size_px: 44 }, [1080, 1080]);
    expect(shown.flatMap((page) => page.lines).join('')).toBe(lines.join(''));
  });

  it('get more lines instead of pages that are too short to read', () => {
    const [page, ...others] = pages([cue(spoken[1]!, { end_ms: 1000 })], { font_size_px: 50 }, upright);
    expect(others).toEqual([]);
    expect(page!.lines.length).toBeGreaterThan(3);
  });

  it('divide only words that are wider than a line, and leave no single letter on a line', () => {
    const text = 'die Donaudampfschifffahrtsgesellschaften von Nordrhein-Westfalen und Schleswig-Holstein';
    for (let width = 500; width < 1080; width += 20) {
      const shown = pages([cue([text], { end_ms: 9000 })], { font_size_px: 50 }, [width, 1920]);
      const all = shown.flatMap(({ lines }) => lines);
      expect(all.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      expect(Math.min(...all.map((line) => line.length))).toBeGreaterThanOrEqual(3);
    }
    const shown = pages([cue([text], { end_ms: 9000 })], { font_size_px: 50 }, upright);
    const words = shown.flatMap(({ lines }) => lines.join(' ').split(' '));
    expect(words).toEqual(expect.arrayContaining(['die', 'von', 'und']));
  });

  it('show ten thousand characters in pages, without losing one', () => {
    const text = Array.from({ length: 1700 }, (_, at) => `w${at}`).join(' ');
    const shown = pages([cue([text], { end_ms: 60_000 })], {}, upright);
    expect(shown.flatMap(({ lines }) => lines).join(' ')).toBe(text);
    for (const { lines } of shown)
      expect(lines.length * 1.2 * 60 * (1920 / 1080)).toBeLessThanOrEqual(1920 / 2);
  });
});
