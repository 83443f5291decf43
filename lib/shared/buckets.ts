/** The settings of all buckets, and of the buckets that receive logs. */
import { Validations } from 'aws-cdk-lib';
import { BlockPublicAccess, type Bucket } from 'aws-cdk-lib/aws-s3';

/** Settings that refuse public access, plain HTTP and old TLS. */
export const locked = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  enforceSSL: true,
  minimumTLSVersion: 1.2,
};

/** Acknowledges that a bucket for access logs has no access log of its own. */
export function receivesLogs(logs: Bucket): void {
  Validations.of(logs).acknowledge({
    id: 'AwsSolutions-S1',
    reason: 'This bucket receives the access logs; logging its own access would never end.',
  });
}
