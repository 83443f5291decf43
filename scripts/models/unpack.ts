/** Unpacks `.tar.bz2` archives from the Internet: only files and folders, only inside one folder, and only up to a limit. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { win32 } from 'node:path';
import type { Readable } from 'node:stream';
import { type ReadEntry, Unpack } from 'tar';
import { ModelFailure, withCure } from './failure.ts';

export type Limits = { bytes: number; files: number };

/** Programs that decompress, the fastest first. They take the same options. */
const decompressors = ['lbzip2', 'pbzip2', 'bzip2'];

/** Unpacks `archive` into the existing folder `into`. If it throws `ModelFailure`, the files that were already written stay. */
export async function unpack(archive: string, into: string, limits: Limits): Promise<void> {
  const child = await decompress(archive);
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  try {
    await extract(child.stdout, into, limits);
    child.stdout.resume();
    if ((await closed) !== 0) throw new ModelFailure(`The archive is damaged: ${complaint.trim()}`);
  } catch (error) {
    if (child.stdout.readableEnded) await closed;
    // Reads the message before the output is closed, because bzip2 then reports a second error.
    const reason = complaint.trim();
    child.stdout.destroy();
    child.kill();
    await closed;
    throw failureFor(error, reason);
  }
}

/** Returns the failure. If bzip2 reports a damaged archive, the damage has caused the other errors. */
function failureFor(error: unknown, complaint: string): unknown {
  const isOfArchive = error instanceof ModelFailure || isTarError(error);
  if (isOfArchive && complaint !== '') return new ModelFailure(`The archive is damaged: ${complaint}`);
  if (isTarError(error))
    return new ModelFailure(`The archive is damaged: ${error.message}`, { cause: error });
  return error instanceof ModelFailure ? error : withCure(error);
}

/** Whether the archive, and not the file system, caused tar's error. */
const isTarError = (error: unknown): error is Error =>
  error instanceof Error && 'tarCode' in error && !('syscall' in error);

async function decompress(archive: string): Promise<ChildProcessByStdio<null, Readable, Readable>> {
  for (const program of decompressors) {
    const child = spawn(program, ['-dc', archive], { stdio: ['ignore', 'pipe', 'pipe'] });
    const isInstalled = await new Promise<boolean>((resolve) => {
      child.once('spawn', () => resolve(true));
      child.once('error', () => resolve(false));
    });
    if (isInstalled) return child;
  }
  throw new ModelFailure(
    'bzip2 is not installed, which unpacks models. Install it: apt-get install bzip2, dnf install bzip2 or brew install bzip2',
  );
}

/** Checks each entry before tar writes it. */
function extract(archive: Readable, into: string, limits: Limits): Promise<void> {
  const check = checkerFor(limits);
  let entries = 0;
  return new Promise((resolve, reject) => {
    const unpacking = new Unpack({
      cwd: into,
      strict: true,
      preserveOwner: false,
      noMtime: true,
      filter: (_, entry) => {
        entries += 1;
        const fault = check(entry as ReadEntry);
        if (fault !== null) unpacking.abort(fault);
        return fault === null;
      },
    });
    unpacking.on('ignoredEntry', ({ path }: ReadEntry) => unpacking.abort(neitherFileNorFolder(path)));
    unpacking.on('error', reject);
    unpacking.on('close', () =>
      entries > 0 ? resolve() : reject(new ModelFailure('The archive is damaged: it is empty.')),
    );
    archive.on('error', reject);
    archive.pipe(unpacking);
  });
}

function checkerFor(limits: Limits): (entry: ReadEntry) => ModelFailure | null {
  let files = 0;
  let bytes = 0;
  return (entry) => {
    const { path, type, size } = entry;
    // tar would only warn of some of these names, and write the entry under another name.
    if (win32.isAbsolute(path) || path.split(/[\\/]/).includes('..'))
      return new ModelFailure(
        `The archive has an entry outside of its folder (${path}), so it was not used.`,
      );
    // The permissions in the archive are not used, because they could make a file unreadable.
    entry.mode = type === 'Directory' ? 0o755 : 0o644;
    if (type === 'Directory') return null;
    if (type !== 'File' && type !== 'OldFile') return neitherFileNorFolder(path);
    files += 1;
    bytes += size;
    if (bytes <= limits.bytes && files <= limits.files) return null;
    return new ModelFailure(
      `The archive unpacks to more than ${Math.round(limits.bytes / 1e6)} MB or ${limits.files} files, so it was not used.`,
    );
  };
}

const neitherFileNorFolder = (path: string) =>
  new ModelFailure(
    `The archive has an entry that is neither a file nor a folder (${path}), so it was not used.`,
  );
