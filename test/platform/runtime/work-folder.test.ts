import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { clearWorkFolders, inWorkFolder } from '../../../platform/runtime/work-folder.ts';

let place: string;
let left: string;
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'work-folder-'));
  vi.stubEnv('TMPDIR', place);
  left = join(place, 'kinora-step-mix-dub-before');
  await mkdir(left);
  await writeFile(join(left, 'video'), 'gigabytes');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(place, { recursive: true });
});

it('the work folder is deleted when the work succeeds or fails', async () => {
  const worked = inWorkFolder('mux-dub', async (folder) => {
    await writeFile(join(folder, 'sound'), 'some');
    throw new Error(folder);
  });
  const folder = await worked.catch(({ message }) => message);
  expect(folder.startsWith(join(place, 'kinora-step-mux-dub-'))).toBe(true);
  expect(existsSync(folder)).toBe(false);
});

it('old work folders are deleted after earlier invocations of a function, also those of engines, but not outside of functions', async () => {
  const ofEngine = join(place, 'pocketsphinx-before');
  await mkdir(ofEngine);
  vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', undefined);
  await clearWorkFolders();
  expect([existsSync(left), existsSync(ofEngine)]).toEqual([true, true]);
  vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'MuxDub');
  await writeFile(join(place, 'compiled.js'), 'of the platform');
  await clearWorkFolders();
  expect([existsSync(left), existsSync(ofEngine)]).toEqual([false, false]);
  expect(existsSync(join(place, 'compiled.js'))).toBe(true);
});

it('the work folder has another name than other folders of the same step', async () => {
  vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'RenderChunk');
  await inWorkFolder('render-clip', (one) =>
    inWorkFolder('render-clip', async () => expect(existsSync(one)).toBe(true)),
  );
});
