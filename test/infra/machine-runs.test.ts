/** The promises of all machines. Each other file of machine runs has those of its machines. */
import { describe, expect, it } from 'vitest';
import { jobMachines } from '../../contract/kit/job-kinds.ts';
import { readDefinitions } from '../../lib/jobs/definitions.ts';
import { permanent, refused, throttled } from '../../lib/jobs/retrying.ts';
import {
  type FakeFunction,
  failing,
  hanging,
  job,
  MOST_EVENTS,
  refusedBy,
  runOf,
} from '../support/machine-runs.ts';

const rows = await Promise.all(
  readDefinitions().map(async ({ name }) => {
    const { status, names, history } = await runOf(name);
    return { name, status, names, events: history.length, first: names[0]!, last: names.at(-1)! };
  }),
);
const jobs = rows.filter(({ name }) => (jobMachines as readonly string[]).includes(name));

describe.each(rows)('the machine $name', ({ name, status, events, first }) => {
  it('succeeds if all steps succeed, with a short history', () => {
    expect(status).toBe('SUCCEEDED');
    expect(events).toBeLessThan(MOST_EVENTS / 100);
  });

  it('waits for a step that Lambda throttles', async () => {
    const throttling = { [first]: refusedBy(throttled[0]!, 10, first) };
    const { status: ended, timesOf } = await runOf(name, throttling);
    expect([ended, timesOf(first)]).toEqual(['SUCCEEDED', 11]);
  });
});

it('a delivery waits for its turn first, and does not count a postponed request as an attempt', async () => {
  const answers = [
    { status: 'pending', retry_after_s: 7, is_postponed: true },
    { status: 'pending', retry_after_s: 300 },
    { status: 'delivered', retry_after_s: 0 },
  ];
  const DeliverEvent: FakeFunction = (_, { count }) => answers[count]!;
  const input = { tenant: 'demo', wait_s: 60 };
  const { status, payloadsOf, took } = await runOf('DeliverEvent', { DeliverEvent }, { input });
  expect(status).toBe('SUCCEEDED');
  expect(payloadsOf('DeliverEvent').map(({ attempt }) => attempt)).toEqual([0, 0, 1]);
  expect(payloadsOf('DeliverEvent')[2]).toMatchObject({ ...input, started_at: expect.any(String) });
  expect(took).toBeGreaterThanOrEqual(367_000);
});

describe.each(jobs)('a job of $name', ({ name, names, first, last }) => {
  const [fail, clear] = [`Fail${name}`, `Clear${name}`];

  it('runs neither the step that fails it nor the step that clears it if all others succeed', () => {
    expect(names.filter((step) => [fail, clear].includes(step))).toEqual([]);
  });

  it.each([...new Set([first, last])])(
    'does not retry a permanent error of %s, and reports the reason',
    async (step) => {
      const { status, timesOf, payloadsOf } = await runOf(name, { [step]: failing('media_unreadable') });
      expect([status, timesOf(step)]).toEqual(['SUCCEEDED', 1]);
      expect(payloadsOf(fail)).toMatchObject([{ ...job, failure: { Error: 'media_unreadable' } }]);
    },
  );

  it.each([...new Set([first, last])])(
    'is cleared, and does not fail, if it was canceled during %s',
    async (step) => {
      const { status, names: ran } = await runOf(name, { [step]: failing('canceled') });
      expect([status, ran.slice(-2)]).toEqual(['SUCCEEDED', [step, clear]]);
    },
  );

  it('is only cleared or only failed if a sweep or a cancellation starts it again', async () => {
    const swept = async (error: string) => {
      const { status, names: ran } = await runOf(
        name,
        {},
        { input: { ...job, failure: { Error: error, Cause: '' } } },
      );
      expect(status).toBe('SUCCEEDED');
      return ran;
    };
    expect(await swept('canceled')).toEqual([clear]);
    // The pieces of an ingest must be discarded after a failure too.
    expect(await swept('States.Timeout')).toEqual(name === 'Ingest' ? [fail, clear] : [fail]);
  });

  it('fails its execution with the first error if the failure cannot be recorded', async () => {
    const broken = { [first]: failing('media_unreadable'), [fail]: failing('Error') };
    const { status, error, cause } = await runOf(name, broken);
    expect({ status, error }).toEqual({ status: 'FAILED', error: 'media_unreadable' });
    expect(cause).toContain('a sentence');
  });
});

/** test/infra/machines.test.ts makes sure that all tasks have the same retries. The machine with one step shows them. */
describe('a step', () => {
  const [machine, step] = ['BrandingUpload', 'CheckBrandingFile'];
  const longest = () => 0.999;
  const ran = (fake: ReturnType<typeof failing>) => runOf(machine, { [step]: fake }, { random: longest });

  it.each(permanent.filter((name) => name !== 'canceled'))(
    'is not retried after the permanent error %s',
    async (name) => {
      const { timesOf, failure } = await ran(failing(name));
      expect(timesOf(step)).toBe(1);
      expect(failure).toBeDefined();
    },
  );

  it.each([
    'TransactionCanceledException',
    'TransactionInProgressException',
    'TimeoutError',
    'Error',
    'write_conflict',
    'provider_throttled',
    'provider_unavailable',
  ])('is retried after the error %s until it succeeds', async (name) => {
    const { timesOf, failure } = await ran(failing(name, 3));
    expect([timesOf(step), failure]).toEqual([4, undefined]);
  });

  it.each(refused)('is retried if Lambda refused it with %s, even ten times', async (name) => {
    const { timesOf, failure } = await ran(refusedBy(name, 10, step));
    expect([timesOf(step), failure]).toEqual([11, undefined]);
  });

  it('becomes slower if a provider throttles requests, even for an hour', async () => {
    const { took, failure } = await ran(failing('provider_throttled', 20));
    expect(failure).toBeUndefined();
    expect(took).toBeGreaterThan(3_600_000);
  });

  it.each([
    ['provider_throttled', 49, 'provider_unavailable'],
    ['TypeError', 5, 'internal_error'],
  ])('fails the job after the last retry of %s, and shows no internal details', async (name, times, code) => {
    const { timesOf, failure } = await ran(failing(name));
    expect(timesOf(step)).toBe(times);
    expect(failure).toMatchObject({ code, retryable: true });
  });

  it('fails the job within ten minutes with a retryable error if its provider is broken', async () => {
    const { timesOf, took, failure } = await ran(failing('provider_unavailable'));
    expect(timesOf(step)).toBe(6);
    expect(took).toBeGreaterThan(3 * 60_000);
    expect(took).toBeLessThan(10 * 60_000);
    expect(failure).toMatchObject({
      ...{ code: 'provider_unavailable', retryable: true },
      detail: 'a sentence Create the job again later.',
    });
  });

  it('that never ends is repeated once, and ends the job after half an hour at most', async () => {
    const { status, timesOf, took, failure } = await ran(hanging);
    expect([status, timesOf(step)]).toEqual(['SUCCEEDED', 2]);
    expect(took).toBeLessThan(32 * 60_000);
    expect(failure).toEqual({
      code: 'timed_out',
      title: 'The job took too long',
      detail: expect.stringContaining('shorter asset'),
      retryable: true,
    });
  });

  it.each(['Sandbox.Timedout', 'Lambda.Unknown', 'timed_out'])(
    'ran out of time if its error is %s',
    async (name) => {
      const { timesOf, failure } = await ran(failing(name));
      expect([timesOf(step), failure?.code]).toEqual([2, 'timed_out']);
    },
  );

  it('fails the execution without a cause if it never ends and this cannot be recorded', async () => {
    const outcome = await runOf(machine, { [step]: hanging, FailBrandingUpload: failing('Error') });
    expect(outcome).toMatchObject({ status: 'FAILED', error: 'States.Timeout', cause: '' });
  });
});
