import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { permanent } from '../../../lib/jobs/retrying.ts';
import { InvalidState, NotFound } from '../../../shared/problems.ts';

process.env.ENVIRONMENT = 'dev';
const { Canceled, step } = await import('../../../platform/kernel/step.ts');
const { jobStep, toLeave } = await import('../../../platform/kernel/job-step.ts');
const { JobError, mediaUnreadable, providerGivenUp, providerThrottled, providerUnavailable } = await import(
  '../../../shared/job-errors.ts'
);

async function seenOf(error: Error): Promise<string> {
  const handler = step({ name: 'Probe' }, async () => {
    throw error;
  });
  return handler({ tenant: 'demo' }, {} as never).then(
    () => 'nothing',
    (thrown: Error) => thrown.name,
  );
}

describe('a step', () => {
  it('returns its result', async () => {
    const handler = step({ name: 'Probe' }, async ({ tenant }, context) => ({ tenant, at: context.tenant }));
    expect(await handler({ tenant: 'demo' }, {} as never)).toEqual({ tenant: 'demo', at: 'demo' });
  });

  it.each([
    [mediaUnreadable('It is a PDF.'), 'media_unreadable'],
    [new NotFound('asset', 'a'), 'resource_not_found'],
    [new InvalidState('It has ended.'), 'invalid_state'],
    [new Canceled(), 'canceled'],
  ])('throws %s with a name that is not retried: %s', async (error, name) => {
    expect(await seenOf(error)).toBe(name);
    expect(permanent).toContain(name);
  });

  it.each([
    [providerUnavailable('It is down.'), 'provider_unavailable'],
    [providerThrottled('It is busy.'), 'provider_throttled'],
    [Object.assign(new Error('reset'), { name: 'TimeoutError' }), 'TimeoutError'],
  ])('throws %s with a name that is retried: %s', async (error, name) => {
    expect(await seenOf(error)).toBe(name);
    expect(permanent).not.toContain(name);
  });
});

describe('a step in a function whose last run was killed', () => {
  const place = mkdtempSync(join(tmpdir(), 'step-test-'));
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(place, { recursive: true });
  });

  it('finds no files of that run on its disk', async () => {
    const left = mkdtempSync(join(place, 'kinora-step-render-clip-'));
    vi.stubEnv('TMPDIR', place);
    vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'RenderChunk');
    const handler = step({ name: 'RenderChunk' }, async () => existsSync(left));
    expect(await handler({ tenant: 'demo' }, {} as never)).toBe(false);
  });
});

describe('the metrics of a step', () => {
  /** The metrics of a run that throws. */
  async function countedOf(error: Error): Promise<Record<string, unknown>> {
    const lines: string[] = [];
    const out = vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
    await seenOf(error);
    out.mockRestore();
    return lines.map((line) => JSON.parse(line)).find(({ message }) => message === 'step');
  }

  it.each([
    [providerUnavailable('It is down.'), 1],
    [providerThrottled('It is busy.'), 1],
    [providerGivenUp('It failed at all of them.'), 1],
    [new JobError('engine_unavailable', 'The region does not have it.'), 1],
    [mediaUnreadable('It is a PDF.'), 0],
    [new JobError('timed_out', 'It took too long.'), 0],
    [new JobError('internal_error', 'It broke.'), 0],
    [Object.assign(new Error('reset'), { name: 'TimeoutError' }), 0],
    [new Canceled(), 0],
  ])('count %s %i times as an error of a provider', async (error, times) => {
    expect(await countedOf(error)).toMatchObject({ ProviderErrors: times, StepFailures: 1, Steps: 1 });
  });
});

describe('a step of a job', () => {
  /** The result of an invocation that Lambda ends after this time. Each look at the job finds the next of these states. */
  async function endOf(
    left_ms: number,
    work: (signal: AbortSignal, leftMs: () => number) => Promise<unknown>,
    statuses: readonly string[] = ['running'],
  ): Promise<string> {
    let looks = 0;
    const handler = jobStep(
      { name: 'Probe' },
      async () => ({ status: statuses[Math.min(looks++, statuses.length - 1)] }) as never,
      async (_, { signal, leftMs }) => work(signal, leftMs),
      0,
    );
    const context = { getRemainingTimeInMillis: () => left_ms } as never;
    return handler({ tenant: 'demo', job_id: 'j' as never }, context).then(String, ({ name }: Error) => name);
  }
  /** Works until it is aborted, as ffmpeg does. */
  const untilAborted = (signal: AbortSignal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

  it('reports a time-out before Lambda ends it, even if its work ignores the signal', async () => {
    // Middy's own time-out comes 5 ms before the end, without a message from Kinora.
    const deaf = () => new Promise(() => {});
    const ends = await Promise.all([endOf(3000, untilAborted), endOf(3000, deaf)]);
    expect(ends).toEqual(['timed_out', 'timed_out']);
    expect([900_000, 300_000, 60_000].map(toLeave)).toEqual([20_000, 20_000, 6000]);
  });

  it('has the remaining time of its function', async () => {
    expect(await endOf(900_000, async (_, leftMs) => leftMs())).toBe('900000');
  });

  it('ends as canceled if its job was canceled or deleted while it worked, for any error', async () => {
    const missed = async () => {
      throw new NotFound('asset', 'a');
    };
    const after = (status: string) => endOf(900_000, missed, ['running', status]);
    expect(await after('canceled')).toBe('canceled');
    expect(await endOf(900_000, missed)).toBe('resource_not_found');
    const gone = jobStep({ name: 'Probe' }, async () => jobs.shift() ?? null, missed, 0);
    const jobs = [{ status: 'running' } as never];
    await expect(gone({ tenant: 'demo', job_id: 'j' as never }, {} as never)).rejects.toThrow(Canceled);
  });

  it('ends soon if its job is canceled or fails meanwhile, but not if the job had failed before', async () => {
    const ends = ['canceled', 'failed'].map((end) => endOf(900_000, untilAborted, ['running', end]));
    const again = endOf(3000, untilAborted, ['failed']);
    expect(await Promise.all([...ends, again])).toEqual(['canceled', 'canceled', 'timed_out']);
  });
});
