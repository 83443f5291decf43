/** What lies in the folder of the models, and which of it is in use. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { CARD, type Card } from '../../engines/transcription/sherpa-model.ts';
import { chosenSettings, layoutOf, localDirectory } from '../../local/layout.ts';
import type { Entry } from './catalogue.ts';

/** What is kept of a model beside it, in `kinora-model.json`. */
export type Installed = Card &
  Pick<Entry, 'name' | 'role' | 'licence'> & {
    /** Where each part came from, and the checksum that it had. */
    sources: readonly { url: string; sha256: string }[];
    unpacked_bytes: number;
    fetched_at: string;
  };

/** The settings of the engine that name what is used, with paths relative to the folder. */
type InUse = { SHERPA_MODEL_DIR?: string; SHERPA_VOICES_DIR?: string; SHERPA_PACKAGE?: string };

const settingOf = { speech: 'SHERPA_MODEL_DIR', voices: 'SHERPA_VOICES_DIR' } as const;

/** Letters, digits, and `. _ -` between them: a folder of its own below that of the models. */
export const isModelName = (name: string): boolean => /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/i.test(name);

/** @param directory of the local cloud */
export function modelStore(directory = localDirectory()) {
  const { models } = layoutOf(directory);
  const inUse = chosenSettings({ models });
  const checksums = join(models, 'checksums.json');
  const folderOf = (name: string) => join(models, name);

  function use({ name, role }: Pick<Entry, 'name' | 'role'>, packageFile?: string): void {
    const chosen = {
      ...readJson<InUse>(inUse, {}),
      [settingOf[role]]: name,
      ...(packageFile && { SHERPA_PACKAGE: relative(models, packageFile) }),
    };
    writeJson(inUse, chosen);
  }

  function installed(): Installed[] {
    const folders = entriesOf(models).filter(isModelName);
    return folders.flatMap((name) => readJson<Installed | null>(join(folderOf(name), CARD), null) ?? []);
  }

  const isInUse = ({ name, role }: Pick<Entry, 'name' | 'role'>): boolean =>
    readJson<InUse>(inUse, {})[settingOf[role]] === name;

  return {
    root: models,
    folderOf,
    use,
    installed,
    /** Where the package of the recogniser is installed. */
    packages: join(models, '.package'),
    /** Where archives arrive: what is left there is gone on with. */
    downloads: join(models, '.downloads'),
    /** Where an archive is unpacked before it takes its name. */
    unpacking: join(models, '.unpacking'),

    isInUse,
    /** Otherwise speech is PocketSphinx's. */
    hasSpeechInUse: (): boolean => installed().some((model) => model.role === 'speech' && isInUse(model)),

    /** Without a model in use the next job is PocketSphinx's again. */
    remove({ name, role }: Pick<Entry, 'name' | 'role'>): void {
      const chosen = readJson<InUse>(inUse, {});
      if (chosen[settingOf[role]] === name) {
        const { [settingOf[role]]: _, ...others } = chosen;
        writeJson(inUse, others);
      }
      // The card goes first: half a model is none.
      rmSync(join(folderOf(name), CARD), { force: true });
      rmSync(folderOf(name), { recursive: true, force: true });
    },

    /** The SHA-256 that an address had when it was fetched first here; null before that. */
    knownChecksum: (url: string): string | null =>
      readJson<Record<string, string>>(checksums, {})[url] ?? null,

    keepChecksum(url: string, sha256: string): void {
      writeJson(checksums, { ...readJson<Record<string, string>>(checksums, {}), [url]: sha256 });
    },
  };
}

export type ModelStore = ReturnType<typeof modelStore>;

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readJson<T>(file: string, otherwise: T): T {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return otherwise;
  }
}

/** Appears whole or not at all: functions may read it at any moment. */
export function writeJson(file: string, value: unknown): void {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, `${JSON.stringify(value, null, 2)}\n`);
  renameSync(`${file}.${process.pid}`, file);
}
