/** The order of test files: the longest begin first, so that no worker is left with one when the other has none. */
import { relative, resolve } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Seconds that files took in a run of all on two cores, from twenty on (2026-11-22). They need not be exact: on a
 * clean checkout vitest knows sizes alone, and the longest file is a small one.
 */
const seconds: Readonly<Record<string, number>> = {
  'test/e2e/talk.test.ts': 247,
  'test/site/design/browser.test.ts': 100,
  'test/api/statuses.test.ts': 87,
  'test/e2e/kill.test.ts': 74,
  'test/local/up/up.test.ts': 72,
  'test/lambdas/reference/browser.test.ts': 65,
  'test/e2e/ingest.test.ts': 57,
  'test/e2e/cancel.test.ts': 43,
  'test/api/fuzz.test.ts': 40,
  'test/engines/media/range-reader.test.ts': 39,
  'test/e2e/guide.test.ts': 37,
  'test/engines/transcription/pocketsphinx.test.ts': 37,
  'test/lambdas/ingest/speech.test.ts': 34,
  'test/lambdas/voice-over/jobs.test.ts': 34,
  'test/e2e/voice-over.test.ts': 33,
  'test/e2e/translation.test.ts': 33,
  'test/lambdas/translation/jobs.test.ts': 26,
  'test/e2e/webhooks.test.ts': 26,
  'test/e2e/unavailable.test.ts': 26,
};

const root = resolve(import.meta.dirname, '../..');

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const known = ({ moduleId }: TestSpecification) => seconds[relative(root, moduleId)] ?? 0;
    const sorted = await super.sort(files);
    // Files of a project stay together, and those that are not named in vitest's own order.
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) =>
      sorted.filter((file) => file.project === project).sort((one, other) => known(other) - known(one)),
    );
  }
}
