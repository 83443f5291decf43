/** Copies the files that the canary sends to `build/lambdas/Canary/files`, next to its bundle. */
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { lambdasFolder, root } from './paths.ts';

export const canarySources = 'content/canary';

const folder = join(lambdasFolder, 'Canary', 'files');

export const isCanaryStaged = (): boolean => existsSync(folder);

export function stageCanary(): void {
  cpSync(join(root, canarySources), folder, { recursive: true });
}
