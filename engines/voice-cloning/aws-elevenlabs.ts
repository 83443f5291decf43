/**
 * ElevenLabs in a deployment. Templates and variables of functions contain the API key only as a KMS ciphertext, because users of
 * the AWS account can read them. Only the steps that clone voices may decrypt it.
 */
import { DecryptCommand, type KMSClient } from '@aws-sdk/client-kms';
import { engineUnavailable } from '../../shared/job-errors.ts';
import { kms } from '../aws/kms.ts';
import { isPassing, requestsTo, type ServiceError } from '../aws/requests.ts';
import type { Permission } from '../engine.ts';
import { cloning, cloningLanguages, cloningUrl } from './elevenlabs.ts';
import { voiceCloningEngine } from './port.ts';

/** The encryption context of the ciphertext. Because of this context, these steps cannot decrypt other values that the KMS key encrypts. */
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
        "API key of that service, encrypted by `aws kms encrypt` with the key of tenants' secrets and --encryption-context purpose=voice-cloning, in base64",
    },
  },
  permissions: { clone: decrypts, speak: decrypts, discard: decrypts },
  make: ({ settings }) =>
    cloning({ url: settings.VOICE_CLONING_URL, key: decrypted(kms(), settings.VOICE_CLONING_CIPHERTEXT) }),
});

const askKms = requestsTo('AWS KMS', 'the key');

const unusable = (cause?: unknown) =>
  engineUnavailable('VOICE_CLONING_CIPHERTEXT cannot be decrypted here.', cause);

/** Returns a function that decrypts the API key at the first call, and caches it while the process runs. */
export function decrypted(client: Pick<KMSClient, 'send'>, ciphertext: string): () => Promise<string> {
  let key: Promise<string> | undefined;
  const onError = (error: ServiceError) => {
    // A failure is not cached, so the next call tries again.
    key = undefined;
    if (isPassing(error)) return undefined;
    throw unusable(error);
  };
  const decrypt = async () => {
    const CiphertextBlob = Buffer.from(ciphertext, 'base64');
    const command = new DecryptCommand({ CiphertextBlob, EncryptionContext: context });
    const { Plaintext } = await askKms(() => client.send(command), { onError });
    if (Plaintext === undefined) throw unusable();
    return Buffer.from(Plaintext).toString('utf8').trim();
  };
  return () => {
    key ??= decrypt();
    return key;
  };
}
