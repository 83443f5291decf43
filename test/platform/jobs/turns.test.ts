import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { giveTurns, positionsOf, startInTurn } from '../../../platform/jobs/turns.ts';
import type { JobId } from '../../../platform/shared/ids.ts';
import { type Bounds, enginesNamed } from '../../../platform/shared/lines.ts';
import { asTenantId } from '../../../platform/shared/tenant.ts';
import { TurnsTable, type WaitingJob } from '../../../platform/store/turns.ts';
import { startDynamoDb, type TestDynamoDb } from '../../support/dynamodb.ts';
import { newJobId } from '../../support/ids.ts';

let database: TestDynamoDb;
let turns: TurnsTable;

beforeAll(async () => {
  database = await startDynamoDb();
  turns = new TurnsTable(database.client, 'Core');
});
afterAll(() => database.close());

const bounds: Bounds = {
  jobs: 4,
  providers: {
    reading: { most: 2, machines: { Ingest: ['ocr'] } },
    speaking: { most: 1, machines: { Ingest: ['speech'], VoiceOver: ['speech'] } },
  },
};

let started: JobId[];
let over: Set<JobId>;
beforeEach(async () => {
  [started, over] = [[], new Set()];
  await turns.release(await turns.running());
  for (const { job_id } of await turns.waiting()) await turns.leave(job_id);
});

const services = () => ({
  turns,
  bounds,
  start: async ({ job_id }: WaitingJob) => {
    started.push(job_id);
  },
  hasEnded: async ({ job_id }: { job_id: JobId }) => over.has(job_id),
});
/** A job that is started as a request does. */
async function asked(tenant: string, machine: string, engines?: readonly string[]): Promise<JobId> {
  const input = engines ? enginesNamed(engines) : {};
  const job_id = newJobId();
  await startInTurn({ tenant: asTenantId(tenant), job_id, machine, input }, services());
  return job_id;
}
async function ended(...jobs: JobId[]) {
  for (const job of jobs) over.add(job);
  return giveTurns(services());
}
const placed = async () =>
  Object.fromEntries((await turns.running()).map(({ job_id, lines }) => [job_id, lines.slice(1).sort()]));

describe('a job that asks providers', () => {
  it('waits for a place with each, while others that do not ask them begin', async () => {
    const first = await asked('a', 'Ingest', ['ocr', 'speech']);
    const spoken = await asked('a', 'VoiceOver');
    const plain = await asked('a', 'Ingest', ['transcription']);
    expect(started).toEqual([first, plain]);
    expect(await placed()).toEqual({ [first]: ['reading', 'speaking'], [plain]: [] });
    expect((await positionsOf(turns, bounds)).get(spoken)).toBe(1);
    expect(await ended(first)).toBe(1);
    expect(await placed()).toEqual({ [spoken]: ['speaking'], [plain]: [] });
  });

  it('takes all that its machine may ask, where nobody says what it was asked for', async () => {
    const job = await asked('a', 'Ingest');
    expect(await placed()).toEqual({ [job]: ['reading', 'speaking'] });
  });

  it('does not overtake who waits for the same, though it comes when a place is free', async () => {
    const first = await asked('a', 'VoiceOver');
    const second = await asked('b', 'VoiceOver');
    await turns.release((await turns.running()).filter(({ job_id }) => job_id === first));
    const late = await asked('c', 'VoiceOver');
    expect(started).toEqual([first]);
    expect(await ended(first)).toBe(1);
    expect(started).toEqual([first, second]);
    expect((await positionsOf(turns, bounds)).get(late)).toBe(1);
  });

  it('finds the place of one that has ended, although nobody waited for it', async () => {
    await ended(await asked('a', 'VoiceOver'));
    const next = await asked('a', 'VoiceOver');
    expect(started.at(-1)).toBe(next);
  });

  it('is started once for a place, however often it is asked for', async () => {
    const job = { tenant: asTenantId('a'), job_id: newJobId(), machine: 'VoiceOver', input: {} };
    await startInTurn(job, services());
    await startInTurn(job, services());
    expect(await turns.waiting()).toEqual([]);
    expect(await placed()).toEqual({ [job.job_id]: ['speaking'] });
  });
});

describe('whoever comes at once', () => {
  it('no bound is exceeded, and each is started in the end', async () => {
    const kinds = [['Clips'], ['VoiceOver'], ['Ingest', 'ocr'], ['Ingest', 'ocr', 'speech']] as const;
    const comers = Array.from({ length: 24 }, (_, at) => kinds[at % kinds.length]!);
    const jobs = await Promise.all(
      comers.map(([machine, ...engines], at) =>
        asked(`t${at % 5}`, machine, engines.length ? engines : undefined),
      ),
    );
    for (let round = 0; new Set(started).size < jobs.length && round < 60; round += 1) {
      const running = await turns.running();
      expect(running.length).toBeLessThanOrEqual(bounds.jobs);
      for (const [line, { most }] of Object.entries(bounds.providers))
        expect(running.filter(({ lines }) => lines.includes(line)).length).toBeLessThanOrEqual(most);
      // Two who give out places at the same time, as the end of an execution and the sweep may.
      for (const { job_id } of running.slice(0, 2)) over.add(job_id);
      await Promise.all([giveTurns(services()), giveTurns(services())]);
    }
    expect(new Set(started)).toEqual(new Set(jobs));
  });
});
