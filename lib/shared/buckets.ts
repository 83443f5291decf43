/** What holds for every bucket, and for the ones that receive logs. */
import { Validations } from 'aws-cdk-lib';
import { BlockPublicAccess, type Bucket } from 'aws-cdk-lib/aws-s3';

/** Closed to the public, and to plain HTTP and old TLS. */
export const locked = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  enforceSSL: true,
  minimumTLSVersion: 1.2,
};

/** A bucket of access logs has no log of its own. */
export function receivesLogs(logs: Bucket): void {
  Validations.of(logs).acknowledge({
    id: 'AwsSolutions-S1',
    reason: 'This bucket receives the access logs; logging its own access would never end.',
  });
}
