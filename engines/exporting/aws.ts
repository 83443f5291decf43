/**
 * S3 buckets of tenants, written to in a role of theirs. It is assumed with an external id that we made for the one
 * storage, and only if it cannot be assumed without: else whoever knows its ARN could have us write there.
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
import { storageAccessDenied } from '../../shared/job-errors.ts';
import { patience } from '../aws/requests.ts';
import { failureOfS3, isStatus } from './aws-failures.ts';
import { ANSWER_MS, sessionIn } from './aws-session.ts';
import { base64OfCrc } from './file-digests.ts';
import {
  type Condition,
  ConditionNotMet,
  editionIn,
  type OpenedStorage,
  partBytesOf,
  UploadGone,
  UploadSpoilt,
  WriteConflict,
} from './opened-storage.ts';
import type { Confirmed, Digests, ExportedFile, ExportingContext, Storage } from './port.ts';

export type S3File = Omit<ExportedFile, 'source'>;

/** Throws a JobError where the role cannot be assumed, or must not be. */
export async function openS3(
  file: S3File,
  { destination, authentication, external_id }: Storage,
  { ownBuckets, pathStyle }: Pick<ExportingContext, 'ownBuckets' | 'pathStyle'>,
  signal: AbortSignal,
): Promise<OpenedStorage> {
  const { bucket_name: bucket = '', region = '' } = destination;
  const role = String(authentication.iam_role_arn);
  if (ownBuckets.includes(bucket)) {
    throw storageAccessDenied(
      `The bucket ${bucket} is the one that Kinora keeps media in: name one of yours.`,
    );
  }
  const credentials = await sessionIn({ role, external_id, bucket, region }, signal);
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

/** `123456789012` of `arn:aws:iam::123456789012:role/name`. */
const accountOf = (role: string): string => role.split(':')[4] ?? '';

interface Place {
  readonly bucket: string;
  /** The account that the bucket has to belong to: a name that another has taken meanwhile is not written to. */
  readonly owner: string;
}

export function s3Object(
  client: Pick<S3Client, 'send'>,
  { path, content_type, made_of, edition }: S3File,
  { bucket, owner }: Place,
  signal: AbortSignal,
): OpenedStorage {
  const object = { Bucket: bucket, Key: path, ExpectedBucketOwner: owner };
  const options = { abortSignal: signal };
  const described = ({ sha256 }: Digests) => ({
    ContentType: content_type,
    Metadata: {
      'kinora-made-of': made_of,
      'kinora-sha256': sha256,
      'kinora-version': String(edition.version),
      'kinora-job': edition.job_id,
    },
  });
  const asking = <Answer>(request: Promise<Answer>): Promise<Answer> =>
    request.catch((error: unknown) => {
      if (signal.aborted || error instanceof UploadSpoilt) throw error;
      // What IfMatch names was deleted meanwhile: the same guide, "Conditional write behavior".
      if (isStatus(error, 412) || named(error, 'NoSuchKey')) throw new ConditionNotMet();
      // Amazon S3 User Guide, "How to prevent object overwrites with conditional writes": a PUT may be repeated, an
      // upload has to be initiated and sent again.
      if (named(error, 'ConditionalRequestConflict')) throw new WriteConflict();
      if (named(error, 'NoSuchUpload')) throw new UploadGone();
      throw failureOfS3(error, { bucket });
    });
  return {
    location: `s3://${bucket}/${path.split('/').map(encodeURIComponent).join('/')}`,
    partBytes: partBytesOf,
    look: async () => {
      try {
        const found = await client.send(
          new HeadObjectCommand({ ...object, ChecksumMode: 'ENABLED' }),
          options,
        );
        return {
          made_of: found.Metadata?.['kinora-made-of'] ?? null,
          sha256: found.Metadata?.['kinora-sha256'] ?? null,
          edition: editionIn(found.Metadata?.['kinora-version'], found.Metadata?.['kinora-job']),
          version: found.ETag ?? '',
          size: found.ContentLength ?? 0,
          confirmed: confirmedBy(found),
        };
      } catch (error) {
        if (isStatus(error, 404)) return null;
        // Without s3:ListBucket, S3 answers 403 for what is not there, too. And no answer to HEAD says more than its
        // status: what a 400 is about, or which region, is in the answer to the write.
        if ([301, 307, 400, 403].some((status) => isStatus(error, status))) return 'unreadable';
        return asking(Promise.reject(error));
      }
    },
    put: async (body, digests, condition) => {
      const ChecksumSHA256 = Buffer.from(digests.sha256, 'hex').toString('base64');
      const input = {
        ...object,
        ...described(digests),
        ...headersFor(condition),
        Body: body,
        ChecksumSHA256,
      };
      await asking(client.send(new PutObjectCommand(input), options));
      return { algorithm: 'SHA256', of: 'file', value: ChecksumSHA256 };
    },
    begin: async (_size, digests) => {
      // Of the checksums of a whole that S3 makes of those of its parts, CRC-32 is the one that Node has.
      const checksum = { ChecksumAlgorithm: 'CRC32', ChecksumType: 'FULL_OBJECT' } as const;
      const input = { ...object, ...described(digests), ...checksum };
      const { UploadId } = await asking(client.send(new CreateMultipartUploadCommand(input), options));
      return UploadId!;
    },
    part: async (UploadId, { index, body }) => {
      const part = { PartNumber: index + 1, Body: body, ChecksumCRC32: base64OfCrc(crc32(body)) };
      const sent = await asking(
        client.send(new UploadPartCommand({ ...object, UploadId, ...part }), options),
      );
      return `${sent.ETag} ${part.ChecksumCRC32}`;
    },
    complete: async (UploadId, { receipts, digests, size }, condition) => {
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
      await asking(
        completing.catch((error: Error) => {
          throw spoilt.test(error.name) ? new UploadSpoilt(`S3 says ${error.name}`) : error;
        }),
      );
      return { algorithm: 'CRC32', of: 'file', value: digests.crc32 };
    },
    abort: async (UploadId) => {
      await client.send(new AbortMultipartUploadCommand({ ...object, UploadId }), options);
    },
  };
}

/**
 * Completing with the same parts ends alike: one is not there or not what its receipt says, or all do not make the checksum or
 * (InvalidRequest) the size that they should. API_CompleteMultipartUpload, Errors and `MpuObjectSize`.
 */
const spoilt = /^(?:BadDigest|EntityTooSmall|InvalidPart|InvalidPartOrder|InvalidRequest)$/;

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

const named = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;
