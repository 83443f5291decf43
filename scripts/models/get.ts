/** Installs a model: downloads, checks, unpacks and tries it, and then gives it its name. */
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CARD, type Card, sherpaModel, voicesIn } from '../../engines/transcription/sherpa-model.ts';
import { writeJson } from '../../local/state.ts';
import { bar, done } from '../demo/screen.ts';
import type { Entry, Source } from './catalogue.ts';
import { download } from './download.ts';
import { ModelFailure, withCure } from './failure.ts';
import { installRecognizer, PACKAGE_MB } from './package.ts';
import type { Installed, ModelStore } from './store.ts';
import { tryModel } from './trial.ts';
import { unpack } from './unpack.ts';

/** A downloaded archive. `isKnown`: its checksum is the expected one, so an error of the model is not caused by the download. */
type Arrived = { source: Source; file: string; sha256: string; isKnown: boolean };

/** An unpacked model may be at most this many times larger than its archive. Real models compress little. */
const MAX_GROWTH = 8;
const MAX_FILES = 2000;
/** The space that must stay free on the disk, bytes. */
const RESERVE = 256e6;

/** @returns the main file of the recognizer's package. Throws `ModelFailure` if a step fails. */
export async function getModel(store: ModelStore, entry: Entry): Promise<string> {
  assertRoom(store, entry);
  const packageFile = await installRecognizer(store.packages, () =>
    done('Recogniser', `installing sherpa-onnx-node (${PACKAGE_MB} MB, once) …`),
  );
  const arrived: Arrived[] = [];
  for (const source of entry.sources) arrived.push(await fetchSource(store, source));
  try {
    await install(store, entry, arrived, packageFile);
  } catch (error) {
    // Downloads without an expected checksum may be damaged, so they are removed. Other downloads are kept for the next run.
    const doubted = error instanceof ModelFailure ? arrived.filter(({ isKnown }) => !isKnown) : [];
    for (const { file } of doubted) rmSync(file, { force: true });
    throw withCure(error);
  } finally {
    rmSync(store.unpacking, { recursive: true, force: true });
  }
  for (const { source, file, sha256 } of arrived) {
    store.keepChecksum(source.url, sha256);
    rmSync(file, { force: true });
  }
  return packageFile;
}

function assertRoom(store: ModelStore, entry: Entry): void {
  try {
    mkdirSync(store.downloads, { recursive: true });
  } catch (error) {
    throw withCure(error);
  }
  const { bavail, bsize } = statfsSync(store.root);
  const toCome = entry.sources.reduce((sum, source) => sum + stillToCome(store, source), 0);
  const needed = entry.unpacked_mb > 0 ? toCome + entry.unpacked_mb * 1e6 + RESERVE : 0;
  if (bavail * bsize >= needed) return;
  const [need, free] = [needed, bavail * bsize].map((bytes) => Math.round(bytes / 1e6));
  throw new ModelFailure(
    `${entry.name} needs ${need} MB on the disk, but only ${free} MB are free. Nothing was downloaded.`,
  );
}

function stillToCome(store: ModelStore, { url, bytes }: Source): number {
  const here = [fileFor(store, url), `${fileFor(store, url)}.part`].map(
    (file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0,
  );
  return Math.max(0, (bytes ?? 0) - Math.max(...here));
}

const fileFor = (store: ModelStore, url: string) => join(store.downloads, basename(new URL(url).pathname));

async function fetchSource(store: ModelStore, source: Source): Promise<Arrived> {
  const file = fileFor(store, source.url);
  const known = source.sha256 ?? store.knownChecksum(source.url);
  const { bytes, sha256 } = await download({ ...source, sha256: known }, file, (arrived, told) => {
    const total = told ?? source.bytes;
    const of = total === null ? '' : ` of ${megabytes(total)}`;
    bar(`${megabytes(arrived)}${of}`, total ? arrived / total : 0);
  });
  const whose = known === null ? 'kept, and checked from now on' : 'as expected';
  done('Download', `${basename(file)}, ${megabytes(bytes)}, SHA-256 ${sha256.slice(0, 12)}… ${whose}`);
  return { source, file, sha256, isKnown: known !== null };
}

async function install(
  store: ModelStore,
  entry: Entry,
  arrived: readonly Arrived[],
  packageFile: string,
): Promise<void> {
  const unpacked = await unpackAll(arrived, join(store.unpacking, 'archives'));
  const card: Installed = {
    ...identify(unpacked, entry),
    name: entry.name,
    role: entry.role,
    licence: entry.licence,
    sources: arrived.map(({ source: { url }, sha256 }) => ({ url, sha256 })),
    unpacked_bytes: bytesIn(unpacked),
    fetched_at: new Date().toISOString(),
  };
  writeJson(join(unpacked, CARD), card);
  // The model is tried under its final name, because the name determines the kind of model.
  const ready = join(store.unpacking, entry.name);
  renameSync(unpacked, ready);
  done('Trying', 'whether it loads, and hears two seconds …');
  await tryModel(ready, entry.role, packageFile);
  rmSync(store.folderOf(entry.name), { recursive: true, force: true });
  renameSync(ready, store.folderOf(entry.name));
}

/** Unpacks the archives. Returns the folder of the model: the single folder of a single archive, or else the folder of all archives. */
async function unpackAll(arrived: readonly Arrived[], into: string): Promise<string> {
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into, { recursive: true });
  for (const { file } of arrived) {
    if (!file.endsWith('.tar.bz2')) {
      copyFileSync(file, join(into, basename(file)));
      continue;
    }
    done('Unpacking', `${basename(file)} …`);
    await unpack(file, into, { bytes: statSync(file).size * MAX_GROWTH + 1e6, files: MAX_FILES });
  }
  const [first, ...others] = readdirSync(into, { withFileTypes: true });
  const isAlone = arrived.length === 1 && others.length === 0;
  return isAlone && first?.isDirectory() ? join(into, first.name) : into;
}

/** Identifies the model by the catalog and the names in the archive. The result is stored, since folders can be renamed. */
function identify(folder: string, { role, kind, languages }: Entry): Card {
  const files = readdirSync(folder, { recursive: true }) as string[];
  if (role === 'voices') {
    if (voicesIn(folder, files)) return {};
    throw new ModelFailure('The archive lacks the segmentation model or the speaker embedding model.');
  }
  const model = sherpaModel(folder, files, { kind, languages });
  if (model) return { kind: model.kind, languages: model.languages };
  throw new ModelFailure(
    'The archive has no known model. If the model is one file (model.onnx), state its kind with --kind.',
  );
}

function bytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

export function megabytes(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`;
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}
