/** What a role may do here: what all of its policies allow, and nothing with the buckets of the service itself. */
import { allows } from '../../sts/policies.ts';
import type { Session } from '../../sts/sessions.ts';
import { S3Error } from '../errors.ts';
import type { S3Request } from '../request.ts';

/** Throws AccessDenied. */
export function requirePermission(
  { policies }: Session,
  action: string | undefined,
  { bucket = '', key = '' }: S3Request,
  { ownBuckets }: { ownBuckets: readonly string[] },
): void {
  const resource = `arn:aws:s3:::${bucket}/${key}`;
  const isAllowed =
    action !== undefined &&
    !ownBuckets.includes(bucket) &&
    policies.every((policy) => allows(policy, action, resource));
  if (!isAllowed) throw new S3Error('AccessDenied');
}

/** Who may not list a bucket does not learn what is not in it. "HeadObject", permissions. */
export function withoutListing(error: unknown, { policies }: Session, { bucket = '' }: S3Request): unknown {
  const isMissing = error instanceof S3Error && error.code === 'NoSuchKey';
  const mayList = policies.every((policy) => allows(policy, 's3:ListBucket', `arn:aws:s3:::${bucket}`));
  return isMissing && !mayList ? new S3Error('AccessDenied') : error;
}
