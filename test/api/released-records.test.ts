/** This version reads the records that the last release stored: an upgrade needs no migration of data. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Api, startApi, type Tenant } from '../support/api.ts';
import { faultsOf } from '../support/declared-answers.ts';
import {
  LOCAL_SECRET_KEY,
  type ReleasedRecords,
  readingOperations,
  readRecords,
  recordRelease,
  restoreRecords,
  TENANT,
} from '../support/released-records.ts';
import { type StateMachines, startStateMachines } from '../support/state-machines.ts';

let api: Api;
let machines: StateMachines;
let tenant: Tenant;
let records: ReleasedRecords;

beforeAll(async () => {
  process.env.LOCAL_SECRET_KEY = LOCAL_SECRET_KEY;
  machines = await startStateMachines();
  api = await startApi();
  if (process.env.RECORD_RELEASE === '1') await recordRelease(api);
  records = readRecords();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(records.recorded_at) });
  await restoreRecords(api, records);
  tenant = await api.tenant(TENANT);
});
afterAll(async () => {
  vi.useRealTimers();
  await api.close();
  await machines.close();
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
