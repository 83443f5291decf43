/** The bucket of the site's objects, which only CloudFront reads, and the bucket of its access log. */
import { Aws, Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Bucket, BucketEncryption, type IBucket, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { globalRegion } from '../environment-checks.ts';
import type { Environment } from '../environments.ts';
import { locked, receivesLogs } from '../shared/buckets.ts';
import { stableId } from '../shared/names.ts';

/** The number of days for which access logs are kept. The privacy policy states it. */
export const accessLogDays = 90;

// With the key of S3 itself, ETags are MD5 sums, and CloudFront needs no permission for a key.
const readable = { ...locked, encryption: BucketEncryption.S3_MANAGED };

export function contentBucket(scope: Construct, { removal }: Environment, logs: IBucket): IBucket {
  const content = new Bucket(scope, 'Content', {
    ...readable,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    // CloudFormation deletes the bucket if a first deployment fails. The bucket may contain objects, which are then deleted, too.
    removalPolicy: removal === RemovalPolicy.DESTROY ? removal : RemovalPolicy.RETAIN,
    serverAccessLogsBucket: logs,
    serverAccessLogsPrefix: 'content/',
  });
  return stableId(content, 'SiteContent') as IBucket;
}

/**
 * The bucket is kept when its stack is deleted, because CloudFront still delivers logs for a day. Logs expire. If the first deployment
 * fails, for example because CloudFront does not accept a new account yet, CloudFormation deletes the empty bucket.
 */
export function logBucket(scope: Construct): IBucket {
  const logs = new Bucket(scope, 'Logs', {
    ...readable,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    lifecycleRules: [{ id: 'expire', expiration: Duration.days(accessLogDays) }],
  });
  logs.addToResourcePolicy(delivering(logs));
  receivesLogs(logs);
  return stableId(logs, 'SiteLogs') as IBucket;
}

/** Lets the service that delivers CloudFront's log write to the bucket (CloudWatch Logs User Guide, "Logs sent to Amazon S3"). */
function delivering(logs: Bucket): PolicyStatement {
  return new PolicyStatement({
    sid: 'AWSLogDeliveryWrite',
    principals: [new ServicePrincipal('delivery.logs.amazonaws.com')],
    actions: ['s3:PutObject'],
    resources: [logs.arnForObjects(`AWSLogs/${Aws.ACCOUNT_ID}/*`)],
    conditions: {
      StringEquals: { 's3:x-amz-acl': 'bucket-owner-full-control', 'aws:SourceAccount': Aws.ACCOUNT_ID },
      ArnLike: {
        'aws:SourceArn': `arn:${Aws.PARTITION}:logs:${globalRegion}:${Aws.ACCOUNT_ID}:delivery-source:*`,
      },
    },
  });
}
