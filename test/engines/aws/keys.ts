/** AWS KMS, which encrypts the secrets of tenants and the API key for voice cloning. */
import * as kmsSdk from '@aws-sdk/client-kms';
import { kmsDataKeys } from '../../../engines/secrets/aws-kms.ts';
import { decrypted } from '../../../engines/voice-cloning/aws-elevenlabs.ts';
import { type Call, commonErrors, commonFates, type Service } from './calls.ts';
import { type Answer, driving } from './wire.ts';

const kmsService: Service = {
  name: 'kms',
  sdk: kmsSdk,
  form: 'json',
  common: commonErrors,
  fates: {
    ...commonFates,
    AccessDeniedException: 'engine_unavailable',
    ExpiredTokenException: 'its own',
    DependencyTimeoutException: 'provider_unavailable',
    DisabledException: 'engine_unavailable',
    DryRunOperationException: 'its own',
    // Errors about one secret: the ciphertext or its encryption context is wrong.
    IncorrectKeyException: 'its own',
    InvalidCiphertextException: 'its own',
    InvalidGrantTokenException: 'its own',
    InvalidKeyUsageException: 'engine_unavailable',
    KeyUnavailableException: 'provider_unavailable',
    KMSInternalException: 'provider_unavailable',
    KMSInvalidStateException: 'engine_unavailable',
    NotFoundException: 'engine_unavailable',
  },
};

const base64 = (text: string) => Buffer.from(text).toString('base64');
const driven = driving(kmsSdk.KMSClient, kmsService);
const keys = (work: (keys: ReturnType<typeof kmsDataKeys>) => Promise<unknown>) =>
  driven((client) => work(kmsDataKeys(client, 'alias/kinora')));
const context = { tenant: 'acme', resource: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11' };
const secrets = { service: kmsService, file: 'engines/secrets/aws-kms.ts' };
const nothing: Answer = { answer: {} };

export const secretKeys: readonly Call[] = [
  {
    ...{ ...secrets, operation: 'GenerateDataKey', drive: keys((each) => each.generate(context)) },
    answers: {
      GenerateDataKey: { answer: { Plaintext: base64('plain'), CiphertextBlob: base64('wrapped') } },
    },
    gives: { plain: { length: 5 }, wrapped: { length: 7 } },
    asks: { KeyId: 'alias/kinora', KeySpec: 'AES_256', EncryptionContext: context },
    partial: [['no key', nothing, 'its own']],
  },
  {
    ...{
      ...secrets,
      operation: 'Decrypt',
      drive: keys((each) => each.unwrap(Buffer.from('wrapped'), context)),
    },
    answers: { Decrypt: { answer: { Plaintext: base64('plain') } } },
    gives: { length: 5 },
    asks: { KeyId: 'alias/kinora', EncryptionContext: context },
    partial: [['no key', nothing, 'its own']],
  },
  {
    ...{ service: kmsService, file: 'engines/voice-cloning/aws-elevenlabs.ts', operation: 'Decrypt' },
    answers: { Decrypt: { answer: { Plaintext: base64('key') } } },
    drive: driven((client) => decrypted(client, base64('wrapped'))()),
    gives: 'key',
    asks: { EncryptionContext: { purpose: 'voice-cloning' } },
    // The operator set the ciphertext, so only the operator can fix it or its key.
    fates: Object.fromEntries(
      Object.entries(kmsService.fates).map(([name, fate]) => [
        name,
        fate === 'its own' ? 'engine_unavailable' : fate,
      ]),
    ),
    partial: [['no key', nothing, 'engine_unavailable']],
  },
];
