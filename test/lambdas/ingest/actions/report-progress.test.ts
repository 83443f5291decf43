import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IngestContext } from '../../../../lambdas/ingest/actions/ingest-step.ts';
import type { Progress } from '../../../../lambdas/ingest/actions/report-progress.ts';
import type { Tenant } from '../../../support/api.ts';
import { processed } from '../../../support/processed.ts';
import { startTestApi } from '../../../support/test-api.ts';

const api = await startTestApi();

const pieces = [0, 1, 2, 3].map((index) => ({
  index,
  start_ms: index * 10_000,
  end_ms: (index + 1) * 10_000,
}));
const transcribed = (share: number) => 0.2 + 0.64 * share;

/** A job whose audio was cut into four pieces, and progress as each of its steps has one. */
async function talk(tenant: Tenant) {
  const { progressOf, sizeOf } = await import('../../../../lambdas/ingest/actions/report-progress.ts');
  const { id, job, jobs } = await processed(tenant);
  await jobs.planParts(id, job, pieces.map(sizeOf));
  const ids = { asset_id: id, job_id: job };
  const step = (now = () => new Date()) => progressOf(ids, tenant.id, now, 0);
  const seen = async () => {
    const [ofJob, ofAsset] = await Promise.all([
      tenant.call('GET', `/v1/jobs/${job}`),
      tenant.call('GET', `/v1/assets/${id}`),
    ]);
    return { job: ofJob.json, asset: ofAsset.json };
  };
  return { ids, step, seen, jobs };
}

const telling = (progress: Progress & { close(): Promise<void> }) => ({
  /** Resolves when it is written. */
  async piece(index: number, fraction: number) {
    progress.piece(pieces[index]!, fraction);
    await progress.close();
  },
});

describe('the progress of an ingest', () => {
  it('is written while a step works, on the job and on the asset, with the stage', async () => {
    const tenant = await api.tenant('worker');
    const { ids, seen } = await talk(tenant);
    const { ingestStep } = await import('../../../../lambdas/ingest/actions/ingest-step.ts');
    const end = Promise.withResolvers<void>();
    const step = ingestStep({ name: 'PrepareAudio' }, async (_, { progress }: IngestContext) => {
      progress.stage('audio', 0.5);
      await end.promise;
      return {};
    });
    const working = step({ ...ids, tenant: tenant.id }, {} as never);
    const reached = expect.poll(async () => (await seen()).job.progress, { timeout: 120_000 });
    await reached.toBeCloseTo(0.15, 5);
    expect((await seen()).asset).toMatchObject({ stage: 'audio', progress: 0.15, status: 'processing' });
    end.resolve();
    await working;
  });

  it('is the sum of parallel pieces, weighted by duration', async () => {
    const { step, seen } = await talk(await api.tenant('sides'));
    await Promise.all([
      telling(step()).piece(0, 0.5),
      telling(step()).piece(1, 0.25),
      step().pieceDone(pieces[2]!),
    ]);
    const { job, asset } = await seen();
    expect(job.progress).toBeCloseTo(transcribed(1.75 / 4), 4);
    expect(asset.progress).toBe(job.progress);
  });

  it('never falls and never exceeds 1, in any order of reports', async () => {
    const { step, seen } = await talk(await api.tenant('orders'));
    const reports = fc.sample(
      fc.record({ piece: fc.nat(3), fraction: fc.double({ min: 0, max: 1.5, noNaN: true }) }),
      { numRuns: 40, seed: 9 },
    );
    let before = 0;
    for (const { piece, fraction } of reports) {
      // Beyond the end, the piece is counted as done, perhaps not for the first time.
      if (fraction > 1.2) await step().pieceDone(pieces[piece]!);
      else await telling(step()).piece(piece, fraction);
      const { job, asset } = await seen();
      expect(job.progress).toBeGreaterThanOrEqual(before);
      expect(job.progress).toBeLessThanOrEqual(transcribed(1));
      expect(asset.progress).toBe(job.progress);
      before = job.progress;
    }
    for (const piece of pieces) await step().pieceDone(piece);
    expect((await seen()).job.progress).toBeCloseTo(transcribed(1), 5);
  });

  it('includes the expected end as soon as an estimate is possible, until the job has ended', async () => {
    const tenant = await api.tenant('forecast');
    const { ids, step, seen, jobs } = await talk(tenant);
    const begun = Date.parse('2026-11-21T09:00:00Z');
    const at = (seconds: number) => () => new Date(begun + seconds * 1000);
    await telling(step(at(0))).piece(0, 0);
    expect((await seen()).job.estimated_ready_at).toBeNull();
    await telling(step(at(10))).piece(0, 0.5);
    // An eighth in ten seconds: seven more are left, and what comes after them.
    const expected = '2026-11-21T09:01:22.000Z';
    const { job, asset } = await seen();
    expect([job.estimated_ready_at, asset.estimated_ready_at]).toEqual([expected, expected]);
    await jobs.settle(ids.asset_id, ids.job_id, {
      now: new Date(),
      end: { result: { transcription_ids: [] } },
    });
    expect((await seen()).job.estimated_ready_at).toBeNull();
  });

  it('moves its expected end at most twice as fast as the clock, in any history of work and waiting', async () => {
    const begun = Date.parse('2026-11-21T09:00:00Z');
    let histories = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            piece: fc.nat(3),
            fraction: fc.double({ min: 0.001, max: 0.5, noNaN: true }),
            /** Seconds before the report: work, a queue, a sleeping laptop. */
            pause: fc.constantFrom(1, 3, 10, 30, 59, 300, 3600),
          }),
          { minLength: 4, maxLength: 12 },
        ),
        async (history) => {
          histories += 1;
          const { step, seen } = await talk(await api.tenant(`history-${histories}`));
          const done = [0, 0, 0, 0];
          let [at, before]: [number, { at: number; end: number } | null] = [begun, null];
          for (const { piece, fraction, pause } of history) {
            at += pause * 1000;
            done[piece] = Math.min(1, done[piece]! + fraction);
            await telling(step(() => new Date(at))).piece(piece, done[piece]!);
            const { job, asset } = await seen();
            expect(asset.estimated_ready_at).toBe(job.estimated_ready_at);
            if (job.estimated_ready_at === null) {
              // An expected end stays until it has passed.
              if (before !== null) expect(before.end).toBeLessThanOrEqual(at);
              before = null;
              continue;
            }
            const end = Date.parse(job.estimated_ready_at);
            if (before !== null) expect(Math.abs(end - before.end)).toBeLessThanOrEqual(2 * (at - before.at));
            before = { at, end };
          }
        },
      ),
      { numRuns: 15, seed: 21 },
    );
  }, 120_000);

  it('is not written to an asset that another job processes, or that was deleted', async () => {
    const tenant = await api.tenant('taken');
    const { ids, step } = await talk(tenant);
    await tenant.call('DELETE', `/v1/assets/${ids.asset_id}`);
    await expect(step().pieceDone(pieces[0]!)).rejects.toMatchObject({ name: 'canceled' });
  });
});
