/** The media permissions of a function, as actions of S3. */
import { type Stack, Validations } from 'aws-cdk-lib';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { MediaAccess } from '../../platform/steps/permissions.ts';
import { stableId } from '../shared/logical-id.ts';

export interface MediaActions {
  readonly objects: readonly string[];
  readonly bucket?: readonly string[];
}

export const mediaActions: Readonly<Record<MediaAccess, MediaActions>> = {
  // Without ListBucket, S3 answers 403 rather than 404 for a missing object.
  Read: { objects: ['s3:GetObject'], bucket: ['s3:ListBucket'] },
  Write: { objects: ['s3:PutObject', 's3:AbortMultipartUpload'] },
  // A writer of parts aborts the upload that an attempt left when it crashed.
  Upload: {
    objects: ['s3:PutObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts'],
    bucket: ['s3:ListBucketMultipartUploads'],
  },
  Delete: {
    objects: ['s3:DeleteObject', 's3:AbortMultipartUpload'],
    bucket: ['s3:ListBucket', 's3:ListBucketMultipartUploads'],
  },
};

/**
 * Roles of versions before 0.1.0 have these policies, and their stacks import them until they are updated themselves. CloudFormation
 * removes no export that is in use, so the policies stay for one release more.
 */
export function keepMediaPolicies(stack: Stack, media: Bucket): void {
  for (const [access, allowed] of Object.entries(mediaActions)) {
    const policy = mediaPolicy(stack, `Media${access}Policy`, allowed, media);
    stack.exportValue(policy.managedPolicyArn);
  }
}

function mediaPolicy(scope: Stack, id: string, { objects, bucket = [] }: MediaActions, media: Bucket) {
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
