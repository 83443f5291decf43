import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settingsWithFile } from '../../../platform/runtime/environment.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kinora-settings-'));
  file = join(folder, 'in-use.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

function choose(paths: Record<string, string>): void {
  writeFileSync(`${file}.new`, JSON.stringify(paths));
  renameSync(`${file}.new`, file);
}

describe('settings with a file', () => {
  it('are those of the environment if the file is missing', () => {
    const environment = { ENGINES: 'local' };
    expect(settingsWithFile(file, environment)()).toBe(environment);
  });

  it('change with the file while the process runs: when it appears, changes and disappears', () => {
    const settings = settingsWithFile(file, { ENGINES: 'local' });
    choose({ SHERPA_MODEL_DIR: 'one' });
    expect(settings()).toEqual({ ENGINES: 'local', SHERPA_MODEL_DIR: join(folder, 'one') });
    choose({ SHERPA_MODEL_DIR: 'another' });
    expect(settings()).toMatchObject({ SHERPA_MODEL_DIR: join(folder, 'another') });
    rmSync(file);
    expect(settings()).toEqual({ ENGINES: 'local' });
  });

  it('are the same object until the file changes, so that derived values can be cached', () => {
    const settings = settingsWithFile(file, {});
    choose({ SHERPA_MODEL_DIR: 'one' });
    const first = settings();
    expect(settings()).toBe(first);
    choose({ SHERPA_MODEL_DIR: 'two' });
    expect(settings()).not.toBe(first);
  });

  it('prefer the environment, unless its value is empty', () => {
    choose({ SHERPA_MODEL_DIR: 'chosen', SHERPA_VOICES_DIR: 'voices' });
    const settings = settingsWithFile(file, { SHERPA_MODEL_DIR: '/set', SHERPA_VOICES_DIR: '' })();
    expect(settings).toEqual({ SHERPA_MODEL_DIR: '/set', SHERPA_VOICES_DIR: join(folder, 'voices') });
  });
});
