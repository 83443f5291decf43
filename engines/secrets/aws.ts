/**
 * Data keys of AWS KMS. The context goes along as encryption context, which CloudTrail shows and which policies
 * can bind to a tenant. https://docs.aws.amazon.com/kms/latest/developerguide/encrypt_context.html
 */
import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import type { Permission } from '../engine.ts';
import { type DataKeys, dataKeysEngine, type KeyContext } from './port.ts';

/**
 * Allows an action only with the context that binds a data key to one thing of one tenant, and with no other.
 * https://docs.aws.amazon.com/kms/latest/developerguide/conditions-kms.html#conditions-kms-encryption-context-keys
 */
const permission = (action: string): Permission => ({
  actions: [action],
  resources: ['{secrets_key}'],
  conditions: {
    Null: { 'kms:EncryptionContext:tenant': 'false', 'kms:EncryptionContext:resource': 'false' },
    'ForAllValues:StringEquals': { 'kms:EncryptionContextKeys': ['tenant', 'resource'] },
  },
});

export const awsKms = dataKeysEngine({
  name: 'aws-kms',
  runs: ['aws'],
  languages: 'any',
  settings: {
    SECRETS_KEY_ARN: { description: 'The key that wraps data keys', deployed: '{secrets_key}' },
  },
  permissions: {
    generate: [permission('kms:GenerateDataKey')],
    unwrap: [permission('kms:Decrypt')],
  },
  make: ({ settings }) => kmsDataKeys(new KMSClient({}), settings.SECRETS_KEY_ARN),
});

const encryptionContext = ({ tenant, resource }: KeyContext) => ({ tenant, resource });

export function kmsDataKeys(client: Pick<KMSClient, 'send'>, keyId: string): DataKeys {
  return {
    generate: async (context) => {
      const { Plaintext, CiphertextBlob } = await client.send(
        new GenerateDataKeyCommand({
          KeyId: keyId,
          KeySpec: 'AES_256',
          EncryptionContext: encryptionContext(context),
        }),
      );
      if (Plaintext === undefined || CiphertextBlob === undefined) throw new Error('KMS gave no data key');
      return { plain: Plaintext, wrapped: CiphertextBlob };
    },
    unwrap: async (wrapped, context) => {
      const { Plaintext } = await client.send(
        new DecryptCommand({
          KeyId: keyId,
          CiphertextBlob: wrapped,
          EncryptionContext: encryptionContext(context),
        }),
      );
      if (Plaintext === undefined) throw new Error('KMS gave no plaintext');
      return Plaintext;
    },
  };
}
