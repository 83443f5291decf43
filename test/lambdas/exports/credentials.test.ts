import { expect, it } from 'vitest';
import { Secrets } from '../../../engines/secrets/envelope-encryption.ts';
import { localDataKeys } from '../../../engines/secrets/machine-key.ts';
import { openCredentials } from '../../../lambdas/exports/actions/open-storage.ts';
import { engineUnavailable, providerUnavailable } from '../../../shared/job-errors.ts';
import { asTenantId } from '../../../shared/tenant.ts';

const tenant = asTenantId('acme');
const keys = localDataKeys('a secret of this test, long enough for a key');
const sealed = await new Secrets(keys).seal({ token: 'x' }, { tenant, resource: 'storage' });
const failingWith = (error: Error) =>
  new Secrets({
    ...keys,
    unwrap: async () => {
      throw error;
    },
  });

it.each([providerUnavailable('KMS is busy.'), engineUnavailable('The key is disabled.')])(
  'credentials that cannot be decrypted now do not ask for others: %s',
  async (error) => {
    await expect(openCredentials(sealed, tenant, 'storage', failingWith(error))).rejects.toBe(error);
  },
);

it('credentials that were sealed for another storage have to be given again', async () => {
  await expect(openCredentials(sealed, tenant, 'storage', new Secrets(keys))).resolves.toEqual({
    token: 'x',
  });
  await expect(openCredentials(sealed, tenant, 'other', new Secrets(keys))).rejects.toMatchObject({
    code: 'storage_access_denied',
  });
});
