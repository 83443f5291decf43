/** Replaces the declarations of engines by their value, so that a Lambda that asks what is available carries no engine. */
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { declarations } from '../../engines/declarations.ts';
import { root } from './paths.ts';

const file = join(root, 'engines', 'declarations.ts');

export function enginesPlugin(): Plugin {
  return {
    name: 'engines',
    setup(build) {
      build.onLoad({ filter: /[\\/]engines[\\/]declarations\.ts$/ }, ({ path }) =>
        path === file
          ? { contents: `export const declarations = ${JSON.stringify(declarations)};`, loader: 'js' }
          : undefined,
      );
    },
  };
}
