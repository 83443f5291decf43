/**
 * Tests the main job on a schedule. Uses the public address of the API, like a caller. So the test includes gateway,
 * keys, upload URLs, machines, engines and deletion. The media is a few seconds of speech. It has no pictures, because
 * a job succeeds even if picture analyses fail.
 */
import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { Kinora } from '../../../client/index.ts';
import { schedule } from '../../../platform/kernel/schedule.ts';
import { apiKeyTable } from '../../../platform/runtime/dynamodb.ts';
import { environment } from '../../../platform/runtime/environment.ts';
import { defineSchedule } from '../../../platform/steps/define-step.ts';
import { defined } from '../../../shared/checked-access.ts';
import { languageByCode } from '../../../shared/languages.ts';
import { canaryFile, runCanary } from '../actions/run-canary.ts';
import { runReport } from '../rules/outcome.ts';

const LOOK_MS = 3000;
/** The media file is smaller than one part. toolchain/bundle/media-image.ts puts it beside the bundle. */
const PART_BYTES = 5 * 1024 * 1024;
const media = join(import.meta.dirname, 'files', canaryFile);

export const settings = defineSchedule({
  name: 'Canary',
  description:
    'Runs the main job through the API: makes subtitles for a few seconds of speech, then deletes them',
  // The function exists in every environment, so that operators can invoke it. The environment's `canary` sets its schedule.
  everyMinutes: null,
  memory: 256,
  timeout: 900,
  permissions: { tables: { Auth: ['delete', 'get', 'put', 'query'] } },
  callsApi: true,
});

export const handler = schedule(
  settings,
  async ({ now }) =>
    runCanary({
      keys: apiKeyTable(),
      // More retries would hide errors that callers see.
      kinoraWith: (apiKey) => new Kinora({ url: environment.apiUrl, apiKey, retries: 1 }),
      media: await openAsBlob(media),
      // The sound is too short for an engine to detect its language.
      languageId: defined(languageByCode('en')).language_id,
      partBytes: PART_BYTES,
      lookMs: LOOK_MS,
      now,
    }),
  runReport,
);
