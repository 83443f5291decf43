import { afterAll, describe, expect, it, vi } from 'vitest';
import { QueueTable } from '../../../platform/admission/queue-table.ts';
import { AllJobs } from '../../../platform/jobs/job-records.ts';
import { executionEnded } from '../../../toolchain/bundle/sample-events.ts';
import type { Tenant } from '../../support/api.ts';
import { processed } from '../../support/processed.ts';
import { runStep } from '../../support/run-step.ts';
import { startTestApi } from '../../support/test-api.ts';

process.env.JOBS_AT_ONCE = '1';
const api = await startTestApi();
afterAll(async () => {
  delete process.env.JOBS_AT_ONCE;
});

async function ended(name: string) {
  const event = executionEnded();
  return runStep('settle-execution', { ...event, detail: { ...event.detail, name } });
}
const follow = async (tenant: Tenant, job: string) => (await tenant.call('GET', `/v1/jobs/${job}`)).json;
/** Jobs of a list with their places, and how often the line was looked at for it. */
async function listed(tenant: Tenant, path: string) {
  const looks = vi.spyOn(QueueTable.prototype, 'waiting');
  const { json } = await tenant.call('GET', path);
  const count = looks.mock.calls.length;
  looks.mockRestore();
  const places = json.data.map((job: { job_id: string; queue?: { position: number } }) => [
    job.job_id,
    job.queue?.position,
  ]);
  return { places: Object.fromEntries(places), count };
}
const startingCalls = (job: string) =>
  api.machines.calls.filter((call) => call.startsWith('StartExecution') && call.includes(`"name":"${job}"`));
const startsOf = (job: string) => startingCalls(job).length;
const traced = (root: string) => `Root=1-5759e988-${root};Parent=53995c3f42cd8ad8;Sampled=1`;

describe('an environment that runs one job at a time', () => {
  it('starts a queued job with the trace of its own request', async () => {
    const tenant = await api.tenant('traced');
    const [of, given] = [traced('bd862e3fe1be46a994272793'), traced('000000000000000000000000')];
    try {
      const first = await processed(tenant);
      await follow(tenant, first.job);
      process.env._X_AMZN_TRACE_ID = of;
      const second = await processed(tenant);
      await follow(tenant, second.job);
      process.env._X_AMZN_TRACE_ID = given;
      await follow(tenant, second.job);
      expect(startsOf(second.job)).toBe(0);
      await first.jobs.settle(first.id, first.job, {
        now: new Date(),
        end: { result: { transcription_ids: [] } },
      });
      expect(await ended(first.job)).toMatchObject({ started: 1 });
      expect(startingCalls(second.job)).toEqual([expect.stringContaining(`"traceHeader":"${of}"`)]);
      await second.jobs.settle(second.id, second.job, {
        now: new Date(),
        end: { result: { transcription_ids: [] } },
      });
      await ended(second.job);
    } finally {
      delete process.env._X_AMZN_TRACE_ID;
    }
  });

  it('queues the other jobs with their positions, alternates between tenants, and removes canceled jobs', async () => {
    const [busy, other] = [await api.tenant('busy'), await api.tenant('other')];
    const first = await processed(busy);
    expect(await follow(busy, first.job)).not.toHaveProperty('queue');
    const second = await processed(busy);
    const third = await processed(busy);
    await follow(busy, second.job);
    await follow(busy, third.job);
    const late = await processed(other);
    expect(await follow(other, late.job)).toMatchObject({ status: 'queued', queue: { position: 1 } });
    expect(await follow(busy, second.job)).toMatchObject({ queue: { position: 2 } });
    expect(await follow(busy, third.job)).toMatchObject({ queue: { position: 3 } });
    expect([first, second, third, late].map(({ job }) => startsOf(job))).toEqual([1, 0, 0, 0]);

    const places = { [first.job]: undefined, [second.job]: 2, [third.job]: 3 };
    expect(await listed(busy, '/v1/jobs')).toEqual({ places, count: 1 });
    expect(await listed(busy, '/v1/jobs?type=ingest')).toEqual({ places, count: 1 });
    const ofAsset = await listed(busy, `/v1/assets/${second.id}/ingest_jobs`);
    expect(ofAsset).toEqual({ places: { [second.job]: 2 }, count: 1 });
    expect(await listed(other, '/v1/jobs')).toEqual({ places: { [late.job]: 1 }, count: 1 });
    expect(await listed(await api.tenant('none'), '/v1/jobs')).toEqual({ places: {}, count: 0 });

    await first.jobs.settle(first.id, first.job, {
      now: new Date(),
      end: { result: { transcription_ids: [] } },
    });
    expect(await ended(first.job)).toMatchObject({ started: 1 });
    expect([late, second].map(({ job }) => startsOf(job))).toEqual([1, 0]);
    expect(await follow(other, late.job)).not.toHaveProperty('queue');

    await new AllJobs(busy.table, busy.id).cancel(second.job, new Date());
    await late.jobs.settle(late.id, late.job, {
      now: new Date(),
      end: { result: { transcription_ids: [] } },
    });
    expect(await ended(late.job)).toMatchObject({ started: 1 });
    expect([second, third].map(({ job }) => startsOf(job))).toEqual([0, 1]);
    expect(await ended(late.job)).toEqual({ jobs: 0, started: 0 });
  });
});
