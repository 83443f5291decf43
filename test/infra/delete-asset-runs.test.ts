import { describe, expect, it } from 'vitest';
import { readDefinitions } from '../../lib/jobs/definitions.ts';
import { type FakeFunction, FunctionError, functionArn, run } from '../local/stepfunctions/harness.ts';

const asset = { tenant: 'demo', asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11' };

const definition = JSON.parse(
  readDefinitions()
    .find(({ name }) => name === 'DeleteAsset')!
    .body.replace(/\$\{(\w+)\}/g, (_, step) => functionArn(step)),
);

async function deleted(steps: Readonly<Record<string, FakeFunction>>) {
  const functions = { EraseAsset: () => ({}), ClearExport: () => ({}), ...steps };
  const { status, invocations } = await run({ definition, functions, input: asset });
  expect(status).toBe('SUCCEEDED');
  return invocations.map(({ name, payload }) => [name, payload]);
}

describe('the deletion of an asset', () => {
  it('removes its media, then its records', async () => {
    expect(await deleted({ RemoveMedia: () => ({ exports: [] }) })).toEqual([
      ['RemoveMedia', asset],
      ['EraseAsset', asset],
    ]);
  });

  it('clears up what its exports left at storages while their records are there, as far as those let it', async () => {
    const ClearExport: FakeFunction = ({ job_id }) => {
      if (job_id === 'one') throw new FunctionError('Error', 'No.');
      return {};
    };
    const calls = await deleted({ RemoveMedia: () => ({ exports: ['one', 'two'] }), ClearExport });
    const cleared = calls.filter(([name]) => name === 'ClearExport').map(([, payload]) => payload);
    expect(cleared).toContainEqual({ ...asset, job_id: 'one' });
    expect(cleared).toContainEqual({ ...asset, job_id: 'two' });
    expect([calls[0], calls.at(-1)]).toEqual([
      ['RemoveMedia', asset],
      ['EraseAsset', asset],
    ]);
  });
});
