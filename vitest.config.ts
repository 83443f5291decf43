import { execFileSync } from 'node:child_process';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

// In a process of its own: vite would bundle all engines into this file.
execFileSync(process.execPath, ['toolchain/generate.ts'], { cwd: import.meta.dirname, stdio: 'inherit' });

/** Synthesizing takes seconds: these files share what was synthesized. */
const infrastructure = ['test/infra/**/*.test.ts'];
/** These change nothing that outlives them, neither the environment nor modules: they share what was imported. */
const pure = [
  'test/contract',
  'test/engines/{exporting,framing,ocr,secrets,sound-events,speech,text-analysis,translation,voice-cloning,webhooks}',
  'test/lambdas/subtitles',
  'local/test/{events,gateway,iam,schedules,template}',
  'test/shared',
  'test/site/{build-site,edge}',
].map((folder) => `${folder}/**/*.test.ts`);

/** Three processes for two cores: tests of machines and of the local cloud wait a fifth of their time. */
export default defineConfig({
  test: {
    setupFiles: ['test/support/quiet.ts', 'test/support/seed.ts', 'test/support/record-decisions.ts'],
    pool: 'forks',
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // What hangs has an end; what a busy machine takes its time for has not failed.
    testTimeout: 300_000,
    hookTimeout: 600_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'kinora',
          include: ['test/**/*.test.ts', 'local/test/**/*.test.ts'],
          exclude: [...infrastructure, ...pure],
        },
      },
      { extends: true, test: { name: 'pure', include: pure, isolate: false } },
      { extends: true, test: { name: 'infrastructure', include: infrastructure, isolate: false } },
    ],
  },
});
