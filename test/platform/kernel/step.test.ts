import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { permanent } from '../../../lib/jobs/retrying.ts';
import { InvalidState, NotFound } from '../../../platform/shared/problems.ts';

process.env.ENVIRONMENT = 'dev';
const { Canceled, step } = await import('../../../platform/kernel/step.ts');
const { jobStep } = await import('../../../platform/kernel/job-step.ts');
const { mediaUnreadable, providerUnavailable } = await import('../../../platform/shared/job-errors.ts');

/** The name under which a state machine sees what a step throws. */
async function seenOf(error: Error): Promise<string> {
  const handler = step('Probe', async () => {
    throw error;
  });
  return handler({ tenant: 'demo' }, {} as never).then(
    () => 'nothing',
    (thrown: Error) => thrown.name,
  );
}

describe('a step', () => {
  it('gives its result', async () => {
    const handler = step('Probe', async ({ tenant }, context) => ({ tenant, at: context.tenant }));
    expect(await handler({ tenant: 'demo' }, {} as never)).toEqual({ tenant: 'demo', at: 'demo' });
  });

  it.each([
    [mediaUnreadable('It is a PDF.'), 'media_unreadable'],
    [new NotFound('asset', 'a'), 'resource_not_found'],
    [new InvalidState('It has ended.'), 'invalid_state'],
    [new Canceled(), 'canceled'],
  ])('throws %s under a name that is not tried again: %s', async (error, name) => {
    expect(await seenOf(error)).toBe(name);
    expect(permanent).toContain(name);
  });

  it.each([
    [providerUnavailable('It is down.'), 'provider_unavailable'],
    [Object.assign(new Error('reset'), { name: 'TimeoutError' }), 'TimeoutError'],
  ])('throws %s under a name that is tried again: %s', async (error, name) => {
    expect(await seenOf(error)).toBe(name);
    expect(permanent).not.toContain(name);
  });
});

describe('a step of a job', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** An invocation that Lambda ends after so long, and what becomes of it. */
  async function endsIn(
    left_ms: number,
    work: (signal: AbortSignal, leftMs: () => number) => Promise<unknown>,
    statuses: readonly string[] = ['running'],
  ) {
    const ends = Date.now() + left_ms;
    let looks = 0;
    const handler = jobStep(
      'Probe',
      async () => ({ status: statuses[Math.min(looks++, statuses.length - 1)] }) as never,
      async (_, { signal, leftMs }) => work(signal, leftMs),
    );
    const lambda = { getRemainingTimeInMillis: () => ends - Date.now() } as never;
    const ending = handler({ tenant: 'demo', job_id: 'j' as never }, lambda).then(
      () => ({ name: 'nothing', left_ms: ends - Date.now() }),
      ({ name }: Error) => ({ name, left_ms: ends - Date.now() }),
    );
    await vi.advanceTimersByTimeAsync(left_ms);
    return ending;
  }
  /** Works until it is aborted, as ffmpeg does. */
  const untilAborted = (signal: AbortSignal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const deaf = () => new Promise(() => {});

  it.each([900_000, 300_000, 60_000])('says that %d ms were too few before Lambda ends it', async (left_ms) => {
    const ended = await endsIn(left_ms, untilAborted);
    expect(ended.name).toBe('timed_out');
    expect(ended.left_ms).toBeGreaterThanOrEqual(Math.min(20_000, left_ms * 0.1));
    const unheard = await endsIn(left_ms, deaf);
    expect(unheard.name).toBe('timed_out');
    expect(unheard.left_ms).toBeGreaterThan(0);
  });

  it('knows what it has left, and is left alone until it is nearly up', async () => {
    let seen: readonly number[] = [];
    const { name } = await endsIn(900_000, async (signal, leftMs) => {
      const before = leftMs();
      await new Promise((resolve) => setTimeout(resolve, 870_000));
      seen = [before, leftMs(), Number(signal.aborted)];
    });
    expect({ name, seen }).toEqual({ name: 'nothing', seen: [900_000, 30_000, 0] });
  });

  it('ends soon where its job was canceled or has failed meanwhile, and not where it had failed before', async () => {
    for (const end of ['canceled', 'failed']) {
      const ended = await endsIn(900_000, untilAborted, ['running', 'running', end]);
      expect(ended.name).toBe('canceled');
      expect(ended.left_ms).toBeGreaterThan(890_000);
    }
    const again = await endsIn(900_000, untilAborted, ['failed']);
    expect(again.name).toBe('timed_out');
  });
});
