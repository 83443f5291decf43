import { describe, expect, it } from 'vitest';
import { permanent } from '../../../lib/jobs/retrying.ts';
import { InvalidState, NotFound } from '../../../platform/shared/problems.ts';

process.env.ENVIRONMENT = 'dev';
const { Canceled, step } = await import('../../../platform/kernel/step.ts');
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
