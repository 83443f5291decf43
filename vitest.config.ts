import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { contractVitePlugin } from './toolchain/contract-plugin.ts';

const infrastructure = 'test/infra/**/*.test.ts';

/** Two processes: the machines that run this have two cores, and ffmpeg takes its own. */
export default defineConfig({
  plugins: [contractVitePlugin()],
  test: {
    setupFiles: ['test/support/quiet.ts'],
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    testTimeout: 90_000,
    hookTimeout: 240_000,
    projects: [
      {
        extends: true,
        test: { name: 'kinora', include: ['test/**/*.test.ts'], exclude: [infrastructure] },
      },
      {
        extends: true,
        // Synthesizing takes seconds: its files share what was synthesized.
        test: { name: 'infrastructure', include: [infrastructure], isolate: false },
      },
    ],
  },
});
