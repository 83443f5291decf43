/** `npm run client`: builds the package of the TypeScript client: JavaScript and declarations of `client/*.ts`, in `client/dist`. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../toolchain/bundle/paths.ts';

export const clientFolder = join(root, 'client');

export function buildClient(): void {
  // Removes old output first, so that the package does not contain the output of removed source files.
  rmSync(join(clientFolder, 'dist'), { recursive: true, force: true });
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  execFileSync(process.execPath, [compiler, '--project', clientFolder], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

if (import.meta.main) {
  buildClient();
  console.log('Built the client in client/dist');
}
