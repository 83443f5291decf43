/**
 * The same service in a deployment, where its key must not stand in the template nor in a function's variables, which everybody may read
 * who may look at them: what stands there is the key encrypted by AWS KMS, which only the steps that clone may decrypt.
 */
import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { engineUnavailable } from '../../shared/job-errors.ts';
import { isPassing, KMS_ANSWER_MS, patience, refusalBy, type ServiceError } from '../aws/requests.ts';
import type { Permission } from '../engine.ts';
import { cloning, cloningLanguages, cloningUrl } from './elevenlabs.ts';
import { voiceCloningEngine } from './port.ts';

/** What the ciphertext is bound to, so that nothing else under the key is decrypted by these steps. */
const context = { purpose: 'voice-cloning' } as const;

const decrypts: readonly Permission[] = [
  {
    actions: ['kms:Decrypt'],
    resources: ['{secrets_key}'],
    conditions: { StringEquals: { 'kms:EncryptionContext:purpose': context.purpose } },
  },
];

export const elevenLabsOnAws = voiceCloningEngine({
  name: 'elevenlabs-kms',
  runs: ['aws'],
  languages: cloningLanguages,
  settings: {
    VOICE_CLONING_URL: cloningUrl,
    VOICE_CLONING_CIPHERTEXT: {
      description:
        "Key for that service as `aws kms encrypt` answers it under the key of tenants' secrets, with --encryption-context purpose=voice-cloning, in base64",
    },
  },
  permissions: { clone: decrypts, speak: decrypts, discard: decrypts },
  make: ({ settings }) =>
    cloning({
      url: settings.VOICE_CLONING_URL,
      key: decrypted(
        new KMSClient({ requestHandler: patience(KMS_ANSWER_MS) }),
        settings.VOICE_CLONING_CIPHERTEXT,
      ),
    }),
});

const unusable = (cause?: unknown) =>
  engineUnavailable('VOICE_CLONING_CIPHERTEXT cannot be decrypted here.', cause);

/** Decrypted when it is first needed, and then kept for as long as the function lives. */
export function decrypted(client: Pick<KMSClient, 'send'>, ciphertext: string): () => Promise<string> {
  let key: Promise<string> | undefined;
  const decrypt = async () => {
    const CiphertextBlob = Buffer.from(ciphertext, 'base64');
    const { Plaintext } = await client
      .send(new DecryptCommand({ CiphertextBlob, EncryptionContext: context }))
      .catch((error: ServiceError) => {
        // What failed for a moment is tried again by the next that needs it.
        key = undefined;
        if (isPassing(error)) throw refusalBy('AWS KMS', 'the key', error);
        throw unusable(error);
      });
    if (Plaintext === undefined) throw unusable();
    return Buffer.from(Plaintext).toString('utf8').trim();
  };
  return () => {
    key ??= decrypt();
    return key;
  };
}
