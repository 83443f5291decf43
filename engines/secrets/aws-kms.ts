/**
 * Data keys of AWS KMS. KMS receives the tenant and the resource as encryption context, so that CloudTrail shows them and policies
 * can require them. https://docs.aws.amazon.com/kms/latest/developerguide/encrypt_context.html
 */
import { DecryptCommand, GenerateDataKeyCommand, type KMSClient } from '@aws-sdk/client-kms';
import { engineUnavailable } from '../../shared/job-errors.ts';
import { kms } from '../aws/kms.ts';
import { isPassing, requestsTo } from '../aws/requests.ts';
import type { Permission } from '../engine.ts';
import { type DataKeys, dataKeysEngine, type KeyContext } from './port.ts';

/** Returns a permission for an action whose encryption context has exactly the two keys `tenant` and `resource`. */
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
  settings: {
    SECRETS_KEY_ARN: { description: 'ARN of the KMS key that encrypts data keys', deployed: '{secrets_key}' },
  },
  permissions: {
    generate: [permission('kms:GenerateDataKey')],
    unwrap: [permission('kms:Decrypt')],
  },
  make: ({ settings }) => kmsDataKeys(kms(), settings.SECRETS_KEY_ARN),
});

const encryptionContext = ({ tenant, resource }: KeyContext) => ({ tenant, resource });

export function kmsDataKeys(client: Pick<KMSClient, 'send'>, keyId: string): DataKeys {
  return {
    generate: async (context) => {
      const command = new GenerateDataKeyCommand({
        KeyId: keyId,
        KeySpec: 'AES_256',
        EncryptionContext: encryptionContext(context),
      });
      const { Plaintext, CiphertextBlob } = await askKms(() => client.send(command), { onError });
      if (Plaintext === undefined || CiphertextBlob === undefined)
        throw new Error('KMS returned no data key');
      return { plain: Plaintext, wrapped: CiphertextBlob };
    },
    unwrap: async (wrapped, context) => {
      const command = new DecryptCommand({
        KeyId: keyId,
        CiphertextBlob: wrapped,
        EncryptionContext: encryptionContext(context),
      });
      const { Plaintext } = await askKms(() => client.send(command), { onError });
      if (Plaintext === undefined) throw new Error('KMS returned no plaintext');
      return Plaintext;
    },
  };
}

const askKms = requestsTo('AWS KMS', 'a secret');

/** Errors about the KMS key, which only the operator can fix (API_Decrypt, Errors). */
const UNUSABLE_KEY = /^(?:AccessDenied|Disabled|InvalidKeyUsage|KMSInvalidState|NotFound)/;

/** Converts errors about the KMS key. Throws errors about one secret unchanged. */
function onError(error: Error): undefined {
  if (isPassing(error)) return undefined;
  if (!UNUSABLE_KEY.test(error.name)) throw error;
  throw engineUnavailable('The key that encrypts secrets in this environment cannot be used.', error);
}
