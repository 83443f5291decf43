import { defineConfig } from 'vitest/config';

/** Two processes: the machines that run this have two cores, and ffmpeg takes its own. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
});
