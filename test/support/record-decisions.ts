/** Each test file records the permissions that it uses in a file of its own, if KINORA_RECORD_PERMISSIONS names a folder. */
import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeAll, expect } from 'vitest';
import { root } from '../../toolchain/bundle/paths.ts';

beforeAll(() => {
  const folder = process.env.KINORA_RECORD_PERMISSIONS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  const file = relative(root, expect.getState().testPath ?? 'unknown').replaceAll(/[\\/]/g, '+');
  process.env.LOCAL_CLOUD_DECISIONS = join(root, folder, `${file}.jsonl`);
});
