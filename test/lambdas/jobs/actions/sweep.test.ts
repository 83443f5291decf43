import { describe, expect, it, vi } from 'vitest';
import { Assets } from '../../../../lambdas/assets/records/assets.ts';
import { sweep } from '../../../../lambdas/jobs/actions/sweep.ts';
import { AllJobs } from '../../../../platform/jobs/job-records.ts';
import { EventDispatch } from '../../../../platform/outbox/event-dispatch.ts';
import type { ExecutionEnd } from '../../../../platform/state-machines/executions.ts';
import { executionEnded } from '../../../../toolchain/bundle/sample-events.ts';
import { newAssetId } from '../../../support/ids.ts';
import { processed } from '../../../support/processed.ts';
import { runStep } from '../../../support/run-step.ts';
import { startTestApi } from '../../../support/test-api.ts';

const api = await startTestApi();

const later = () => new Date(Date.now() + 120_000);

async function swept(
  endOf: (name: string) => ExecutionEnd | 'running' | 'absent' | Promise<ExecutionEnd>,
  now = later(),
  leftMs = () => 50_000,
) {
  const { adminTable, coreTable } = await import('../../../../platform/runtime/dynamodb.ts');
  const { eventDispatch, publishingTable } = await import('../../../../platform/runtime/publishing.ts');
  const failed: string[] = [];
  const started: { machine: string; name: string; input: Record<string, unknown> }[] = [];
  const executionsOf = (machine: string) =>
    ({
      endOf: async (name: string) => endOf(name),
      start: async (name: string, input: Record<string, unknown>) => {
        started.push({ machine, name, input });
      },
    }) as never;
  const counts = await sweep(now, {
    admin: adminTable(),
    dispatch: (tenant) => ({
      run: (ids, at) => eventDispatch(tenant).run(ids, at),
      resume: (entry, at) =>
        new EventDispatch(coreTable(tenant), tenant, () => executionsOf('DeliverEvent')).resume(entry, at),
    }),
    table: publishingTable,
    failed: (entry) => failed.push(entry),
    leftMs,
    queue: {
      startOrEnqueue: async ({ machine, job_id, input }) => {
        started.push({ machine, name: job_id, input: { ...input } });
      },
    },
    executionsOf,
  });
  return { ...counts, started, failed };
}

const of = <Some extends { name: string }>(job: string, started: readonly Some[]) =>
  started.filter(({ name }) => name.startsWith(job));

const isSwept = async (job: string) => {
  const { started } = await swept((name) => (name === job ? 'absent' : 'running'));
  return of(job, started).length > 0;
};

describe('the sweep', () => {
  it('delivers an event whose request crashed before the delivery', async () => {
    const tenant = await api.tenant('unlucky');
    await tenant.call('POST', '/v1/webhooks', { url: 'https://receiver.test/hook' });
    await new Assets(tenant.table, tenant.id).create(newAssetId(), new Date(), {
      filename: 'a.mp4',
      mc_model: 'normal',
    });
    const before = api.machines.calls.length;
    expect((await swept(() => 'running', new Date())).events).toBe(0);
    expect((await swept(() => 'running')).events).toBeGreaterThan(0);
    const calls = api.machines.calls.slice(before).filter((call) => call.includes('DELIVER_EVENT'));
    expect(calls).toHaveLength(1);
    expect((await swept(() => 'running')).events).toBe(0);
  });

  it('starts a job that was stored but never started', async () => {
    const tenant = await api.tenant('recorded');
    const { id, job } = await processed(tenant);
    const { started } = await swept(() => 'absent');
    expect(of(job, started)).toEqual([
      { machine: 'Ingest', name: job, input: { tenant: tenant.id, asset_id: id, job_id: job } },
    ]);
  });

  it('reports the waiting time of the oldest queued job, in seconds', async () => {
    const tenant = await api.tenant('waiting');
    const { id, job } = await processed(tenant);
    const { created_at } = (await new AllJobs(tenant.table, tenant.id).find(job))!;
    const inAnHour = new Date(Date.parse(created_at) + 3_600_000);
    // Others of this file have waited for some moments longer.
    const { sweepReport } = await import('../../../../lambdas/jobs/steps/sweep.ts');
    const { oldestWaiting } = await swept(() => 'running', inAnHour);
    expect(oldestWaiting).toBeGreaterThanOrEqual(3600);
    expect(oldestWaiting).toBeLessThan(3800);
    expect(sweepReport({ counts: { jobs: 0, oldestWaiting }, scarcest: null })).toEqual({
      metrics: [{ name: 'OldestWaiting', unit: 'Count', value: oldestWaiting }],
    });
    const { handler } = await import('../../../../lambdas/jobs/steps/sweep.ts');
    vi.useFakeTimers({ toFake: ['Date'], now: inAnHour });
    const lines: string[] = [];
    const out = vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
    await handler({}, {} as never).finally(() => {
      out.mockRestore();
      vi.useRealTimers();
    });
    const told = lines.map((line) => JSON.parse(line)).find(({ schedule }) => schedule === 'Sweep');
    expect(told.OldestWaiting).toBe(oldestWaiting);
    await new Assets(tenant.table, tenant.id).erase(id);
  });

  it('reports the scarcest provider and its use', async () => {
    const { sweepReport } = await import('../../../../lambdas/jobs/steps/sweep.ts');
    const scarcest = { pool: 'pollyPerSecond', percent: 80 };
    expect(sweepReport({ counts: { started: 1 }, scarcest })).toEqual({
      metrics: [
        { name: 'Started', unit: 'Count', value: 1 },
        { name: 'ProviderPlaces', unit: 'Percent', value: 80 },
      ],
      fields: { scarcest: 'pollyPerSecond' },
    });
  });

  it('restarts a deletion that was never started or crashed', async () => {
    const tenant = await api.tenant('deleted');
    const id = await tenant.readyAsset();
    const assets = new Assets(tenant.table, tenant.id);
    await assets.beginDeletion(id, new Date(), undefined);
    const begun = async (ends: Readonly<Record<string, ExecutionEnd>>, now = later()) =>
      of(`delete-${id}`, (await swept((name) => ends[name] ?? 'absent', now)).started);
    const first = `delete-${id}`;
    const input = { tenant: tenant.id, asset_id: id };
    expect(await begun({})).toEqual([{ machine: 'DeleteAsset', name: first, input }]);
    expect(await begun({ [first]: 'running' as never })).toEqual([]);
    const died = { [first]: { Error: 'States.Timeout', Cause: '' } };
    const [again] = await begun(died);
    expect(again).toMatchObject({ name: expect.stringContaining(`${first}-`), input });
    expect(await begun({ ...died, [again!.name]: { Error: 'States.Timeout', Cause: '' } })).toEqual([]);
    await assets.erase(id);
    expect(await begun({})).toEqual([]);
  });

  it('starts a delivery again whose execution was never started or crashed, until the event is old', async () => {
    const tenant = await api.tenant('undelivered');
    const { json: hook } = await tenant.call('POST', '/v1/webhooks', { url: 'https://receiver.test/hook' });
    const path = `/v1/webhooks/${hook.webhook_id}`;
    const { json: delivery } = await tenant.call('POST', `${path}/test`);
    const first = `${delivery.event_id}-${hook.webhook_id}`;
    const died = { Error: 'States.Timeout', Cause: '' };
    const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);
    /** The names of the rounds that a sweep starts. */
    const resumed = async (ends: Readonly<Record<string, ExecutionEnd>>, minutes: number) => {
      const { started } = await swept((name) => ends[name] ?? 'absent', inMinutes(minutes));
      return of(first, started).map(({ name }) => name);
    };
    expect(await resumed({}, 5)).toEqual([]);
    expect(await resumed({ [first]: 'running' as never }, 20)).toEqual([]);
    expect(await resumed({}, 20)).toEqual([first]);
    expect(await resumed({ [first]: died }, 20)).toEqual([`${first}-1`]);
    expect(await resumed({ [first]: died, [`${first}-1`]: died }, 30)).toEqual([]);
    expect(await resumed({ [first]: died, [`${first}-1`]: died }, 60 * 24 * 8)).toEqual([]);
    const { json } = await tenant.call('GET', `${path}/deliveries`);
    expect(json.data).toMatchObject([{ status: 'failed', next_attempt_at: null }]);
    expect(await resumed({}, 60 * 24 * 9)).toEqual([]);
  });

  it('removes assets from a deleted collection again if that crashed, until it has succeeded', async () => {
    const tenant = await api.tenant('emptied');
    const { json } = await tenant.call('POST', '/v1/collections', { name: 'C' });
    const before = api.machines.calls.length;
    await tenant.call('DELETE', `/v1/collections/${json.collection_id}`);
    const [call] = api.machines.calls.slice(before).filter((made) => made.includes('EMPTY_COLLECTION'));
    const { name, input } = JSON.parse(call!.slice(call!.indexOf(' ')));
    const died = { Error: 'States.Timeout', Cause: '' };
    const begun = async (end: ExecutionEnd | 'absent') =>
      of(name, (await swept((asked) => (asked === name ? (end as never) : 'absent'))).started);
    expect(await begun('running' as never)).toEqual([]);
    expect(await begun('absent')).toMatchObject([{ machine: 'EmptyCollection', name }]);
    expect(await begun(died)).toMatchObject([
      { name: expect.stringMatching(`${name}-\\d+`), input: JSON.parse(input) },
    ]);
    await runStep('empty-collection', JSON.parse(input));
    expect(await begun(died)).toEqual([]);
  });

  it('ignores running and recent jobs', async () => {
    const tenant = await api.tenant('running');
    const { job } = await processed(tenant);
    expect(of(job, (await swept(() => 'running')).started)).toEqual([]);
    expect(of(job, (await swept(() => 'absent', new Date())).started)).toEqual([]);
  });

  it('settles a job whose execution crashed, with the cause', async () => {
    const tenant = await api.tenant('died');
    const { job } = await processed(tenant);
    const { started } = await swept((name) =>
      name === job ? { Error: 'States.Timeout', Cause: '' } : 'running',
    );
    expect(of(job, started)).toMatchObject([
      {
        name: expect.stringContaining(`${job}-settle-`),
        input: { job_id: job, failure: { Error: 'States.Timeout' } },
      },
    ]);
  });

  it('clears a canceled job whose execution could not do it, and settles one that ended', async () => {
    const tenant = await api.tenant('cleared');
    const canceled = await processed(tenant);
    await new AllJobs(tenant.table, tenant.id).cancel(canceled.job, new Date());
    const { started } = await swept((name) =>
      name === canceled.job ? { Error: 'internal_error', Cause: '' } : 'running',
    );
    expect(of(canceled.job, started)).toMatchObject([{ input: { failure: { Error: 'canceled' } } }]);
    const ended = await processed(tenant);
    await ended.jobs.settle(ended.id, ended.job, {
      now: new Date(),
      end: { result: { transcription_ids: [] } },
    });
    expect(await isSwept(ended.job)).toBe(false);
  });

  it('uses only a share of the remaining time for jobs', async () => {
    const tenant = await api.tenant('slow');
    for (let made = 0; made < 3; made += 1) await processed(tenant);
    const id = await tenant.readyAsset();
    await new Assets(tenant.table, tenant.id).beginDeletion(id, new Date(), undefined);
    /** With so much left, and executions that take ten seconds each to look at. */
    const lookedAt = async (ms: number) => {
      let left_ms = ms;
      const names: string[] = [];
      const endOf = (name: string) => {
        names.push(name);
        if (!name.startsWith('delete-')) left_ms -= 10_000;
        return 'running' as never;
      };
      await swept(endOf, later(), () => left_ms);
      const deletions = names.filter((name) => name.startsWith(`delete-${id}`)).length;
      return { jobs: names.filter((name) => !name.startsWith('delete-')).length, deletions };
    };
    expect(await lookedAt(24_000)).toEqual({ jobs: 1, deletions: 3 });
    expect(await lookedAt(48_000)).toEqual({ jobs: 2, deletions: 3 });
    expect((await lookedAt(900_000)).jobs).toBeGreaterThan(2);
  });

  it('continues with other entries after a failure', async () => {
    const tenant = await api.tenant('poisoned');
    const [poisoned, other] = [await processed(tenant), await processed(tenant)];
    const { started, failed, failures } = await swept((name) => {
      if (name === poisoned.job) throw new Error('Unknown machine');
      return name === other.job ? 'absent' : 'running';
    });
    expect([failed, failures]).toEqual([[poisoned.job], 1]);
    expect(of(other.job, started)).toHaveLength(1);
  });

  it('ignores a job that was settled meanwhile', async () => {
    const tenant = await api.tenant('photo-finish');
    const { id, job, jobs } = await processed(tenant);
    const { started } = await swept(async (name) => {
      if (name === job)
        await jobs.settle(id, job, { now: new Date(), end: { result: { transcription_ids: [] } } });
      return { Error: 'internal_error', Cause: '' };
    });
    expect(of(job, started)).toEqual([]);
  });
});

describe('the end of an execution', () => {
  /** Runs SettleExecution with the event that AWS documents. */
  async function told(name: string) {
    const event = executionEnded();
    const { handler } = await import('../../../../lambdas/jobs/steps/settle-execution.ts');
    const before = api.machines.calls.length;
    const done = await handler({ ...event, detail: { ...event.detail, name } }, {} as never);
    return { ...(done as { jobs: number }), calls: api.machines.calls.slice(before) };
  }

  it('settles its job immediately, and a repeated event changes nothing', async () => {
    const tenant = await api.tenant('told');
    const { job } = await processed(tenant);
    const { jobs, calls } = await told(job);
    expect(jobs).toBe(1);
    expect(calls.join()).toContain('INGEST');
    await told(job);
  });

  it('changes nothing for jobs that have ended, and for executions that settle a job', async () => {
    const tenant = await api.tenant('ended');
    const ended = await processed(tenant);
    await ended.jobs.settle(ended.id, ended.job, {
      now: new Date(),
      end: { result: { transcription_ids: [] } },
    });
    expect(await told(ended.job)).toEqual({ jobs: 0, started: 0, calls: [] });
    const { job } = await processed(tenant);
    expect(await told(`${job}-settle-3`)).toEqual({ jobs: 0, started: 0, calls: [] });
  });
});
