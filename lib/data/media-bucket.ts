/** The bucket of all media, and the bucket of its access log. */
import { Duration } from 'aws-cdk-lib';
import {
  Bucket,
  BucketEncryption,
  HttpMethods,
  type IBucket,
  type LifecycleRule,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { Environment } from '../environments.ts';
import { locked, receivesLogs } from '../shared/buckets.ts';
import { stableId } from '../shared/logical-id.ts';

/** Days that access logs stay. */
const ACCESS_LOG_DAYS = 90;

/**
 * Days for which a table can be restored. Deleted and overwritten media stays as long, because restored records refer
 * to it. DynamoDB Developer Guide, "Point-in-time recovery": "any point in time during the last 35 days".
 */
export const RECOVERY_DAYS = 35;

export function mediaBucket(scope: Construct, environment: Environment): Bucket {
  const media = new Bucket(scope, 'Media', {
    ...owned,
    // The key that AWS manages for S3, used once for each bucket and not for each object: docs/decisions/0006.
    encryption: BucketEncryption.KMS_MANAGED,
    bucketKeyEnabled: true,
    removalPolicy: environment.removal,
    serverAccessLogsBucket: accessLogs(scope, environment),
    serverAccessLogsPrefix: 'media/',
    versioned: environment.pointInTimeRecovery,
    lifecycleRules: [
      { id: 'unfinished-uploads', abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ...(environment.pointInTimeRecovery ? [forgottenVersions] : []),
    ],
    // A presigned URL carries its own permission, so any origin may use it.
    cors: [
      {
        allowedMethods: [HttpMethods.PUT, HttpMethods.GET, HttpMethods.HEAD],
        allowedOrigins: ['*'],
        allowedHeaders: ['*'],
        exposedHeaders: ['ETag', 'Content-Range', 'Accept-Ranges'],
        maxAge: 3600,
      },
    ],
  });
  return stableId(media, 'Media');
}

/** Removes the delete marker of an object when its last version expires. */
const forgottenVersions: LifecycleRule = {
  id: 'former-versions',
  noncurrentVersionExpiration: Duration.days(RECOVERY_DAYS),
  expiredObjectDeleteMarker: true,
};

const owned = { ...locked, objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED };

function accessLogs(scope: Construct, environment: Environment): IBucket {
  const logs = new Bucket(scope, 'AccessLogs', {
    ...owned,
    // S3 delivers access logs only to buckets whose default encryption is its own.
    encryption: BucketEncryption.S3_MANAGED,
    removalPolicy: environment.removal,
    lifecycleRules: [{ id: 'expire', expiration: Duration.days(ACCESS_LOG_DAYS) }],
  });
  receivesLogs(logs);
  return stableId(logs, 'AccessLogs') as IBucket;
}
