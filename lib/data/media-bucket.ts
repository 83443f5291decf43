/** The bucket of all media, and the bucket for its access log. */
import { type Acknowledgment, Duration, type Stack, Validations } from 'aws-cdk-lib';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  Bucket,
  BucketEncryption,
  HttpMethods,
  type IBucket,
  type LifecycleRule,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { MediaAccess } from '../../platform/steps/permissions.ts';
import type { Environment } from '../environments.ts';
import { locked, receivesLogs } from '../shared/buckets.ts';
import { stableId } from '../shared/names.ts';

const ACCESS_LOG_DAYS = 90;

/**
 * The number of days for which a table can be restored. Deleted and overwritten media are kept for the same time, because restored
 * records refer to them. DynamoDB Developer Guide, "Point-in-time recovery": "any point in time during the last 35 days".
 */
const RECOVERY_DAYS = 35;

export function mediaBucket(scope: Construct, environment: Environment): Bucket {
  const media = new Bucket(scope, 'Media', {
    ...owned,
    // Uses the key that AWS manages for S3. S3 calls KMS once for each bucket, not for each object: docs/decisions/0006.
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
    // A presigned URL contains its own permission, so any origin may use it.
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
    // S3 delivers access logs only to buckets that are encrypted with the key of S3.
    encryption: BucketEncryption.S3_MANAGED,
    removalPolicy: environment.removal,
    lifecycleRules: [{ id: 'expire', expiration: Duration.days(ACCESS_LOG_DAYS) }],
  });
  receivesLogs(logs);
  return stableId(logs, 'AccessLogs') as IBucket;
}

const mediaActions: Readonly<
  Record<MediaAccess, { objects: readonly string[]; bucket?: readonly string[] }>
> = {
  // Without ListBucket, S3 answers 403 instead of 404 for a missing object.
  Read: { objects: ['s3:GetObject'], bucket: ['s3:ListBucket'] },
  Write: { objects: ['s3:PutObject', 's3:AbortMultipartUpload'] },
  // A step that uploads parts also aborts an upload that a crashed attempt did not finish.
  Upload: {
    objects: ['s3:PutObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts'],
    bucket: ['s3:ListBucketMultipartUploads'],
  },
  Delete: {
    objects: ['s3:DeleteObject', 's3:AbortMultipartUpload'],
    bucket: ['s3:ListBucket', 's3:ListBucketMultipartUploads'],
  },
};

/** Returns one statement for objects and one for the bucket. So no two statements of a role allow the same action. */
export function mediaStatements(accesses: readonly MediaAccess[], media: Bucket): PolicyStatement[] {
  const union = (level: 'objects' | 'bucket') => [
    ...new Set(accesses.flatMap((access) => mediaActions[access][level] ?? [])),
  ];
  return [
    { actions: union('objects'), resources: [media.arnForObjects('t/*')] },
    { actions: union('bucket'), resources: [media.bucketArn] },
  ].flatMap((props) => (props.actions.length === 0 ? [] : [new PolicyStatement(props)]));
}

/** @param arn the ARN of the bucket, as findings of cdk-nag write it */
export const mediaWildcard = (arn: string): Acknowledgment => ({
  id: `AwsSolutions-IAM5[Resource::${arn}/t/*]`,
  reason: 'Keys of objects are made at run time; all lie below t/ of this one bucket.',
});

/**
 * Stacks of versions before 0.1.0 import these policies for their roles, until their next deployment. CloudFormation does not remove an
 * export in use, so the policies stay for one more release.
 */
export function keepMediaPolicies(stack: Stack, media: Bucket): void {
  for (const access of Object.keys(mediaActions) as MediaAccess[]) {
    const id = `Media${access}Policy`;
    const policy = new ManagedPolicy(stack, id, { statements: mediaStatements([access], media) });
    Validations.of(policy).acknowledge(mediaWildcard('<Media.Arn>'));
    stack.exportValue(stableId(policy, id).managedPolicyArn);
  }
}
