/**
 * Permissions on media, as managed policies beside the bucket. Their only wildcard is the object keys, so it is
 * acknowledged here once and not in every role.
 */
import { Validations } from 'aws-cdk-lib';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { MediaAccess } from '../../platform/steps/permissions.ts';
import { stableId } from '../shared/logical-id.ts';

export type MediaPolicies = Readonly<Record<MediaAccess, ManagedPolicy>>;

interface Actions {
  readonly objects: readonly string[];
  readonly bucket?: readonly string[];
}

const actions: Readonly<Record<MediaAccess, Actions>> = {
  // Without ListBucket, S3 answers 403 instead of 404 for a missing object.
  Read: { objects: ['s3:GetObject'], bucket: ['s3:ListBucket'] },
  Write: { objects: ['s3:PutObject', 's3:AbortMultipartUpload'] },
  // A writer of parts also aborts the upload of an attempt that crashed.
  Upload: {
    objects: ['s3:PutObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts'],
    bucket: ['s3:ListBucketMultipartUploads'],
  },
  Delete: {
    objects: ['s3:DeleteObject', 's3:AbortMultipartUpload'],
    bucket: ['s3:ListBucket', 's3:ListBucketMultipartUploads'],
  },
};

export function mediaPolicies(scope: Construct, media: Bucket): MediaPolicies {
  const made = Object.entries(actions).map(([access, allowed]) => [
    access,
    mediaPolicy(scope, `Media${access}Policy`, allowed, media),
  ]);
  return Object.fromEntries(made) as MediaPolicies;
}

function mediaPolicy(scope: Construct, id: string, { objects, bucket = [] }: Actions, media: Bucket) {
  const statements = [
    new PolicyStatement({ actions: [...objects], resources: [media.arnForObjects('t/*')] }),
    ...(bucket.length === 0
      ? []
      : [new PolicyStatement({ actions: [...bucket], resources: [media.bucketArn] })]),
  ];
  const policy = new ManagedPolicy(scope, id, { statements });
  Validations.of(policy).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::<Media.Arn>/t/*]',
    reason: 'Keys of objects are made at run time; all lie below t/ of this one bucket.',
  });
  return stableId(policy, id);
}
