import { describe, expect, it } from 'vitest';
import { type FakeFunction, failingFor, job, runOf, type Steps } from '../support/machine-runs.ts';

const { job_id: _, ...asset } = job;

async function deleted(steps: Steps) {
  const { status, invocations, took, history } = await runOf('DeleteAsset', steps, { input: asset });
  expect(status).toBe('SUCCEEDED');
  return { took, history, calls: invocations.map(({ name, payload }) => [name, payload]) };
}

describe('the deletion of an asset', () => {
  it('removes media again until all jobs of the asset have ended, and only then its records', async () => {
    const RemoveMedia: FakeFunction = (_, { count }) => ({ exports: [], quiet: count >= 3 });
    const { calls, took } = await deleted({ RemoveMedia });
    expect(calls).toEqual([...Array(4).fill(['RemoveMedia', asset]), ['EraseAsset', asset]]);
    expect(took).toBeGreaterThan(18_000);
    expect(took).toBeLessThan(60_000);
  });

  it('waits for at most a day for jobs that do not end, with a short history', async () => {
    const { calls, took, history } = await deleted({ RemoveMedia: () => ({ exports: [], quiet: false }) });
    expect(calls.at(-1)).toEqual(['EraseAsset', asset]);
    expect(took).toBeLessThan(86_400_000);
    expect(history.length).toBeLessThan(2500);
  });

  it('removes unfinished uploads of exports before their records, if the storages allow it', async () => {
    const ClearExport = failingFor('ClearExport', 'job_id', 'one', 'invalid_state');
    const RemoveMedia = () => ({ exports: ['one', 'two'], quiet: true });
    const { calls } = await deleted({ RemoveMedia, ClearExport });
    expect(calls[0]).toEqual(['RemoveMedia', asset]);
    expect(calls.slice(1, -1)).toHaveLength(2);
    for (const job_id of ['one', 'two']) expect(calls).toContainEqual(['ClearExport', { ...asset, job_id }]);
    expect(calls.at(-1)).toEqual(['EraseAsset', asset]);
  });
});
