import { afterAll } from 'vitest';
import { type Api, startApi } from './api.ts';
import { type StateMachines, startStateMachines } from './state-machines.ts';

/** The secret key of the local engines, unless a test sets its own first. */
const LOCAL_SECRET_KEY = 'a secret of this test, long enough for a key';

/** Starts the API and a stand-in for Step Functions. Closes both after the tests of the file. Import handlers only after this call. */
export async function startTestApi(
  options: Parameters<typeof startApi>[0] = {},
): Promise<Api & { readonly machines: StateMachines }> {
  process.env.LOCAL_SECRET_KEY ??= LOCAL_SECRET_KEY;
  const machines = await startStateMachines();
  const { close, ...api } = await startApi(options);
  afterAll(async () => {
    await close();
    await machines.close();
  });
  return { ...api, machines };
}
