import { DeleteItemCommand, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Capacity, enginesNamed } from '../../../platform/admission/capacity.ts';
import { FairQueue } from '../../../platform/admission/fair-queue.ts';
import type { WaitingJob } from '../../../platform/admission/queue.ts';
import { QueueTable } from '../../../platform/admission/queue-table.ts';
import type { JobId } from '../../../shared/ids.ts';
import { asTenantId } from '../../../shared/ids.ts';
import { startDynamoDb } from '../../support/dynamodb.ts';
import { newJobId } from '../../support/ids.ts';

const database = await startDynamoDb();
const reads = { jobs: 8, tenants: 4 };
const table = new QueueTable(database.client, 'Core', (entry) => unreadable.push(entry), reads);
afterAll(() => database.close());

const capacity: Capacity = {
  jobs: 4,
  providers: {
    reading: { most: 2, machines: { Ingest: ['ocr'] } },
    speaking: { most: 1, machines: { Ingest: ['speech'], VoiceOver: ['speech'] } },
  },
};

let started: JobId[];
let over: Set<JobId>;
/** Keys of the entries that the table reported. */
let unreadable: string[];
/** Jobs whose record cannot be read, and jobs that cannot be started. */
let broken: Set<JobId>;
beforeEach(async () => {
  [started, over, unreadable, broken] = [[], new Set(), [], new Set()];
  await table.release(await table.admitted());
  for (let left = await table.waiting([]); left.length > 0; left = await table.waiting([]))
    for (const job of left) await table.dequeue(job);
});

const services = () => ({
  table,
  capacity,
  start: async ({ job_id }: WaitingJob) => {
    if (broken.has(job_id)) throw new Error('StateMachineDoesNotExist');
    started.push(job_id);
  },
  hasEnded: async ({ job_id }: { job_id: JobId }) => over.has(job_id),
  failed: (entry: string) => unreadable.push(entry),
});
const queue = (given = capacity) => new FairQueue({ ...services(), capacity: given });
/** Writes an item or an attribute as a faulty release could have left it. */
const write = (pk: string, sk: string, more: Record<string, unknown>) =>
  database.client.send(new PutItemCommand({ TableName: 'Core', Item: marshall({ pk, sk, ...more }) }));
const read = async (pk: string, sk: string) =>
  (await database.client.send(new GetItemCommand({ TableName: 'Core', Key: marshall({ pk, sk }) }))).Item;
const remove = (pk: string, sk: string) =>
  database.client.send(new DeleteItemCommand({ TableName: 'Core', Key: marshall({ pk, sk }) }));
async function created(tenant: string, machine: string, engines?: readonly string[]): Promise<JobId> {
  const input = engines ? enginesNamed(engines) : {};
  const job_id = newJobId();
  await queue().startOrEnqueue({ tenant: asTenantId(tenant), job_id, machine, input });
  return job_id;
}
async function ended(...jobs: JobId[]) {
  for (const job of jobs) over.add(job);
  return queue().startNext();
}
const placed = async () =>
  Object.fromEntries((await table.admitted()).map(({ job_id, pools }) => [job_id, pools.slice(1).sort()]));

describe('a job that uses providers', () => {
  it('waits for a place in the pool of each provider, while jobs that do not use them start', async () => {
    const first = await created('a', 'Ingest', ['ocr', 'speech']);
    const spoken = await created('a', 'VoiceOver');
    const plain = await created('a', 'Ingest', ['transcription']);
    expect(started).toEqual([first, plain]);
    expect(await placed()).toEqual({ [first]: ['reading', 'speaking'], [plain]: [] });
    expect((await queue().positions()).get(spoken)).toBe(1);
    expect(await ended(first)).toBe(1);
    expect(await placed()).toEqual({ [spoken]: ['speaking'], [plain]: [] });
  });

  it('takes a place in the pool of each provider of its machine if its input names no engines', async () => {
    const job = await created('a', 'Ingest');
    expect(await placed()).toEqual({ [job]: ['reading', 'speaking'] });
  });

  it('does not overtake a job that waits for the same place, even if the place is free on its arrival', async () => {
    const first = await created('a', 'VoiceOver');
    const second = await created('b', 'VoiceOver');
    await table.release((await table.admitted()).filter(({ job_id }) => job_id === first));
    const late = await created('c', 'VoiceOver');
    expect(started).toEqual([first]);
    expect(await ended(first)).toBe(1);
    expect(started).toEqual([first, second]);
    expect((await queue().positions()).get(late)).toBe(1);
  });

  it('gets the place of a job that has ended while no job waited', async () => {
    await ended(await created('a', 'VoiceOver'));
    const next = await created('a', 'VoiceOver');
    expect(started.at(-1)).toBe(next);
  });

  it('starts with the trace of its first request, also if the sweep starts it', async () => {
    const asked = { tenant: asTenantId('a'), machine: 'VoiceOver', input: {} };
    const first = { ...asked, job_id: newJobId() };
    const waiting = { ...asked, job_id: newJobId(), trace_header: 'Root=1-request' };
    const headers: (string | undefined)[] = [];
    const noting = new FairQueue({
      ...services(),
      start: async (job: WaitingJob) => void headers.push(job.trace_header),
    });
    await noting.startOrEnqueue({ ...first, trace_header: 'Root=1-first' });
    await noting.startOrEnqueue(waiting);
    await noting.startOrEnqueue({ ...waiting, trace_header: 'Root=1-sweep' });
    // The same holds if the queue reads only older jobs.
    await table.enqueue({ ...waiting, trace_header: 'Root=1-sweep' });
    await table.release((await table.admitted()).filter(({ job_id }) => job_id === first.job_id));
    await noting.startOrEnqueue({ ...waiting, trace_header: 'Root=1-sweep' });
    expect(headers).toEqual(['Root=1-first', 'Root=1-request']);
  });

  it('starts once, even if it is requested again', async () => {
    const job = { tenant: asTenantId('a'), job_id: newJobId(), machine: 'VoiceOver', input: {} };
    await queue().startOrEnqueue(job);
    await queue().startOrEnqueue(job);
    expect(await table.waiting([])).toEqual([]);
    expect(await placed()).toEqual({ [job.job_id]: ['speaking'] });
  });
});

/** Adds jobs to the queue without a look at the capacity. */
async function enqueued(tenant: string, count: number): Promise<JobId[]> {
  const jobs = Array.from({ length: count }, () => newJobId());
  for (const job_id of jobs)
    await table.enqueue({ tenant: asTenantId(tenant), job_id, machine: 'Clips', input: {} });
  return jobs;
}

describe('a queue with more jobs than one read returns', () => {
  it('starts the only job of a tenant before the many of another', async () => {
    const many = await enqueued('many', 12);
    const [only] = await enqueued('few', 1);
    // A job that can start at the next look is first.
    expect((await queue().positions()).get(only!)).toBe(1);
    const late = await created('late', 'Clips');
    await ended();
    expect(started).toEqual([late, many[0], only, many[1]]);
    const next = await created('few', 'Clips');
    expect((await queue().positions()).get(next)).toBe(1);
    await ended(many[0]!, many[1]!);
    expect(started.slice(4)).toEqual([many[2], next]);
  });

  it('is read with a bounded number of requests, for the tenants with the fewest running jobs', async () => {
    const idle = (await Promise.all(['a', 'b', 'c', 'd'].map((idle) => enqueued(idle, 1)))).flat();
    const tenant = asTenantId('busy');
    const [running] = await enqueued(tenant, 2);
    const send = vi.spyOn(database.client, 'send');
    const found = await table.waiting([{ tenant, job_id: running! }]);
    expect(send.mock.calls.length).toBe(5);
    send.mockRestore();
    expect(found.map(({ job_id }) => job_id)).toEqual(idle.sort());
    // Chance has no part.
    for (let look = 0; look < 10; look += 1)
      expect(await table.waiting([{ tenant, job_id: running! }])).toEqual(found);
  });

  it('lists exactly the tenants with queued jobs', async () => {
    const [first, second] = await enqueued('one', 2);
    const tenant = asTenantId('one');
    await table.dequeue({ tenant, job_id: first! });
    expect((await table.waiting([])).map(({ job_id }) => job_id)).toEqual([second]);
    await table.dequeue({ tenant, job_id: second! });
    const send = vi.spyOn(database.client, 'send');
    expect(await table.waiting([])).toEqual([]);
    expect(send.mock.calls.length).toBe(1);
    send.mockRestore();
  });

  it('keeps a job that arrives while the last one of its tenant leaves', async () => {
    const tenant = asTenantId('one');
    const [last] = await enqueued('one', 1);
    const comes = newJobId();
    const send = database.client.send.bind(database.client) as (command: object) => Promise<never>;
    // The job is added just before its tenant's name is removed.
    let isThere = false;
    vi.spyOn(database.client, 'send').mockImplementation((async (command: { input: object }) => {
      const isForgetting = 'UpdateExpression' in command.input && !isThere;
      if (isForgetting) {
        isThere = true;
        await table.enqueue({ tenant, job_id: comes, machine: 'Clips', input: {} });
      }
      return send(command);
    }) as never);
    await table.dequeue({ tenant, job_id: last! });
    vi.restoreAllMocks();
    expect((await table.waiting([])).map(({ job_id }) => job_id)).toEqual([comes]);
  });
});

describe('an entry that cannot be read', () => {
  const waitingOf = (tenant: string) => `ADMIN#turns_waiting#${tenant}`;

  it('is reported, and the jobs of its tenant and of others start', async () => {
    const running = await created('a', 'VoiceOver');
    const poison = newJobId();
    // Older than all others, in the place of a waiting job.
    await write(waitingOf('a'), poison, { tenant: 'a', job_id: poison, machine: 7 });
    const own = await created('a', 'VoiceOver');
    const other = await created('b', 'VoiceOver');
    unreadable = [];
    const positions = await queue().positions();
    expect([positions.get(own), positions.get(other)].sort()).toEqual([1, 2]);
    expect(unreadable).toEqual([`${waitingOf('a')} ${poison}`]);
    await ended(running);
    await ended(started.at(-1)!);
    expect(started.toSorted()).toEqual([running, own, other].toSorted());
    await remove(waitingOf('a'), poison);
  });

  it('does not count toward the number of jobs that are read', async () => {
    const poisons = Array.from({ length: 9 }, () => newJobId());
    for (const job of poisons) await write(waitingOf('a'), job, { machine: 7 });
    const [job] = await enqueued('a', 1);
    expect((await table.waiting([])).map(({ job_id }) => job_id)).toEqual([job]);
    for (const poison of poisons) await remove(waitingOf('a'), poison);
  });

  it('is replaced when the sweep queues its job again', async () => {
    const [job] = await enqueued('a', 1);
    await write(waitingOf('a'), job!, { machine: 7 });
    expect(await table.waiting([])).toEqual([]);
    await table.enqueue({ tenant: asTenantId('a'), job_id: job!, machine: 'Clips', input: {} });
    expect((await table.waiting([])).map(({ job_id }) => job_id)).toEqual([job]);
  });

  it.each([
    ['a tenant', 'waiting', { tenants: new Set(['NOT A TENANT', 'a']) }],
    ['an admitted job', 'running', { jobs: new Set(['NOT A TENANT/x']) }],
  ])('can be the name of %s', async (_, sk, item) => {
    const before = await read('ADMIN#turns', sk);
    const [job] = await enqueued('a', 1);
    await write('ADMIN#turns', sk, item);
    expect((await queue().positions()).get(job!)).toBe(1);
    expect(unreadable.at(-1)).toContain('NOT A TENANT');
    if (before) await write('ADMIN#turns', sk, unmarshall(before));
    else await remove('ADMIN#turns', sk);
    await table.dequeue({ tenant: asTenantId('a'), job_id: job! });
  });

  it('can be a job that cannot be started: it stays queued, and the next one starts', async () => {
    const [poison] = await enqueued('a', 1);
    const [other] = await enqueued('b', 1);
    broken.add(poison!);
    expect(await ended()).toBe(1);
    expect([started, unreadable]).toEqual([[other], [poison]]);
    expect((await table.waiting([])).map(({ job_id }) => job_id)).toEqual([poison]);
    broken.clear();
    expect(await ended()).toBe(1);
    expect(started).toEqual([other, poison]);
  });
});

describe('the fullest pool of a provider', () => {
  it('has the highest share of used places, in percent', async () => {
    expect(await queue().fullestProvider()).toBeNull();
    await created('a', 'Ingest', ['transcription']);
    expect(await queue().fullestProvider()).toBeNull();
    await created('a', 'Ingest', ['ocr']);
    expect(await queue().fullestProvider()).toEqual({ pool: 'reading', percent: 50 });
    await created('a', 'VoiceOver');
    expect(await queue().fullestProvider()).toEqual({ pool: 'speaking', percent: 100 });
  });

  it('is never a pool with room for all jobs that may run', async () => {
    await created('a', 'Ingest', ['ocr']);
    await created('a', 'Ingest', ['ocr']);
    expect((await queue({ ...capacity, jobs: 3 }).fullestProvider())?.percent).toBe(100);
    expect(await queue({ ...capacity, jobs: 2 }).fullestProvider()).toBeNull();
  });
});

describe('concurrent requests', () => {
  it('do not exceed the capacity, and each job finally starts', async () => {
    const kinds = [['Clips'], ['VoiceOver'], ['Ingest', 'ocr'], ['Ingest', 'ocr', 'speech']] as const;
    const comers = Array.from({ length: 24 }, (_, at) => kinds[at % kinds.length]!);
    const jobs = await Promise.all(
      comers.map(([machine, ...engines], at) =>
        created(`t${at % 5}`, machine, engines.length ? engines : undefined),
      ),
    );
    for (let round = 0; new Set(started).size < jobs.length && round < 60; round += 1) {
      const running = await table.admitted();
      expect(running.length).toBeLessThanOrEqual(capacity.jobs);
      for (const [pool, { most }] of Object.entries(capacity.providers))
        expect(running.filter(({ pools }) => pools.includes(pool)).length).toBeLessThanOrEqual(most);
      // Two processes start jobs at the same time, as the end of an execution and the sweep may.
      for (const { job_id } of running.slice(0, 2)) over.add(job_id);
      await Promise.all([queue().startNext(), queue().startNext()]);
    }
    expect(new Set(started)).toEqual(new Set(jobs));
  });
});
