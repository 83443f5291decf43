/** Bundles as the build does, in a process of its own: vitest replaces the contract's modules in this one. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../toolchain/bundle/paths.ts';

export function bundled(): void {
  execFileSync(process.execPath, [join(root, 'toolchain', 'bundle.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
