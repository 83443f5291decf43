import { describe, expect, it } from 'vitest';
import { readDefinitions } from '../../lib/jobs/definitions.ts';
import {
  type FakeFunction,
  FunctionError,
  functionArn,
  run,
} from '../../local/test/stepfunctions/harness.ts';

const job = {
  tenant: 'demo',
  asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11',
  job_id: '019a9d2d-0c4f-7b62-8f7b-0d1f4c0f5d2e',
};

const definition = JSON.parse(
  readDefinitions()
    .find(({ name }) => name === 'Export')!
    .body.replace(/\$\{(\w+)\}/g, (_, step) => functionArn(step)),
);

async function exported(steps: Readonly<Record<string, FakeFunction>> = {}, input: object = job) {
  const functions: Record<string, FakeFunction> = {
    RenderExport: () => ({}),
    WriteExport: () => ({ written: true }),
    FailExport: () => ({}),
    ClearExport: () => ({}),
    ...steps,
  };
  const { status, invocations } = await run({ definition, functions, input });
  return { status, names: invocations.map(({ name }) => name), invocations };
}

const failing =
  (error: string): FakeFunction =>
  () => {
    throw new FunctionError(error, 'A sentence.');
  };

describe('an export', () => {
  it('is rendered once, and written in as many calls as needed', async () => {
    const WriteExport: FakeFunction = (_, { count }) => ({ written: count === 2 });
    expect(await exported({ WriteExport })).toMatchObject({
      status: 'SUCCEEDED',
      names: ['RenderExport', 'WriteExport', 'WriteExport', 'WriteExport'],
    });
  });

  it('is not retried if the storage refuses it, and reports the reason', async () => {
    const { status, names, invocations } = await exported({ WriteExport: failing('storage_object_exists') });
    expect({ status, names }).toEqual({
      status: 'SUCCEEDED',
      names: ['RenderExport', 'WriteExport', 'FailExport'],
    });
    expect(invocations.at(-1)!.payload).toMatchObject({
      ...job,
      failure: { Error: 'storage_object_exists' },
    });
  });

  it('is cleared if it was canceled, also by a sweep', async () => {
    expect((await exported({ WriteExport: failing('canceled') })).names.at(-1)).toBe('ClearExport');
    const swept = (name: string) => exported({}, { ...job, failure: { Error: name, Cause: '' } });
    expect((await swept('canceled')).names).toEqual(['ClearExport']);
    expect((await swept('States.Timeout')).names).toEqual(['FailExport']);
  });
});
