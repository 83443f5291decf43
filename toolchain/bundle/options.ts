/** How esbuild makes a Lambda's module: the same for what ships and for what it is compared with. */
import type { BuildOptions } from 'esbuild';

export const lambdaModule = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  minify: true,
  legalComments: 'none',
} satisfies BuildOptions;
