import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Limits, unpack } from '../../../scripts/models/unpack.ts';
import { archiveOf, bzip2, type Member, tar } from '../../support/models/archive.ts';

let root: string;
let into: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kinora-unpack-'));
  into = join(root, 'into');
  mkdirSync(into);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

const limits: Limits = { bytes: 10e6, files: 20 };
const unpacked = async (archive: Buffer, within = limits) => {
  writeFileSync(join(root, 'archive.tar.bz2'), archive);
  await unpack(join(root, 'archive.tar.bz2'), into, within);
};
const filesOf = (folder: string) => (readdirSync(folder, { recursive: true }) as string[]).sort();

describe('unpacking', () => {
  it('writes files and folders unchanged', async () => {
    const content = Buffer.alloc(2_500_000, 'abc');
    const tokens = { name: './model/tokens.txt', content: 'a 0\n' };
    const others = [{ name: 'model/', type: '5' }, { name: 'model/empty.txt' }];
    await unpacked(archiveOf([...others, { name: 'model/deeper/model.onnx', content }, tokens]));
    const files = ['model/deeper/model.onnx', 'model/empty.txt', 'model/tokens.txt'];
    expect(filesOf(into)).toEqual(['model', 'model/deeper', ...files]);
    expect(readFileSync(join(into, 'model/deeper/model.onnx'))).toEqual(content);
  });

  it('reads the long names of GNU tar and pax', async () => {
    const long = `model/${'n'.repeat(120)}.onnx`;
    // The decimal length at the start of a line includes its own digits: two here.
    const line = (field: string) => `${Buffer.byteLength(field) + 4} ${field}\n`;
    await unpacked(
      archiveOf([
        { name: '././@LongLink', type: 'L', content: `${long}\0` },
        { name: 'cut short', content: 'gnu' },
        { name: 'x', type: 'x', content: `${line('mtime=1.5')}${line('path=model/ü.txt')}` },
        { name: 'model/_.txt', content: 'pax' },
      ]),
    );
    expect(filesOf(join(into, 'model'))).toEqual([`${'n'.repeat(120)}.onnx`, 'ü.txt']);
  });

  it.each<[string, Member]>([
    ['climbs out of the folder', { name: '../outside.txt' }],
    ['climbs out from within', { name: 'model/../../outside.txt' }],
    ['is absolute', { name: join(tmpdir(), 'kinora-outside.txt') }],
    ['is absolute on Windows', { name: 'C:\\outside.txt' }],
    ['climbs out on Windows', { name: 'model\\..\\..\\outside.txt' }],
  ])('refuses a name that %s', async (_, member) => {
    await expect(unpacked(archiveOf([{ ...member, content: 'x' }]))).rejects.toThrow(
      'has an entry outside of its folder',
    );
    expect(filesOf(root)).toEqual(['archive.tar.bz2', 'into']);
  });

  it.each<[string, Member]>([
    ['a symbolic link', { name: 'link', type: '2', linksTo: '/etc/passwd' }],
    ['a hard link', { name: 'link', type: '1', linksTo: '/etc/passwd' }],
    ['a device', { name: 'null', type: '3' }],
    ['a pipe', { name: 'pipe', type: '6' }],
  ])('refuses %s', async (_, member) => {
    await expect(unpacked(archiveOf([member]))).rejects.toThrow('neither a file nor a folder');
    expect(filesOf(into)).toEqual([]);
  });

  it('refuses too many bytes before it writes them', async () => {
    const bomb = archiveOf([{ name: 'zeros', content: Buffer.alloc(12_000_000) }]);
    expect(bomb.length).toBeLessThan(1000);
    await expect(unpacked(bomb)).rejects.toThrow('more than 10 MB or 20 files');
    expect(filesOf(into)).toEqual([]);
  });

  it('refuses more files than its limit', async () => {
    const many = Array.from({ length: 21 }, (_, i) => ({ name: `file${i}` }));
    await expect(unpacked(archiveOf(many))).rejects.toThrow('more than 10 MB or 20 files');
  });

  const honestArchive = bzip2(tar([{ name: 'model.onnx', content: Buffer.alloc(200_000, 'abc') }]));
  it.each<[string, () => Buffer]>([
    ['ends in the middle', () => honestArchive.subarray(0, 100)],
    ['is no bzip2', () => Buffer.from('<html>Not Found</html>')],
    ['is no tar', () => bzip2(Buffer.alloc(1024, 'x'))],
    ['is empty', () => Buffer.alloc(0)],
    ['has a wrong bit', () => Buffer.from(honestArchive).fill(0xff, 60, 64)],
    ['claims more than it has', () => archiveOf([{ name: 'a', content: 'x', size: 5000 }])],
  ])('reports a damaged archive that %s', async (_, archive) => {
    await expect(unpacked(archive())).rejects.toThrow('The archive is damaged');
  });

  it('names the missing program', async () => {
    vi.stubEnv('PATH', into);
    await expect(unpacked(honestArchive)).rejects.toThrow('apt-get install bzip2');
  });

  it('never writes outside of its folder, with any names', async () => {
    const part = fc.constantFrom('..', '.', 'a', '', 'b\\..', '~', 'c:', '/', 'model');
    const name = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('/').slice(0, 99));
    await fc.assert(
      fc.asyncProperty(name, async (given) => {
        await unpacked(archiveOf([{ name: given, content: 'x' }])).catch(() => {});
        expect(readdirSync(root).sort()).toEqual(['archive.tar.bz2', 'into']);
        rmSync(into, { recursive: true });
        mkdirSync(into);
      }),
      { numRuns: 50 },
    );
  });
});
