/** Data keys under one key of this machine, for the local cloud and tests. */
import { hkdfSync, randomBytes } from 'node:crypto';
import { decrypt, encrypt } from './aes-gcm.ts';
import { type DataKeys, dataKeysEngine, type KeyContext } from './port.ts';

export const machineKey = dataKeysEngine({
  name: 'machine-key',
  runs: ['local'],
  languages: 'any',
  settings: {
    LOCAL_SECRET_KEY: {
      description:
        "What data keys are wrapped under: 32 characters or more, kept with the machine's other credentials",
      secret: true,
    },
  },
  permissions: {},
  make: ({ settings }) => localDataKeys(settings.LOCAL_SECRET_KEY),
});

const boundTo = ({ tenant, resource }: KeyContext) => JSON.stringify([tenant, resource]);

/** @param secret any text of 32 characters or more, kept with the machine's other credentials */
export function localDataKeys(secret: string): DataKeys {
  if (secret.length < 32) throw new Error('LOCAL_SECRET_KEY needs 32 characters or more');
  /** A key a tenant, so that no two tenants' secrets hang on the same one. */
  const keyOf = ({ tenant }: KeyContext) =>
    new Uint8Array(hkdfSync('sha256', secret, '', `kinora/data-keys/${tenant}`, 32));
  return {
    generate: async (context) => {
      const plain = randomBytes(32);
      return { plain, wrapped: encrypt(keyOf(context), plain, boundTo(context)) };
    },
    unwrap: async (wrapped, context) => decrypt(keyOf(context), wrapped, boundTo(context)),
  };
}
