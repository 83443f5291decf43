import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { inWorkFolder } from '../../../platform/runtime/work-folder.ts';

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

it('is gone when the work ends, well or not', async () => {
  const worked = inWorkFolder('mux-dub', async (folder) => {
    await writeFile(join(folder, 'sound'), 'some');
    throw new Error(folder);
  });
  const folder = await worked.catch(({ message }) => message);
  expect(folder.startsWith(join(place, 'kinora-step-mux-dub-'))).toBe(true);
  expect(existsSync(folder)).toBe(false);
});

it('finds nothing of an invocation before it in a function, and leaves others alone elsewhere', async () => {
  vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', undefined);
  await inWorkFolder('mux-dub', async () => expect(existsSync(left)).toBe(true));
  vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'MuxDub');
  await inWorkFolder('mux-dub', async () => expect(existsSync(left)).toBe(false));
});
