/**
 * Settings from a file, in addition to the environment. The choice of `npm run models` then applies to the next job,
 * without a restart.
 */
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Settings } from '../../engines/selection.ts';

import { parseJson, recordOf, text } from '../../shared/parse.ts';

/**
 * Reads settings from the environment, and missing ones from a JSON file. The file has names with paths relative to its
 * folder, so that the folder can be moved. Each call checks whether the file has changed (a `stat`, some 3 µs), and
 * returns the same object if it has not. A missing file, or one that is being replaced, adds nothing.
 */
export function settingsWithFile(file: string, environment: Settings): () => Settings {
  let version: string | null = null;
  let settings = environment;
  return () => {
    const found = statSync(file, { throwIfNoEntry: false });
    const current = found ? `${found.ino} ${found.size} ${found.mtimeMs}` : null;
    if (current !== version) {
      version = current;
      settings = current === null ? environment : merged(environment, pathsIn(file));
    }
    return settings;
  };
}

function merged(environment: Settings, chosen: Settings): Settings {
  const given = Object.entries(environment).filter(([, value]) => value);
  return { ...chosen, ...Object.fromEntries(given) };
}

function pathsIn(file: string): Settings {
  const paths = parseJson(recordOf(text), readFileSync(file, 'utf8'));
  return Object.fromEntries(
    Object.entries(paths).map(([name, path]) => [name, resolve(dirname(file), path)]),
  );
}
