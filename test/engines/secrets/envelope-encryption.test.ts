import { randomBytes } from 'node:crypto';
import {
  DecryptCommand,
  GenerateDataKeyCommand,
  InvalidCiphertextException,
  KMSClient,
} from '@aws-sdk/client-kms';
import { mockClient } from 'aws-sdk-client-mock';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { secrets as registered } from '../../../engines/registry.ts';
import { Secrets } from '../../../engines/secrets/envelope-encryption.ts';
import { localDataKeys } from '../../../engines/secrets/machine-key.ts';
import type { DataKeys } from '../../../engines/secrets/port.ts';
import { settingsFor } from '../../../engines/selection.ts';

/**
 * A stand-in for KMS with its two documented calls (API reference: GenerateDataKey, Decrypt). It remembers each data
 * key and its context.
 */
function simulateKms(): void {
  const given = new Map<string, { key: Uint8Array; context: string }>();
  const mock = mockClient(KMSClient);
  mock
    .on(GenerateDataKeyCommand, { KeyId: 'alias/kinora', KeySpec: 'AES_256' })
    .callsFake(({ EncryptionContext }) => {
      const [Plaintext, CiphertextBlob] = [randomBytes(32), randomBytes(64)];
      const context = JSON.stringify(EncryptionContext);
      given.set(CiphertextBlob.toString('hex'), { key: Uint8Array.from(Plaintext), context });
      return { Plaintext, CiphertextBlob, KeyId: 'alias/kinora' };
    });
  mock.on(DecryptCommand, { KeyId: 'alias/kinora' }).callsFake(({ CiphertextBlob, EncryptionContext }) => {
    const found = given.get(Buffer.from(CiphertextBlob).toString('hex'));
    if (found?.context !== JSON.stringify(EncryptionContext)) {
      throw new InvalidCiphertextException({ $metadata: {}, message: '' });
    }
    return { Plaintext: Uint8Array.from(found.key), KeyId: 'alias/kinora' };
  });
}

/** Values for settings without a default that a deployment does not set. */
const settings = { LOCAL_SECRET_KEY: '0123456789abcdef0123456789abcdef', SECRETS_KEY_ARN: 'alias/kinora' };

/** All engines of the registry. New engines are included automatically. */
const engines = registered.map((engine): [string, () => DataKeys | Promise<DataKeys>] => [
  engine.name,
  () => engine.make({ settings: settingsFor(engine, settings) as never }),
]);
simulateKms();
const context = { tenant: 'acme', resource: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11' };

describe.each(engines)('secrets under %s', (_, make) => {
  it('are decrypted to the original values', async () => {
    const secrets = new Secrets(await make());
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const back = await secrets.open(await secrets.seal(value, context), context);
        expect(JSON.stringify(back)).toBe(JSON.stringify(value));
      }),
      { numRuns: 50 },
    );
  });

  it('cannot be decrypted for another tenant or resource', async () => {
    const secrets = new Secrets(await make());
    const sealed = await secrets.seal({ token: 'x' }, context);
    await expect(secrets.open(sealed, { ...context, tenant: 'other' })).rejects.toThrow();
    await expect(secrets.open(sealed, { ...context, resource: 'other' })).rejects.toThrow();
  });

  it('cannot be decrypted after a single bit has changed', async () => {
    const secrets = new Secrets(await make());
    const sealed = await secrets.seal({ token: 'x' }, context);
    for (const part of ['ciphertext', 'data_key'] as const) {
      for (const at of [0, sealed[part].length - 1]) {
        const bytes = Uint8Array.from(sealed[part]);
        bytes[at]! ^= 1;
        await expect(secrets.open({ ...sealed, [part]: bytes }, context)).rejects.toThrow();
      }
    }
  });

  it('differ each time, even for the same value', async () => {
    const secrets = new Secrets(await make());
    const [one, two] = [await secrets.seal('x', context), await secrets.seal('x', context)];
    expect(Buffer.from(one.ciphertext).equals(two.ciphertext)).toBe(false);
  });
});

describe('the machine key', () => {
  it('must be long, and cannot decrypt secrets of another key', async () => {
    expect(() => localDataKeys('short')).toThrow('32');
    const sealed = await new Secrets(localDataKeys('a'.repeat(32))).seal('x', context);
    await expect(new Secrets(localDataKeys('b'.repeat(32))).open(sealed, context)).rejects.toThrow();
  });
});
