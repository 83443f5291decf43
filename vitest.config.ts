import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { contractVitePlugin } from './toolchain/contract-plugin.ts';

const infrastructure = 'test/infra/**/*.test.ts';

/** Three processes on machines of two cores: a fifth of the time, tests of the local cloud wait for its programs. */
export default defineConfig({
  plugins: [contractVitePlugin()],
  test: {
    setupFiles: ['test/support/quiet.ts'],
    pool: 'forks',
    maxWorkers: 3,
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
