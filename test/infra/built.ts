/** Builds the bundles as the build does, in a separate process: vitest replaces the contract's modules in this one. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../toolchain/bundle/paths.ts';

let isBundled = false;

export function bundled(): void {
  if (isBundled) return;
  execFileSync(process.execPath, [join(root, 'toolchain', 'bundle.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  isBundled = true;
}
