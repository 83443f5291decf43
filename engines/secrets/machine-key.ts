/** Encrypts data keys with one key of this machine, for the local cloud and tests. `ENGINE_SECRETS=machine-key` */
import { hkdfSync, randomBytes } from 'node:crypto';
import { decrypt, encrypt } from './aes-gcm.ts';
import { boundTo, type DataKeys, dataKeysEngine, type KeyContext } from './port.ts';

export const machineKey = dataKeysEngine({
  name: 'machine-key',
  runs: ['local'],
  settings: {
    LOCAL_SECRET_KEY: {
      description:
        "Secret that encrypts data keys: 32 characters or more, stored with the machine's other credentials",
      secret: true,
    },
  },
  make: ({ settings }) => localDataKeys(settings.LOCAL_SECRET_KEY),
});

/** @param secret at least 32 characters */
export function localDataKeys(secret: string): DataKeys {
  if (secret.length < 32) throw new Error('LOCAL_SECRET_KEY needs 32 characters or more');
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
