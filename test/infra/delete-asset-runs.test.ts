import { describe, expect, it } from 'vitest';
import { readDefinitions } from '../../lib/jobs/definitions.ts';
import {
  type FakeFunction,
  FunctionError,
  functionArn,
  run,
} from '../../local/test/stepfunctions/harness.ts';

const asset = { tenant: 'demo', asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11' };

const definition = JSON.parse(
  readDefinitions()
    .find(({ name }) => name === 'DeleteAsset')!
    .body.replace(/\$\{(\w+)\}/g, (_, step) => functionArn(step)),
);

async function deleted(steps: Readonly<Record<string, FakeFunction>>) {
  const functions = { EraseAsset: () => ({}), ClearExport: () => ({}), ...steps };
  const { status, invocations, took, history } = await run({ definition, functions, input: asset });
  expect(status).toBe('SUCCEEDED');
  return { took, history, calls: invocations.map(({ name, payload }) => [name, payload]) };
}

describe('the deletion of an asset', () => {
  it('removes the media of the asset, then its records', async () => {
    const { calls } = await deleted({ RemoveMedia: () => ({ exports: [], quiet: true }) });
    expect(calls).toEqual([
      ['RemoveMedia', asset],
      ['EraseAsset', asset],
    ]);
  });

  it('removes media again until all jobs of the asset have ended, and only then its records', async () => {
    const RemoveMedia: FakeFunction = (_, { count }) => ({ exports: [], quiet: count >= 3 });
    const { calls, took } = await deleted({ RemoveMedia });
    expect(calls.map(([name]) => name)).toEqual([...Array(4).fill('RemoveMedia'), 'EraseAsset']);
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
    const ClearExport: FakeFunction = ({ job_id }) => {
      if (job_id === 'one') throw new FunctionError('Error', 'No.');
      return {};
    };
    const RemoveMedia = () => ({ exports: ['one', 'two'], quiet: true });
    const { calls } = await deleted({ RemoveMedia, ClearExport });
    const cleared = calls.filter(([name]) => name === 'ClearExport').map(([, payload]) => payload);
    expect(cleared).toContainEqual({ ...asset, job_id: 'one' });
    expect(cleared).toContainEqual({ ...asset, job_id: 'two' });
    expect([calls[0], calls.at(-1)]).toEqual([
      ['RemoveMedia', asset],
      ['EraseAsset', asset],
    ]);
  });
});
