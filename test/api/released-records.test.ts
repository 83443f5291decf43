/** This version reads the records that the last release stored: an upgrade needs no migration of data. */
import { beforeAll, expect, it, vi } from 'vitest';
import { faultsOf } from '../support/declared-answers.ts';
import {
  LOCAL_SECRET_KEY,
  readingOperations,
  readRecords,
  recordRelease,
  restoreRecords,
  TENANT,
} from '../support/released-records.ts';
import { startTestApi } from '../support/test-api.ts';

process.env.LOCAL_SECRET_KEY = LOCAL_SECRET_KEY;
const api = await startTestApi();
const tenant = await api.tenant(TENANT);

if (process.env.RECORD_RELEASE === '1') await recordRelease(api);
const records = readRecords();

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(records.recorded_at) });
  await restoreRecords(api, records);
  return () => vi.useRealTimers();
});

it.each(readingOperations.map((spec) => [spec.id, spec] as const))(
  '%s still reads the records of the last release',
  async (id, spec) => {
    const request = records.requests[id];
    // An operation that is newer than the release.
    if (request === undefined) return;
    const answer = await tenant.call('GET', request.path);
    expect([answer.status, faultsOf(spec, answer)]).toEqual([request.status, []]);
  },
);
