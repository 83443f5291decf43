/** S3 buckets of tenants, and the roles that give access to them. */
import * as s3Sdk from '@aws-sdk/client-s3';
import * as stsSdk from '@aws-sdk/client-sts';
import { s3Object } from '../../../engines/exporting/aws.ts';
import { assumeTenantRole } from '../../../engines/exporting/aws-session.ts';
import type { Writing } from '../../../engines/exporting/port.ts';
import { writeToStorage } from '../../../engines/exporting/write-file.ts';
import { fileOf, small, writing } from '../exporting/writing.ts';
import { type Call, commonFates, type Service } from './calls.ts';
import { type Answer, type Asked, driving } from './wire.ts';

const stsService: Service = {
  name: 'sts',
  sdk: stsSdk,
  form: 'query',
  // API reference of STS, "Common errors". In its query protocol, their names do not end in "Exception".
  common: {
    AccessDenied: 403,
    InternalFailure: 500,
    ServiceUnavailable: 503,
    Throttling: 400,
    ValidationError: 400,
  },
  fates: {
    ...commonFates,
    AccessDenied: 'storage_access_denied',
    ExpiredTokenException: 'internal_error',
    MalformedPolicyDocumentException: 'internal_error',
    PackedPolicyTooLargeException: 'internal_error',
    RegionDisabledException: 'storage_access_denied',
    Throttling: 'provider_throttled',
    ValidationError: 'internal_error',
  },
};

const assumed = {
  role: 'arn:aws:iam::123456789012:role/kinora',
  external_id: 'acme-1',
  bucket: 'archive',
  region: 'eu-central-1',
};
const session = `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>
<AccessKeyId>ASIA</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken>
<Expiration>2026-11-22T10:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`;
const emptySession = '<AssumeRoleResponse><AssumeRoleResult></AssumeRoleResult></AssumeRoleResponse>';
/** AWS must deny access without the external id. */
const onlyWithId =
  (answer: string) =>
  ({ input }: Asked): Answer =>
    input.ExternalId ? { answer } : { error: 'AccessDenied', status: 403 };
const { signal } = new AbortController();

const s3Service: Service = {
  name: 's3',
  sdk: s3Sdk,
  form: 's3',
  // The codes of "List of error codes" in the API reference of S3 that these requests can cause.
  common: {
    AccessDenied: 403,
    BadDigest: 400,
    InternalError: 500,
    InvalidBucketName: 400,
    'KMS.DisabledException': 400,
    NoSuchBucket: 404,
    OperationAborted: 409,
    PermanentRedirect: 301,
    RequestTimeout: 400,
    ServiceUnavailable: 503,
    SlowDown: 503,
  },
  fates: {
    ...commonFates,
    AccessDenied: 'storage_access_denied',
    BadDigest: 'provider_unavailable',
    InternalError: 'provider_unavailable',
    InvalidBucketName: 'storage_access_denied',
    'KMS.DisabledException': 'storage_access_denied',
    NoSuchBucket: 'storage_not_found',
    OperationAborted: 'provider_unavailable',
    PermanentRedirect: 'storage_not_found',
    RequestTimeout: 'provider_unavailable',
    SlowDown: 'provider_throttled',
    // The tenant entered the region, so a name that does not resolve is retried.
    'a region without the service': 'provider_unavailable',
    EncryptionTypeMismatch: 'storage_access_denied',
    InvalidRequest: 'storage_access_denied',
    InvalidWriteOffset: 'storage_access_denied',
    TooManyParts: 'storage_access_denied',
  },
};

const exporting = (bytes: Buffer, more: Partial<Writing> = {}): Call['drive'] =>
  driving(
    s3Sdk.S3Client,
    s3Service,
  )((client) => {
    const file = fileOf(bytes);
    const place = { bucket: 'archive', owner: '123456789012' };
    return writeToStorage(s3Object(client, file, place, signal), file, writing(more).given);
  });
/** Slightly more bytes than one request can upload. */
const large = Buffer.alloc((8 << 20) + 1);
/** A started upload with a known size. */
const resume = { digests: { sha256: '00', md5: 'AA==', crc32: 'AAAAAA==' }, upload: 'u1', receipts: [] };
const absent: Answer = { error: 'NotFound', status: 404 };
const uploading: Call['answers'] = {
  HeadObject: absent,
  CreateMultipartUpload: {
    answer: '<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>',
  },
  UploadPart: { answer: '', headers: { etag: '"1"' } },
  CompleteMultipartUpload: {
    answer: '<CompleteMultipartUploadResult><ETag>"2"</ETag></CompleteMultipartUploadResult>',
  },
  AbortMultipartUpload: { answer: '' },
};
const bucket = { service: s3Service, file: 'engines/exporting/aws.ts' };
const owner = { Bucket: 'archive', ExpectedBucketOwner: '123456789012' };
const uploads = {
  ...bucket,
  answers: uploading,
  drive: exporting(large),
  gives: { confirmed: { algorithm: 'CRC32' } },
};
/** API_CompleteMultipartUpload: "the error response might be embedded in the 200 OK response". */
const late = (code: string): Answer => ({
  answer: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>Why.</Message></Error>`,
});
/** S3 rejects the parts of this upload and of the second one. No third upload follows. */
const spoilt = Object.fromEntries(
  ['BadDigest', 'EntityTooSmall', 'InvalidPart', 'InvalidPartOrder', 'InvalidRequest'].map((name) => [
    name,
    'provider_given_up' as const,
  ]),
);

export const storages: readonly Call[] = [
  {
    ...{ service: stsService, file: 'engines/exporting/aws-session.ts', operation: 'AssumeRole' },
    answers: { AssumeRole: onlyWithId(session) },
    drive: driving(stsSdk.STSClient, stsService)((client) => assumeTenantRole(assumed, signal, client)),
    gives: { accessKeyId: 'ASIA', secretAccessKey: 's', sessionToken: 't' },
    asks: { RoleArn: assumed.role, RoleSessionName: 'kinora-export', ExternalId: 'acme-1' },
    partial: [
      ['a role that requires no external id', { answer: session }, 'storage_access_denied'],
      ['a session without credentials', onlyWithId(emptySession), 'provider_unavailable'],
    ],
  },
  {
    ...{ ...bucket, operation: 'HeadObject', drive: exporting(small), asks: owner },
    answers: { HeadObject: absent, PutObject: { answer: '' } },
    gives: { confirmed: { algorithm: 'SHA256' } },
    // The answer to HEAD contains only a status. A write would return the reason, but it succeeds here.
    fates: {
      ...Object.fromEntries(
        [
          ...['AccessDenied', 'BadDigest', 'InvalidBucketName', 'KMS.DisabledException', 'PermanentRedirect'],
          ...['NoSuchBucket', 'NotFound', 'RequestTimeout'],
        ].map((name) => [name, { gives: { confirmed: { algorithm: 'SHA256' } } }]),
      ),
      // Only 503 is retried, because it looks like a failure of the service.
      SlowDown: 'provider_unavailable',
    },
  },
  {
    ...{ ...bucket, operation: 'PutObject', drive: exporting(small), asks: { ...owner, IfNoneMatch: '*' } },
    answers: { HeadObject: absent, PutObject: { answer: '' } },
    gives: { confirmed: { algorithm: 'SHA256' } },
  },
  { ...{ ...uploads, operation: 'CreateMultipartUpload' }, asks: { ...owner, ChecksumAlgorithm: 'CRC32' } },
  {
    ...{ ...uploads, operation: 'UploadPart', drive: exporting(large, { resume }) },
    asks: { ...owner, UploadId: 'u1', PartNumber: 1 },
  },
  {
    ...{ ...uploads, operation: 'CompleteMultipartUpload', drive: exporting(large, { resume }) },
    asks: { ...owner, UploadId: 'u1', IfNoneMatch: '*' },
    fates: spoilt,
    partial: [
      ['an error in an answer with status 200', late('InternalError'), 'provider_unavailable'],
      ['missing parts in an answer with status 200', late('InvalidPart'), 'provider_given_up'],
    ],
  },
  {
    // The upload could not be recorded, so it is aborted. The job fails with the original reason, even if the abort
    // fails.
    ...{ ...uploads, operation: 'AbortMultipartUpload', gives: undefined },
    asks: { ...owner, UploadId: 'u1' },
    drive: async (answering) => {
      const remember = async () => {
        throw Object.assign(new Error('canceled'), { asked: 'remember' });
      };
      const seen: Asked[] = [];
      const told = await exporting(large, { remember })((asked) => {
        seen.push(asked);
        return answering(asked);
      }).catch((error: Error) => error.message);
      if (told !== 'canceled') throw new Error(`The job hears ${String(told)}`);
      return { given: undefined, asked: seen };
    },
    fates: Object.fromEntries(
      [...Object.keys(s3Service.fates), 'NoSuchUpload'].map((name) => [name, { gives: undefined }]),
    ),
  },
];
