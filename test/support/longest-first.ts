/** Orders test files: the longest first, so that no worker has a long file left when the others have finished. */
import { relative, resolve } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Seconds that the slowest files take in a run of all files on two cores, from 25 s on (2026-11-23). Estimates are enough: on a
 * clean checkout vitest knows only file sizes, and the slowest file is small.
 */
const seconds: Readonly<Record<string, number>> = {
  'test/e2e/talk.test.ts': 120,
  'test/api/statuses.test.ts': 104,
  'test/site/design/browser.test.ts': 96,
  'test/e2e/guide.test.ts': 72,
  'test/local/up.test.ts': 71,
  'test/e2e/ingest.test.ts': 70,
  'test/lambdas/reference/api/browser.test.ts': 63,
  'test/e2e/kill.test.ts': 55,
  'test/e2e/clips.test.ts': 53,
  'test/api/fuzz.test.ts': 46,
  'test/e2e/cancel.test.ts': 45,
  'test/e2e/voice-over.test.ts': 45,
  'test/engines/transcription/pocketsphinx.test.ts': 41,
  'test/e2e/pictures.test.ts': 40,
  'test/e2e/translation.test.ts': 39,
  'test/media/ffmpeg/serve-ranges.test.ts': 39,
  'test/lambdas/ingest/actions/extract-speech.test.ts': 34,
  'test/lambdas/clips/jobs.test.ts': 31,
  'test/lambdas/voice-over/api/voice-over.test.ts': 31,
  'test/media/rendering/join-clip.test.ts': 28,
  'test/lambdas/branding/api/branding-media.test.ts': 28,
  'test/e2e/webhooks.test.ts': 27,
  'test/lambdas/translation/api/translation.test.ts': 25,
};

const root = resolve(import.meta.dirname, '../..');

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const known = ({ moduleId }: TestSpecification) => seconds[relative(root, moduleId)] ?? 0;
    const sorted = await super.sort(files);
    // Files of one project stay together. Files without a time keep vitest's order.
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) =>
      sorted.filter((file) => file.project === project).sort((one, other) => known(other) - known(one)),
    );
  }
}
