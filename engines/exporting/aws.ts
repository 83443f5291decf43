/**
 * Writes to S3 buckets of tenants, with a role of the tenant. Kinora assumes the role with an external id, a separate one for each
 * storage. It refuses a role that it can assume without the external id: any tenant who knows the ARN of such a role could use it.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_common-scenarios_third-party.html
 */
import { crc32 } from 'node:zlib';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { defined } from '../../shared/checked-access.ts';
import { storageAccessDenied } from '../../shared/job-errors.ts';
import { patience } from '../aws/requests.ts';
import { failureOfS3, isStatus } from './aws-failures.ts';
import { ANSWER_MS, assumeTenantRole } from './aws-session.ts';
import { base64OfCrc } from './file-digests.ts';
import {
  type Condition,
  ConditionNotMet,
  encodedPath,
  identityIn,
  metadataOf,
  type OpenedStorage,
  UploadNotFound,
  UploadRejected,
  WriteConflict,
  type WrittenFile,
} from './opened-storage.ts';
import type { Confirmed, Digests, ExportingContext, Storage } from './port.ts';

/** Throws a JobError if the role cannot be assumed, or must not be used. */
export async function openS3(
  file: WrittenFile,
  { destination, authentication, external_id }: Storage,
  { ownBuckets, pathStyle }: Pick<ExportingContext, 'ownBuckets' | 'pathStyle'>,
  signal: AbortSignal,
): Promise<OpenedStorage> {
  const { bucket_name: bucket = '', region = '' } = destination;
  const role = String(authentication.iam_role_arn);
  if (ownBuckets.includes(bucket)) {
    throw storageAccessDenied(`The bucket ${bucket} is Kinora's own media bucket. Name a bucket of yours.`);
  }
  const credentials = await assumeTenantRole({ role, external_id, bucket, region }, signal);
  const client = new S3Client({
    region,
    credentials,
    requestHandler: patience(ANSWER_MS),
    forcePathStyle: pathStyle,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return s3Object(client, file, { bucket, owner: accountOf(role) }, signal);
}

/** The account in the ARN: `123456789012` of `arn:aws:iam::123456789012:role/name`. */
const accountOf = (role: string): string => role.split(':')[4] ?? '';

interface Place {
  readonly bucket: string;
  /** The account that must own the bucket. After a bucket is deleted, another account can create a bucket of the same name. */
  readonly owner: string;
}

export function s3Object(
  client: Pick<S3Client, 'send'>,
  file: WrittenFile,
  { bucket, owner }: Place,
  signal: AbortSignal,
): OpenedStorage {
  const { path, content_type } = file;
  const object = { Bucket: bucket, Key: path, ExpectedBucketOwner: owner };
  const options = { abortSignal: signal };
  const described = ({ sha256 }: Digests) => ({
    ContentType: content_type,
    Metadata: metadataOf(file, sha256, '-'),
  });
  const translated = <Answer>(request: Promise<Answer>): Promise<Answer> =>
    request.catch((error: unknown) => {
      if (signal.aborted || error instanceof UploadRejected) throw error;
      // NoSuchKey: the object whose version IfMatch names was deleted in the meantime (User Guide, "Conditional write behavior").
      if (isStatus(error, 412) || hasName(error, 'NoSuchKey')) throw new ConditionNotMet();
      // A PUT must be repeated, and a multipart upload must restart (Amazon S3 User Guide, "How to prevent object overwrites with
      // conditional writes").
      if (hasName(error, 'ConditionalRequestConflict')) throw new WriteConflict();
      if (hasName(error, 'NoSuchUpload')) throw new UploadNotFound();
      throw failureOfS3(error, { bucket });
    });
  return {
    location: `s3://${bucket}/${encodedPath(path)}`,
    findObject: async () => {
      try {
        const found = await client.send(
          new HeadObjectCommand({ ...object, ChecksumMode: 'ENABLED' }),
          options,
        );
        return {
          ...identityIn(found.Metadata, '-'),
          version: found.ETag ?? '',
          size: found.ContentLength ?? 0,
          confirmed: confirmedBy(found),
        };
      } catch (error) {
        if (isStatus(error, 404)) return null;
        // Without s3:ListBucket, S3 answers 403 even if the object does not exist. An answer to HEAD has only a status. The later answer to the
        // write names the region, or the reason of a 400.
        if ([301, 307, 400, 403].some((status) => isStatus(error, status))) return 'unreadable';
        return translated(Promise.reject(error));
      }
    },
    putObject: async (body, digests, condition) => {
      const ChecksumSHA256 = Buffer.from(digests.sha256, 'hex').toString('base64');
      const input = {
        ...object,
        ...described(digests),
        ...headersFor(condition),
        Body: body,
        ChecksumSHA256,
      };
      await translated(client.send(new PutObjectCommand(input), options));
      return { algorithm: 'SHA256', of: 'file', value: ChecksumSHA256 };
    },
    beginUpload: async (_size, digests) => {
      // CRC-32 is the only checksum of a whole object that both Node and S3 compute. S3 computes it from the checksums of the parts.
      const checksum = { ChecksumAlgorithm: 'CRC32', ChecksumType: 'FULL_OBJECT' } as const;
      const input = { ...object, ...described(digests), ...checksum };
      const { UploadId } = await translated(client.send(new CreateMultipartUploadCommand(input), options));
      return defined(UploadId);
    },
    uploadPart: async (UploadId, { index, body }) => {
      const part = { PartNumber: index + 1, Body: body, ChecksumCRC32: base64OfCrc(crc32(body)) };
      const sent = await translated(
        client.send(new UploadPartCommand({ ...object, UploadId, ...part }), options),
      );
      return `${sent.ETag} ${part.ChecksumCRC32}`;
    },
    completeUpload: async (UploadId, { receipts, digests, size }, condition) => {
      const Parts = receipts.map((receipt, index) => {
        const [ETag, ChecksumCRC32] = receipt.split(' ');
        return { PartNumber: index + 1, ETag, ChecksumCRC32 };
      });
      const whole = {
        ChecksumCRC32: digests.crc32,
        ChecksumType: 'FULL_OBJECT',
        MpuObjectSize: size,
      } as const;
      const input = { ...object, UploadId, MultipartUpload: { Parts }, ...whole, ...headersFor(condition) };
      const completing = client.send(new CompleteMultipartUploadCommand(input), options);
      await translated(
        completing.catch((error: Error) => {
          throw rejectedParts.test(error.name) ? new UploadRejected(`S3 says ${error.name}`) : error;
        }),
      );
      return { algorithm: 'CRC32', of: 'file', value: digests.crc32 };
    },
    abortUpload: async (UploadId) => {
      await client.send(new AbortMultipartUploadCommand({ ...object, UploadId }), options);
    },
  };
}

/**
 * Errors that another attempt with the same parts would cause again: a part is missing or differs from its receipt, or the parts do not
 * match the checksum or (InvalidRequest) the size. Source: API_CompleteMultipartUpload, Errors and `MpuObjectSize`.
 */
const rejectedParts = /^(?:BadDigest|EntityTooSmall|InvalidPart|InvalidPartOrder|InvalidRequest)$/;

const headersFor = (condition: Condition) => ({
  ...(condition.is === 'absent' && { IfNoneMatch: '*' }),
  ...(condition.is === 'version' && { IfMatch: condition.version }),
});

function confirmedBy(
  found: Pick<HeadObjectCommandOutput, 'ChecksumSHA256' | 'ChecksumCRC32'>,
): Confirmed | null {
  if (found.ChecksumSHA256) return { algorithm: 'SHA256', of: 'file', value: found.ChecksumSHA256 };
  return found.ChecksumCRC32 ? { algorithm: 'CRC32', of: 'file', value: found.ChecksumCRC32 } : null;
}

const hasName = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;
