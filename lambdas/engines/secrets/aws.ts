/**
 * Data keys of AWS KMS. The context goes along as encryption context, which CloudTrail shows and which policies
 * can bind to a tenant. https://docs.aws.amazon.com/kms/latest/developerguide/encrypt_context.html
 */
import type { DataKeys, KeyContext } from './port.ts';

/** The two calls of KMS that are used; `runtime/` makes them of the SDK's client. */
export interface Kms {
  generateDataKey(input: {
    KeyId: string;
    KeySpec: 'AES_256';
    EncryptionContext: Record<string, string>;
  }): Promise<{ Plaintext?: Uint8Array | undefined; CiphertextBlob?: Uint8Array | undefined }>;
  decrypt(input: {
    KeyId: string;
    CiphertextBlob: Uint8Array;
    EncryptionContext: Record<string, string>;
  }): Promise<{ Plaintext?: Uint8Array | undefined }>;
}

const encryptionContext = ({ tenant, resource }: KeyContext) => ({ tenant, resource });

export function kmsDataKeys(kms: Kms, keyId: string): DataKeys {
  return {
    generate: async (context) => {
      const { Plaintext, CiphertextBlob } = await kms.generateDataKey({
        KeyId: keyId,
        KeySpec: 'AES_256',
        EncryptionContext: encryptionContext(context),
      });
      if (Plaintext === undefined || CiphertextBlob === undefined) throw new Error('KMS gave no data key');
      return { plain: Plaintext, wrapped: CiphertextBlob };
    },
    unwrap: async (wrapped, context) => {
      const { Plaintext } = await kms.decrypt({
        KeyId: keyId,
        CiphertextBlob: wrapped,
        EncryptionContext: encryptionContext(context),
      });
      if (Plaintext === undefined) throw new Error('KMS gave no plaintext');
      return Plaintext;
    },
  };
}
