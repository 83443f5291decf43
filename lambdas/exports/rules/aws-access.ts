/** The policies of a tenant's role, which let Kinora write only for this tenant. */
import type { Stored } from '../../../platform/records/configuration.ts';
import { defined } from '../../../shared/checked-access.ts';
import type { TenantId } from '../../../shared/ids.ts';

/**
 * The external id of one storage. It prevents another tenant's storage from using the role (the confused deputy: IAM
 * User Guide, "Access to AWS accounts owned by third parties"). It consists of ids that callers cannot choose, and is
 * not secret.
 */
export const externalIdOf = (tenant: TenantId, storageId: string): string => `kinora:${tenant}:${storageId}`;

/** How an S3 storage grants access to Kinora. Null for storages of other types or without a destination. */
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
        // Reading is needed to find out whether an earlier attempt has written the object.
        Action: ['s3:PutObject', 's3:GetObject', 's3:AbortMultipartUpload'],
        Resource: `arn:${partition}:s3:::${bucket_name}/${prefixOf((export_path ?? 'kinora/') as string)}*`,
      },
      {
        // Needed for buckets that a KMS key of the tenant encrypts. Only S3 may use the key. Decrypting is needed for
        // reading and for multipart uploads ("Uploading and copying objects using multipart upload", permissions).
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
 * The fixed folders at the start of a path template, up to the first character with a special meaning in a policy. Only
 * ASCII: IAM accepts U+0020 to U+00FF (API_CreatePolicy, PolicyDocument), and does not state how it compares other
 * letters.
 */
function prefixOf(template: string): string {
  const fixed = defined(/^(?:(?![{*?$])[ -~])*/.exec(template))[0];
  return fixed.slice(0, fixed.lastIndexOf('/') + 1);
}
