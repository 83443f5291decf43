import { defineConfig } from 'vitest/config';
import { contractVitePlugin } from './toolchain/contract-plugin.ts';

/** Two processes: the machines that run this have two cores, and ffmpeg takes its own. */
export default defineConfig({
  plugins: [contractVitePlugin()],
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/quiet.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 90_000,
    hookTimeout: 240_000,
  },
});
