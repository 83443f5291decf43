/**
 * Unpacks `.tar.bz2` archives of strangers: plain files and folders below one folder, and nothing else. `bzip2` decompresses;
 * the archive itself is read here, so that every name and size is looked at before anything is written.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, join, normalize, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { ModelFailure, withCure } from './failure.ts';

export type Limits = { bytes: number; files: number };

/** POSIX.1-2017, pax, "ustar Interchange Format": headers and contents fill blocks of 512 bytes. */
const BLOCK = 512;
/** A name or an extended header that is longer is none of an honest archive. */
const MAX_HEADER_BYTES = 64 << 10;
const WRITE_BYTES = 1 << 20;

/** Programs that decompress, the fastest first: they take the same options. */
const decompressors = ['lbzip2', 'pbzip2', 'bzip2'];

/** Unpacks `archive` into the existing folder `into`. Throws `ModelFailure`; what was written until then stays. */
export async function unpack(archive: string, into: string, limits: Limits): Promise<void> {
  const child = await decompress(archive);
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  try {
    await extract(blocksOf(child.stdout), into, limits);
    child.stdout.resume();
    if ((await closed) !== 0) throw new ModelFailure(`The archive is damaged: ${said.trim()}`);
  } catch (error) {
    if (child.stdout.readableEnded) await closed;
    // What it says from here on is that nobody listens any more.
    const reason = said.trim();
    child.stdout.destroy();
    child.kill();
    await closed;
    throw whyNot(error, reason);
  }
}

/** What bzip2 says of a damaged archive goes before what follows from it here. */
function whyNot(error: unknown, said: string): unknown {
  if (error instanceof ModelFailure)
    return said === '' ? error : new ModelFailure(`The archive is damaged: ${said}`);
  const isThereAlready = ['EEXIST', 'EISDIR', 'ENOTDIR'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  );
  return isThereAlready
    ? new ModelFailure('The archive holds a name twice, so it was not used.', { cause: error })
    : withCure(error);
}

async function decompress(archive: string): Promise<ChildProcessByStdio<null, Readable, Readable>> {
  for (const program of decompressors) {
    const child = spawn(program, ['-dc', archive], { stdio: ['ignore', 'pipe', 'pipe'] });
    const isThere = await new Promise<boolean>((resolve) => {
      child.once('spawn', () => resolve(true));
      child.once('error', () => resolve(false));
    });
    if (isThere) return child;
  }
  throw new ModelFailure(
    'bzip2 is not installed, which unpacks models. Install it: apt-get install bzip2, dnf install bzip2 or brew install bzip2',
  );
}

/** Reads exactly so many bytes, at most `most` at a time; ends where the stream does. */
type Blocks = { read(length: number): Promise<Buffer> };

function blocksOf(stream: Readable): Blocks {
  const chunks = stream[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  return {
    async read(length) {
      const parts: Buffer[] = [rest];
      let have = rest.length;
      while (have < length) {
        const { value, done } = await chunks.next();
        if (done) throw new ModelFailure('The archive is damaged: it ends in the middle.');
        parts.push(value as Buffer);
        have += (value as Buffer).length;
      }
      const all = parts.length === 1 ? rest : Buffer.concat(parts);
      rest = all.subarray(length);
      return all.subarray(0, length);
    },
  };
}

type Header = { name: string; size: number; type: string };

async function extract(blocks: Blocks, into: string, limits: Limits): Promise<void> {
  let left = limits.bytes;
  let files = 0;
  /** What the header before says of the next one. */
  let next: { name?: string; size?: number } = {};
  for (;;) {
    const block = await blocks.read(BLOCK);
    const isEnd = block.every((byte) => byte === 0);
    if (isEnd) return;
    const header = headerOf(block);
    if (header.type === 'L' || header.type === 'x' || header.type === 'g') {
      const content = await contentOf(blocks, header.size);
      if (header.type === 'L') next.name = untilNul(content);
      if (header.type === 'x') next = { ...next, ...paxFields(content) };
      continue;
    }
    const { name, size, type } = { ...header, ...next };
    next = {};
    const path = join(into, safeName(name));
    if (type === '5') {
      await mkdir(path, { recursive: true });
      continue;
    }
    if (type !== '0' && type !== '\0')
      throw new ModelFailure(
        `The archive holds what is neither a file nor a folder (${name}), so it was not used.`,
      );
    left -= size;
    files += 1;
    if (left < 0 || files > limits.files)
      throw new ModelFailure(
        `The archive unpacks to more than ${Math.round(limits.bytes / 1e6)} MB or ${limits.files} files, so it was not used.`,
      );
    await mkdir(dirname(path), { recursive: true });
    await write(blocks, path, size);
  }
}

function headerOf(block: Buffer): Header {
  const text = (from: number, length: number) => untilNul(block.subarray(from, from + length));
  const sum = block.reduce((total, byte, i) => total + (i >= 148 && i < 156 ? 32 : byte), 0);
  if (sum !== Number.parseInt(text(148, 8).trim(), 8))
    throw new ModelFailure('The archive is damaged: it is no tar archive, or a part of it is not.');
  const prefix = text(257, 5) === 'ustar' && block[262] === 0 ? text(345, 155) : '';
  return {
    name: prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`,
    size: sizeOf(block.subarray(124, 136)),
    type: String.fromCharCode(block[156]!),
  };
}

/** Octal digits; GNU tar writes what is larger than 8 GB as a number of 8 bytes. */
function sizeOf(field: Buffer): number {
  if (field[0]! & 0x80) return Number(field.readBigUInt64BE(4));
  return Number.parseInt(untilNul(field).trim() || '0', 8);
}

/** `12 path=a/b\n`, the length in decimal digits counting the whole line. */
function paxFields(content: Buffer): { name?: string; size?: number } {
  const fields: { name?: string; size?: number } = {};
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const length = Number(content.toString('latin1', at, space));
    if (space < 0 || !(length > 0))
      throw new ModelFailure('The archive is damaged: an extended header is not one.');
    const [key, ...value] = content.toString('utf8', space + 1, at + length - 1).split('=');
    if (key === 'path') fields.name = value.join('=');
    if (key === 'size') fields.size = Number(value.join('='));
    at += length;
  }
  return fields;
}

async function contentOf(blocks: Blocks, size: number): Promise<Buffer> {
  if (!(size <= MAX_HEADER_BYTES))
    throw new ModelFailure('The archive is damaged: a header in it is too long.');
  const padded = await blocks.read(Math.ceil(size / BLOCK) * BLOCK);
  return padded.subarray(0, size);
}

/** A path below the folder that it is put in. Throws for one that leads out of it, or is absolute on any system. */
function safeName(name: string): string {
  const path = normalize(name);
  const leadsOut = path === '..' || path.startsWith(`..${sep}`) || name.split(/[\\/]/).includes('..');
  if (leadsOut || /^[\\/]|^[a-z]:|\0/i.test(name))
    throw new ModelFailure(
      `The archive holds a name that leads out of its folder (${name}), so it was not used.`,
    );
  return path;
}

async function write(blocks: Blocks, path: string, size: number): Promise<void> {
  // Never over what is there: a name that comes twice is none of an honest archive, and a link cannot be followed.
  const file: FileHandle = await open(path, 'wx');
  try {
    for (let left = size; left > 0; ) {
      const length = Math.min(left, WRITE_BYTES);
      await file.writeFile(await blocks.read(length));
      left -= length;
    }
    await blocks.read((BLOCK - (size % BLOCK)) % BLOCK);
  } finally {
    await file.close();
  }
}

function untilNul(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end);
}
