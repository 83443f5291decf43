/** What a tenant's role has to allow, so that Kinora writes in it and nobody else has Kinora do so. */

import type { Stored } from '../../../platform/records/configuration.ts';
import type { TenantId } from '../../../shared/tenant.ts';

/**
 * Of one storage alone, so that no other tenant's storage can name the role (the confused deputy: IAM User Guide,
 * "Access to AWS accounts owned by third parties"). It follows from ids that nobody chooses, and is no secret.
 */
export const externalIdOf = (tenant: TenantId, storageId: string): string => `kinora:${tenant}:${storageId}`;

/** Null for storages of other types, and while there is no destination. */
export function awsAccessOf(
  { id, type, destination, export_path }: Stored,
  tenant: TenantId,
  account: string,
) {
  const { bucket_name, region } = (destination ?? {}) as { bucket_name?: string; region?: string };
  if (type !== 'aws_s3' || bucket_name === undefined) return null;
  const partition = partitionOf(region ?? '');
  const external_id = externalIdOf(tenant, id);
  return {
    external_id,
    trust_policy: policyOf({
      Principal: { AWS: `arn:${partition}:iam::${account}:root` },
      Action: 'sts:AssumeRole',
      Condition: { StringEquals: { 'sts:ExternalId': external_id } },
    }),
    permission_policy: policyOf(
      {
        // Reading is for recognising what was written when an export is repeated.
        Action: ['s3:PutObject', 's3:GetObject', 's3:AbortMultipartUpload'],
        Resource: `arn:${partition}:s3:::${bucket_name}/${prefixOf((export_path ?? 'kinora/') as string)}*`,
      },
      {
        // Where a key of theirs encrypts the bucket: through S3 alone. Decrypting is for uploads in parts ("Uploading and
        // copying objects using multipart upload", permissions), and for reading.
        Action: ['kms:GenerateDataKey', 'kms:Decrypt'],
        Resource: '*',
        Condition: { StringEquals: { 'kms:ViaService': `s3.${region}.amazonaws.com` } },
      },
    ),
  };
}

const policyOf = (...allowed: readonly object[]) => ({
  Version: '2012-10-17',
  Statement: allowed.map((each) => ({ Effect: 'Allow', ...each })),
});

function partitionOf(region: string): string {
  if (region.startsWith('cn-')) return 'aws-cn';
  return region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
}

/**
 * The folders that all paths begin with, as far as they mean nothing else in a policy and may stand there: IAM takes documents of
 * U+0020 to U+00FF alone (API_CreatePolicy, PolicyDocument), and does not say how it compares letters beyond ASCII.
 */
function prefixOf(template: string): string {
  const fixed = /^(?:(?![{*?$])[ -~])*/.exec(template)![0];
  return fixed.slice(0, fixed.lastIndexOf('/') + 1);
}
