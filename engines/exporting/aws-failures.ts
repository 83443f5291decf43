/** Translates errors of S3 into errors that say what the owner of the bucket must change. */
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

/** S3 answers with one of these codes if the bucket is in another region. */
const wrongRegion = [
  'PermanentRedirect',
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
];

/** Errors after which a retry may succeed ("List of error codes", API reference). `Unknown` is the name if an answer to HEAD has no code. */
const retryable =
  /^(?:Unknown|UnknownError|BadDigest|IncompleteBody|OperationAborted|RequestTimeout|RequestTimeTooSkewed|ExpiredToken)$/;

export function failureOfS3(error: unknown, { bucket }: { readonly bucket: string }): Error {
  if (!(error instanceof S3ServiceException)) {
    return providerUnavailable(`S3 did not answer for the bucket ${bucket}.`, error);
  }
  if (error.name === 'NoSuchBucket') {
    return storageNotFound(`There is no bucket ${bucket}: check bucket_name.`, error);
  }
  if (wrongRegion.includes(error.name) || isStatus(error, 301) || isStatus(error, 307)) {
    const where = regionIn(error);
    return storageNotFound(
      `The bucket ${bucket} is in ${where === null ? 'another region' : `the region ${where}`}: correct \`region\`.`,
      error,
    );
  }
  if (isPassing(error) || retryable.test(error.name)) return notNow(error);
  if (isStatus(error, 403) || /^KMS\./.test(error.name)) {
    return storageAccessDenied(
      `S3 does not let the role write to ${bucket} (${error.name}). Give the role the permission_policy that \`aws_access\` of the storage shows. The bucket must belong to the role's account. If a KMS key encrypts the bucket, the key must let the role use it.`,
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
