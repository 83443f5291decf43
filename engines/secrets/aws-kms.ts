/**
 * Data keys of AWS KMS. The context goes along as encryption context, which CloudTrail shows and which policies
 * can bind to a tenant. https://docs.aws.amazon.com/kms/latest/developerguide/encrypt_context.html
 */
import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { engineUnavailable } from '../../shared/job-errors.ts';
import { isPassing, KMS_ANSWER_MS, patience, refusalBy, type ServiceError } from '../aws/requests.ts';
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
  make: ({ settings }) =>
    kmsDataKeys(new KMSClient({ requestHandler: patience(KMS_ANSWER_MS) }), settings.SECRETS_KEY_ARN),
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
      const { Plaintext, CiphertextBlob } = await asking(() => client.send(command));
      if (Plaintext === undefined || CiphertextBlob === undefined) throw new Error('KMS gave no data key');
      return { plain: Plaintext, wrapped: CiphertextBlob };
    },
    unwrap: async (wrapped, context) => {
      const command = new DecryptCommand({
        KeyId: keyId,
        CiphertextBlob: wrapped,
        EncryptionContext: encryptionContext(context),
      });
      const { Plaintext } = await asking(() => client.send(command));
      if (Plaintext === undefined) throw new Error('KMS gave no plaintext');
      return Plaintext;
    },
  };
}

/** The key itself, which nobody but the operator can mend: API_Decrypt, Errors. */
const unusable = /^(?:AccessDenied|Disabled|InvalidKeyUsage|KMSInvalidState|NotFound)/;

/** What is wrong with a secret alone leaves as KMS says it. */
async function asking<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  try {
    return await send();
  } catch (error) {
    if (isPassing(error as ServiceError)) throw refusalBy('AWS KMS', 'a secret', error as ServiceError);
    if (!unusable.test((error as Error).name)) throw error;
    throw engineUnavailable('The key that encrypts secrets in this environment cannot be used.', error);
  }
}
