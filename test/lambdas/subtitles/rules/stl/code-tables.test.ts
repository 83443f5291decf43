import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { decodeCodePage, encodeInCodePage } from '../../../../../lambdas/subtitles/rules/stl/code-pages.ts';
import {
  type CodeTable,
  codeTableFor,
  decode,
  TableWriter,
} from '../../../../../lambdas/subtitles/rules/stl/code-tables.ts';
import { languageCode, languageOfCode } from '../../../../../lambdas/subtitles/rules/stl/languages.ts';
import { languages } from '../../../../../shared/languages.ts';

function bytesOf(text: string, table: CodeTable): number[] {
  const bytes: number[] = [];
  const writer = new TableWriter(table);
  writer.encode(writer.writable(text), bytes);
  return bytes;
}

const hex = (text: string, table: CodeTable = 'latin') => Buffer.from(bytesOf(text, table)).toString('hex');

/** The iconv of glibc implements the same standards independently. */
const iconv = (bytes: readonly number[], name: string) =>
  spawnSync('iconv', ['-f', name, '-t', 'UTF-8'], { input: Buffer.from(bytes) });
const knows = (name: string) => iconv([0x41], name).status === 0;

describe('code table 00, Latin', () => {
  // The columns of ISO 6937-2, which Tech 3264 adopts. A test below compares them with iconv, if glibc has the table.
  it.each([
    ['¡¢£$¥§', 'a1a2a3a4a5a7'],
    ['¤‘“«←↑→↓', 'a8a9aaabacadaeaf'],
    ['°±²³×µ¶·÷’”»¼½¾¿', 'b0b1b2b3b4b5b6b7b8b9babbbcbdbebf'],
    ['—¹®©™♪', 'd0d1d2d3d4d5'],
    ['⅛⅜⅝⅞', 'dcdddedf'],
    ['ΩÆÐªĦĲĿŁØŒºÞŦŊŉ', 'e0e1e2e3e4e6e7e8e9eaebecedeeef'],
    ['ĸæđðħıĳŀłøœßþŧŋ', 'f0f1f2f3f4f5f6f7f8f9fafbfcfdfe'],
    ['#', '23'],
  ])('has %s at %s', (text, bytes) => expect(hex(text)).toBe(bytes));

  it.each([
    ['à ù', 'c161 20 c175'],
    ['é Ź', 'c265 20 c25a'],
    ['ê ŵ', 'c365 20 c377'],
    ['ñ õ', 'c46e 20 c46f'],
    ['ā', 'c561'],
    ['ğ', 'c667'],
    ['İ ż', 'c749 20 c77a'],
    ['ü ÿ', 'c875 20 c879'],
    ['å ů', 'ca61 20 ca75'],
    ['ç ş', 'cb63 20 cb73'],
    ['ő ű', 'cd6f 20 cd75'],
    ['ą ų', 'ce61 20 ce75'],
    ['č ž', 'cf63 20 cf7a'],
  ])('writes the accent before its letter: %s', (text, bytes) =>
    expect(hex(text)).toBe(bytes.replaceAll(' ', '')),
  );

  it('writes España with the tilde on the n, in any Unicode form', () => {
    expect(hex('España')).toBe('45737061c46e61');
    expect(hex('Espan\u0303a')).toBe('45737061c46e61');
  });

  it('can read every character that it writes', () => {
    const all = 'ÀÉÎÕŪĞŻÜŮÇŐĘŽ ´¯˘˙¨˚¸˝˛ˇ ♪ß$ĲŁ';
    expect(decode(bytesOf(all, 'latin'), 'latin')).toBe(all);
  });

  it('reads a character by its look-alike in the language', () => {
    expect(decode(bytesOf('Știință', 'latin'), 'latin', 'ro')).toBe('Știință');
    expect(decode(bytesOf('Đorđe', 'latin'), 'latin', 'hr')).toBe('Đorđe');
    expect(decode(bytesOf('Ðað', 'latin'), 'latin', 'is')).toBe('Ðað');
  });

  it('keeps an accent on a letter even if the table lacks the pair', () => {
    expect(decode([0xc4, 0x65], 'latin')).toBe('ẽ');
    expect(decode([0x41, 0xc2], 'latin')).toBe('A´');
    expect(decode([0xd8], 'latin')).toBe('\ufffd');
  });

  it.skipIf(!knows('ISO_6937-2'))('is the same as ISO 6937-2 in glibc', () => {
    const singles = Array.from({ length: 0x60 }, (_, i) => [0xa0 + i]).filter(
      ([byte]) => byte! < 0xc0 || byte! > 0xcf,
    );
    const pairs = Array.from({ length: 16 }, (_, i) => 0xc0 + i).flatMap((mark) =>
      [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'].map((letter) => [
        mark,
        letter.charCodeAt(0),
      ]),
    );
    const writer = new TableWriter('latin');
    // One run of iconv decodes all codes, one per line. Codes without a meaning are left out.
    const lines = [...singles, ...pairs].flatMap((bytes) => [...bytes, 0x0a]);
    const run = spawnSync('iconv', ['-c', '-f', 'ISO_6937-2', '-t', 'UTF-8'], { input: Buffer.from(lines) });
    const theirs = run.stdout.toString('utf8').split('\n').slice(0, -1);
    const differing = [...singles, ...pairs].flatMap((bytes, i) => {
      const text = theirs[i]!.normalize('NFC');
      // Skips lines with no character, with a letter whose mark glibc left out, and with the hash, which has its ASCII
      // code too.
      if (/^[ -~]?$/.test(text) && text !== '$') return [];
      const written: number[] = [];
      writer.encode(writer.writable(text), written);
      return Buffer.from(written).equals(Buffer.from(bytes)) ? [] : [text];
    });
    expect(theirs).toHaveLength(singles.length + pairs.length);
    expect(differing).toEqual([]);
  });
});

describe('the tables of other scripts', () => {
  it.each<[CodeTable, string, string]>([
    ['cyrillic', 'Привет № 5', 'bfe0d8d2d5e220f02035'],
    ['arabic', 'مرحبا؟', 'e5d1cdc8c7bf'],
    ['greek', 'Γειά σου', 'c3e5e9dc20f3eff5'],
    ['hebrew', 'שלום', 'f9ece5ed'],
  ])('%s write %s as %s and can read it', (table, text, bytes) => {
    expect(hex(text, table)).toBe(bytes);
    expect(decode(bytesOf(text, table), table)).toBe(text);
  });
});

describe('the code table of a text', () => {
  it.each([
    ['es', ['¿Qué?'], 'latin'],
    ['ru', ['Привет'], 'cyrillic'],
    ['sr', ['Здраво'], 'cyrillic'],
    ['sr', ['Đorđe i Čeda'], 'latin'],
    ['el', ['Γειά'], 'greek'],
    ['he', ['שלום'], 'hebrew'],
    ['ar', ['مرحبا'], 'arabic'],
    ['pt-BR', [], 'latin'],
    [undefined, ['Привет, Ana'], 'cyrillic'],
    ['ja', ['こんにちは'], null],
    ['vi', ['Tiếng Việt'], null],
    ['fa', ['فارسی'], null],
  ])('in %s, %j, is %s', (language, texts, table) => expect(codeTableFor(language, texts)).toBe(table));

  it('is null only for languages of other scripts or with letters that no table has', () => {
    const without = languages.filter(({ code }) => codeTableFor(code, []) === null).map(({ code }) => code);
    expect(without.sort()).toEqual(
      'bn fa gu hi hy ja ka kk kn ko ml mr pa ta te th ur vi zh zh-TW'.split(' '),
    );
  });
});

describe('a character that a table lacks', () => {
  const written = (text: string, table: CodeTable = 'latin') => {
    const writer = new TableWriter(table);
    return { text: writer.writable(text), replaced: writer.replaced };
  };

  it('is replaced by the nearest one, and reported with the number of replacements', () => {
    expect(written('10 €… ẽ – 😀 €')).toEqual({
      text: '10 EUR... e - ? EUR',
      replaced: [
        { character: '€', written: 'EUR', count: 2 },
        { character: '…', written: '...', count: 1 },
        { character: 'ẽ', written: 'e', count: 1 },
        { character: '–', written: '-', count: 1 },
        { character: '😀', written: '?', count: 1 },
      ],
    });
    expect(written('“ﬁn” ♫ ٣', 'cyrillic').text).toBe('"fin" * 3');
  });

  it('is omitted if it is invisible, and becomes a space if it is a kind of space', () => {
    expect(written('a\u00a0b\u200ec\u00add\ufe0f')).toEqual({ text: 'a bcd', replaced: [] });
  });
});

describe('the code pages of the header', () => {
  it.each(['437', '850', '860', '863', '865'] as const)('%s is the same as in glibc', (page) => {
    if (!knows(`CP${page}`)) return;
    const upper = Array.from({ length: 128 }, (_, i) => 128 + i);
    const theirs = iconv(upper, `CP${page}`).stdout.toString('utf8');
    expect(upper.map((byte) => decodeCodePage(Uint8Array.of(byte, 0x41), page)[0]).join('')).toBe(theirs);
    expect(encodeInCodePage(theirs, page)).toEqual(upper);
  });
});

describe('languages', () => {
  // The language codes of the format (Tech 3264, appendix 3), with the tags that readers expect.
  it.each([
    ['en', '09'],
    ['es', '0A'],
    ['fr', '0F'],
    ['pt-BR', '21'],
    ['nl-BE', '2A'],
    ['nb', '1E'],
    ['ru', '56'],
    ['he', '6C'],
    ['el', '70'],
    ['ar', '7E'],
    ['af', '00'],
  ])('%s has the code %s', (tag, code) => expect(languageCode(tag)).toBe(code));

  it('are found by their codes', () => {
    expect(['09', '0a', '00', '2C', 'zz', '7E'].map(languageOfCode)).toEqual(['en', 'es', '', '', '', 'ar']);
  });
});
