/** The esbuild options for Lambda modules. Benchmarks use the same options for comparison. */
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
