import { expect, it } from 'vitest';
import { Secrets } from '../../../engines/secrets/envelope-encryption.ts';
import { localDataKeys } from '../../../engines/secrets/machine-key.ts';
import { openCredentials } from '../../../lambdas/exports/actions/open-storage.ts';
import { asTenantId } from '../../../shared/ids.ts';
import { engineUnavailable, providerUnavailable } from '../../../shared/job-errors.ts';

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
  'a temporary decryption error does not ask for new credentials: %s',
  async (error) => {
    await expect(openCredentials(sealed, tenant, 'storage', failingWith(error))).rejects.toBe(error);
  },
);

it('credentials that were encrypted for another storage have to be sent again', async () => {
  await expect(openCredentials(sealed, tenant, 'storage', new Secrets(keys))).resolves.toEqual({
    token: 'x',
  });
  await expect(openCredentials(sealed, tenant, 'other', new Secrets(keys))).rejects.toMatchObject({
    code: 'storage_access_denied',
  });
});
