import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

// In a separate process, because vite would bundle all engines into this file.
execFileSync(process.execPath, ['toolchain/generate.ts'], { cwd: import.meta.dirname, stdio: 'inherit' });

const testsIn = (...folders: string[]) => folders.map((folder) => `${folder}/**/*.test.ts`);

/** Synthesizing takes seconds, so these files share its result. */
const infrastructure = testsIn('test/infra');
/** These files need programs of apt. Like `unit`, they leave environment and modules unchanged. */
const pure = [
  ...testsIn(
    'test/engines/{exporting,framing,ocr,sound-events,speech,translation,voice-cloning}',
    'test/site/build-site',
  ),
  'test/lambdas/subtitles/players.test.ts',
  'test/lambdas/subtitles/rules/stl.test.ts',
  'test/lambdas/subtitles/rules/stl/code-tables.test.ts',
  'test/lambdas/translation/rules/protected-words.test.ts',
  'test/site/edge/{built-site,functions}.test.ts',
];
/** These files start servers and set the environment. */
const servers = [
  'test/lambdas/analyses/rules/faces.test.ts',
  'test/lambdas/clips/rules/framing.test.ts',
  'test/lambdas/transcripts/quality/rules/qc-report.test.ts',
  'test/platform/kernel/deliver-events.test.ts',
];
/** The files that share a local cloud. Other files of test/e2e kill their local cloud, or need an empty one. */
const endToEnd = [
  'test/e2e/{branding,cancel,clips,examples,ingest,pictures,translation,unavailable,voice-over}.test.ts',
];
/** The files of `npm run check`. They need only npm packages, and share their imported modules. */
const unit = globSync(
  testsIn(
    'local/test/{gateway,iam,schedules,template}',
    'test/contract',
    'test/engines/{secrets,text-analysis,webhooks}',
    'test/lambdas/**/rules',
    'test/lambdas/subtitles',
    'test/platform/kernel',
    'test/scripts/{prose,testing}',
    'test/shared',
    'test/site/edge',
  ),
  { cwd: import.meta.dirname, exclude: [...pure, ...servers] },
);

/** Three processes for two cores: tests of machines and of the local cloud wait a fifth of their time. */
export default defineConfig({
  test: {
    setupFiles: ['test/support/quiet.ts', 'test/support/seed.ts', 'test/support/record-decisions.ts'],
    pool: 'forks',
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // A limit for tests that hang. A slow machine stays far below it.
    testTimeout: 300_000,
    hookTimeout: 600_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'kinora',
          include: testsIn('test', 'local/test'),
          exclude: [...infrastructure, ...pure, ...unit, ...endToEnd],
        },
      },
      { extends: true, test: { name: 'e2e', include: endToEnd, isolate: false } },
      { extends: true, test: { name: 'unit', include: unit, isolate: false } },
      { extends: true, test: { name: 'pure', include: pure, isolate: false } },
      { extends: true, test: { name: 'infrastructure', include: infrastructure, isolate: false } },
    ],
  },
});
