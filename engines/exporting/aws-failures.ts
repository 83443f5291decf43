/** What S3's refusals mean to whoever owns the bucket. */
import { S3ServiceException } from '@aws-sdk/client-s3';
import {
  providerThrottled,
  providerUnavailable,
  storageAccessDenied,
  storageNotFound,
} from '../../shared/job-errors.ts';
import { isPassing, isThrottling } from '../aws/requests.ts';

export const isStatus = (error: unknown, status: number): boolean =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === status;

/** A request that is sent to another region than the bucket's is answered with one of these. */
const elsewhere = ['PermanentRedirect', 'AuthorizationHeaderMalformed', 'IllegalLocationConstraintException'];

/**
 * What a request met on its way, or other requests: the same may go well. "List of error codes" of the API reference. Errors
 * that come without their name are those of HEAD, which says no more than its status.
 */
const again =
  /^(?:Unknown|UnknownError|BadDigest|IncompleteBody|OperationAborted|RequestTimeout|RequestTimeTooSkewed|ExpiredToken)$/;

export function failureOfS3(error: unknown, { bucket }: { readonly bucket: string }): Error {
  if (!(error instanceof S3ServiceException)) {
    return providerUnavailable(`S3 did not answer for the bucket ${bucket}.`, error);
  }
  if (error.name === 'NoSuchBucket') {
    return storageNotFound(`There is no bucket ${bucket}: check bucket_name.`, error);
  }
  if (elsewhere.includes(error.name) || isStatus(error, 301) || isStatus(error, 307)) {
    const where = regionIn(error);
    return storageNotFound(
      `The bucket ${bucket} is in ${where === null ? 'another region' : `the region ${where}`}: correct \`region\`.`,
      error,
    );
  }
  if (isPassing(error) || again.test(error.name)) return notNow(error);
  if (isStatus(error, 403) || /^KMS\./.test(error.name)) {
    return storageAccessDenied(
      `S3 refuses the role to write to ${bucket} (${error.name}). It needs the permission_policy that \`aws_access\` of the storage shows, the bucket has to belong to the role's account, and a key that encrypts it has to let the role use it.`,
      error,
    );
  }
  return storageAccessDenied(`S3 does not take files into ${bucket}: ${error.name}.`, error);
}

const notNow = (error: S3ServiceException) =>
  (isThrottling(error) ? providerThrottled : providerUnavailable)(
    `S3 could not take the file: ${error.name}.`,
    error,
  );

function regionIn(error: S3ServiceException): string | null {
  const { Region, $response } = error as S3ServiceException & { Region?: string };
  return Region ?? $response?.headers?.['x-amz-bucket-region'] ?? null;
}
