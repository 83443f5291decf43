import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StlError } from '../../../../../lambdas/subtitles/rules/stl/file.ts';
import { textOf } from '../../../../../lambdas/subtitles/rules/stl/text-field.ts';
import { cuesFromStl, readStl, writeStl } from '../../../../../lambdas/subtitles/rules/stl.ts';
import { forAny } from '../../../../support/for-any.ts';
import { anyFile, header, row, subtitle } from './files.ts';

const two = () =>
  writeStl({ header, subtitles: [subtitle([row('Uno')]), subtitle([row('Dos')], { number: 1 })] });

/** Returns the file with other bytes in some places. */
function spoilt(file: Uint8Array, changes: Readonly<Record<number, string | readonly number[]>>): Uint8Array {
  const copy = Uint8Array.from(file);
  for (const [offset, bytes] of Object.entries(changes)) {
    copy.set(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes, Number(offset));
  }
  return copy;
}

const textsOf = (file: Uint8Array) => readStl(file).subtitles.map(({ rows }) => rows.map(textOf));
const messagesOf = (file: Uint8Array) =>
  readStl(file).problems.map(({ offset, message }) => `${offset} ${message}`);

describe('a file of another program', () => {
  it('is read completely even if its header has wrong counts', () => {
    const file = spoilt(two(), { 238: '00099' });
    expect(textsOf(file)).toEqual([['Uno'], ['Dos']]);
    expect(messagesOf(file)).toEqual(['238 TNB: The header declares 99 blocks. The file has 2.']);
  });

  it('is read if it has lower case, an unknown code page, table and display, and no time code', () => {
    const file = spoilt(two(), { 0: '999', 3: 'stl25.01', 11: 'x', 12: '77', 256: 'ab000000' });
    expect(textsOf(file)).toEqual([['Uno'], ['Dos']]);
    const defaults = { codePage: '850', codeTable: 'latin', display: 'open', startFrame: 0 };
    expect(readStl(file).header).toMatchObject(defaults);
    expect(readStl(file).problems.map(({ offset }) => offset)).toEqual([0, 11, 12, 256]);
  });

  it('can end its fields with NUL or line ends, and have blanks instead of numbers', () => {
    const blank = { 208: '\0'.repeat(16), 236: '  ', 251: '    ', 224: '      ' };
    const read = { originalTitle: 'Casa', reference: '', revision: 0, maxRows: 0, created: '' };
    expect(readStl(spoilt(two(), { 16: 'Casa\0\0\r\n', ...blank })).header).toMatchObject(read);
  });

  it.each([
    ['STL24.01', 24],
    ['STL50.01', 50],
  ])('is read at the rate of %s', (format, framesPerSecond) => {
    expect(readStl(spoilt(two(), { 3: format })).header.framesPerSecond).toBe(framesPerSecond);
  });

  it('is read even if its last block is incomplete and the end of a subtitle is missing', () => {
    const cut = two().subarray(0, 1024 + 128 + 24);
    expect(textsOf(cut)).toEqual([['Uno'], ['Dos']]);
    expect(messagesOf(cut)).toEqual(['1152 The last block has 24 bytes instead of 128.']);
    const open = spoilt(two(), { [1024 + 3]: [0], [1152 + 3]: [0] });
    expect(textsOf(open)).toEqual([['Uno'], ['Dos']]);
    expect(messagesOf(open)).toEqual([
      '1152 The last block of subtitle 0 is missing.',
      '1280 The last block of the last subtitle is missing.',
    ]);
  });

  it('can have blocks of user data, which are skipped, and text padded with NUL', () => {
    const file = spoilt(two(), {
      [1024 + 3]: [0xfe],
      [1152 + 16]: [...Buffer.from('Tres'), ...Array(108).fill(0)],
    });
    expect(textsOf(file)).toEqual([['Tres']]);
    expect(readStl(file)).toMatchObject({ userDataBlocks: 1, problems: [] });
  });

  it('can have the line ends of text files in open subtitles', () => {
    const open = writeStl({ header: { ...header, display: 'open' }, subtitles: [subtitle([row('')])] });
    const file = spoilt(open, { [1024 + 16]: 'Uno\r\ndos\rtres\ncuatro' });
    expect(textsOf(file)).toEqual([['Uno', 'dos', 'tres', 'cuatro']]);
  });

  it('has a space for teletext codes between words, and no space at the ends of rows', () => {
    const codes = [0x0d, 0x07, 0x0b, 0x0b, 0x20, 0x41, 0x03, 0x42, 0x20, 0x06, 0x43, 0x0a, 0x0a, 0x8a, 0x8a];
    const file = spoilt(two(), { [1024 + 16]: [...codes, ...Array(112 - codes.length).fill(0x8f)] });
    expect(readStl(file).subtitles[0]!.rows).toEqual([
      {
        spans: [
          { text: 'A ', color: 'white' },
          { text: 'B ', color: 'yellow' },
          { text: 'C', color: 'cyan' },
        ],
        isDoubleHeight: true,
        isBoxed: true,
      },
    ]);
  });

  it('has a list of invalid times and bytes', () => {
    const file = spoilt(two(), { [1024 + 5]: [10, 61, 0, 0], [1152 + 16]: [0xd8] });
    expect(messagesOf(file)).toEqual([
      '1024 10:61:0:0 is not a time code at 25 frames a second.',
      '1024 Subtitle 0 does not end after it starts.',
      '1152 Subtitle 1 has bytes that are not in the code table latin.',
    ]);
  });
});

describe('the background of teletext', () => {
  it('is the color before the background code, until the next code or the end of the row', () => {
    // The codes: yellow, new background, blue, then black background and white. The next row begins without colors.
    const text = [0x03, 0x1d, 0x04, 0x0b, 0x0b, 0x41, 0x1c, 0x07, 0x42, 0x8a, 0x43];
    const file = spoilt(two(), { [1024 + 16]: [...text, 0x8f, 0x8f, 0x8f, 0x8f, 0x8f, 0x8f, 0x8f] });
    expect(readStl(file).subtitles[0]!.rows.map(({ spans }) => spans)).toEqual([
      [
        { text: 'A ', color: 'blue', background: 'yellow' },
        { text: 'B', color: 'white' },
      ],
      [{ text: 'C' }],
    ]);
  });
});

describe('a file that is not EBU STL', () => {
  it.each([
    ['nothing', new Uint8Array(), 'too_short', 0],
    ['a part of a header', new Uint8Array(1000).fill(0x20), 'too_short', 1000],
    ['another kind of file', new Uint8Array(4096).fill(0x41), 'not_stl', 3],
  ])('is rejected: %s', (_, file, code, offset) => {
    const read = () => readStl(file);
    expect(read).toThrow(StlError);
    expect(read).toThrow(expect.objectContaining({ code, offset }));
  });

  it('throws only an StlError, for any bytes', () => {
    forAny([fc.uint8Array({ maxLength: 4000 })], (bytes) => {
      const file = spoilt(new Uint8Array(1024 + bytes.length), { 3: 'STL25.01' });
      file.set(bytes, 1024);
      expect(Array.isArray(cuesFromStl(readStl(file)))).toBe(true);
    });
  });

  it('is read as far as possible if bytes of a valid file are changed', () => {
    const change = fc.tuple(fc.nat(), fc.nat(255));
    forAny([anyFile, fc.array(change, { maxLength: 40 })], (file, changes) => {
      const bytes = writeStl(file);
      for (const [place, byte] of changes) bytes[place % bytes.length] = byte;
      try {
        cuesFromStl(readStl(bytes));
      } catch (error) {
        expect(error).toBeInstanceOf(StlError);
      }
    });
  });
});
