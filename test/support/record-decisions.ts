/**
 * Each test file records the permissions that its functions use in a file of its own, if KINORA_RECORD_PERMISSIONS names a
 * folder. A file fails if a role denied a request, even if the code handled the error.
 */
import { mkdirSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { afterAll, expect } from 'vitest';
import { root } from '../../toolchain/bundle/paths.ts';

/** Filled by `function-permissions.ts`, which most files do not load. */
const shared = globalThis as { deniedRequests?: string[] };
shared.deniedRequests ??= [];
const denied = shared.deniedRequests;

// At once, because test files start their API when they load.
const folder = process.env.KINORA_RECORD_PERMISSIONS;
if (folder) {
  mkdirSync(folder, { recursive: true });
  const file = relative(root, expect.getState().testPath ?? 'unknown').replaceAll(/[\\/]/g, '+');
  process.env.LOCAL_CLOUD_DECISIONS = resolve(root, folder, `${file}.jsonl`);
}

afterAll(() => {
  const advice = 'denied requests; if you changed permissions, run `npm run build` so that tests see them';
  expect([...new Set(denied.splice(0))], advice).toEqual([]);
});
