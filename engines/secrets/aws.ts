/**
 * Data keys of AWS KMS. The context goes along as encryption context, which CloudTrail shows and which policies
 * can bind to a tenant. https://docs.aws.amazon.com/kms/latest/developerguide/encrypt_context.html
 */
import { DecryptCommand, GenerateDataKeyCommand, type KMSClient } from '@aws-sdk/client-kms';
import type { DataKeys, KeyContext } from './port.ts';

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
