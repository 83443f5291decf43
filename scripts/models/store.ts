/** The folder of installed models, and the choice of the models in use. */
import { readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { CARD, type Card } from '../../engines/transcription/sherpa-model.ts';
import { chosenSettings, layoutOf, localDirectory } from '../../local/layout.ts';
import { readJson, writeJson } from '../../local/state.ts';
import type { Entry } from './catalogue.ts';

/** The facts about an installed model, stored with it in `kinora-model.json`. */
export type Installed = Card &
  Pick<Entry, 'name' | 'role' | 'licence'> & {
    sources: readonly { url: string; sha256: string }[];
    unpacked_bytes: number;
    fetched_at: string;
  };

/** The settings of the engine that select the models in use. Paths are relative to the folder. */
type InUse = { SHERPA_MODEL_DIR?: string; SHERPA_VOICES_DIR?: string; SHERPA_PACKAGE?: string };

const settingOf = { speech: 'SHERPA_MODEL_DIR', voices: 'SHERPA_VOICES_DIR' } as const;

/** Whether the name consists of letters and digits, with `. _ -` between them, so that it is safe as the name of a folder. */
export const isModelName = (name: string): boolean => /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/i.test(name);

/** @param directory the directory of the local cloud */
export function modelStore(directory = localDirectory()) {
  const { models } = layoutOf(directory);
  const inUse = chosenSettings({ models });
  const checksums = join(models, 'checksums.json');
  const folderOf = (name: string) => join(models, name);

  function use({ name, role }: Pick<Entry, 'name' | 'role'>, packageFile?: string): void {
    const chosen = {
      ...readJson<InUse>(inUse),
      [settingOf[role]]: name,
      ...(packageFile && { SHERPA_PACKAGE: relative(models, packageFile) }),
    };
    writeJson(inUse, chosen);
  }

  function installed(): Installed[] {
    const folders = entriesOf(models).filter(isModelName);
    return folders.flatMap((name) => readJson<Installed>(join(folderOf(name), CARD)) ?? []);
  }

  const isInUse = ({ name, role }: Pick<Entry, 'name' | 'role'>): boolean =>
    readJson<InUse>(inUse)?.[settingOf[role]] === name;

  return {
    root: models,
    folderOf,
    use,
    installed,
    packages: join(models, '.package'),
    /** The folder of downloads. Unfinished downloads stay there and continue later. */
    downloads: join(models, '.downloads'),
    /** The folder for unpacking, before a model gets its name. */
    unpacking: join(models, '.unpacking'),

    isInUse,
    /** Whether a speech model is in use. If not, PocketSphinx recognizes speech. */
    hasSpeechInUse: (): boolean => installed().some((model) => model.role === 'speech' && isInUse(model)),

    /** Removes a model. If no model is then in use, the next job uses PocketSphinx. */
    remove({ name, role }: Pick<Entry, 'name' | 'role'>): void {
      const chosen = readJson<InUse>(inUse) ?? {};
      if (chosen[settingOf[role]] === name) {
        const { [settingOf[role]]: _, ...others } = chosen;
        writeJson(inUse, others);
      }
      // Removes the card first: a folder without a card does not count as a model.
      rmSync(join(folderOf(name), CARD), { force: true });
      rmSync(folderOf(name), { recursive: true, force: true });
    },

    /** Returns the SHA-256 of the first download from this URL. Null before the first download. */
    knownChecksum: (url: string): string | null => readJson<Record<string, string>>(checksums)?.[url] ?? null,

    keepChecksum(url: string, sha256: string): void {
      writeJson(checksums, { ...readJson<Record<string, string>>(checksums), [url]: sha256 });
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
