import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { engineVariables } from '../../toolchain/local-engines.ts';

const directory = mkdtempSync(join(tmpdir(), 'kinora-path-'));
const program = join(directory, 'recogniser');
writeFileSync(program, '');
chmodSync(program, 0o755);
afterAll(() => rmSync(directory, { recursive: true }));

const settings = { RECOGNISER_PATH: { program: 'recogniser' }, MODEL_DIR: {} };

describe('the settings of engines on this machine', () => {
  it('have the values of the user, and only the names in the template', () => {
    const host = { PATH: '', MODEL_DIR: '/model', RECOGNISER_PATH: '/mine', AWS_PROFILE: 'secret' };
    expect(engineVariables(settings, host)).toEqual({ MODEL_DIR: '/model', RECOGNISER_PATH: '/mine' });
  });

  it('have the programs of the system if the user set none', () => {
    expect(engineVariables(settings, { PATH: `/nowhere:${directory}` })).toEqual({
      RECOGNISER_PATH: program,
    });
  });

  it('are omitted if nothing is found', () => {
    expect(engineVariables(settings, { PATH: '/nowhere' })).toEqual({});
  });
});
