import { beforeAll, describe, expect, it } from 'vitest';
import { synthesize, type Template } from './assembly.ts';

let data: Template;

beforeAll(() => {
  data = synthesize('dev').Data;
});

const bucket = (id: string) => data.Resources[id]!.Properties;

describe('the tables', () => {
  it('delete items at expires_at, which only the event log has in Core; API keys never expire', () => {
    for (const name of ['Core', 'Ephemeral']) {
      expect(bucket(name).TimeToLiveSpecification).toEqual({ AttributeName: 'expires_at', Enabled: true });
    }
    expect(bucket('Auth').TimeToLiveSpecification).toBeUndefined();
  });

  it('encrypt API keys with a separate key that rotates', () => {
    expect(bucket('Auth').SSESpecification).toMatchObject({
      KMSMasterKeyId: { 'Fn::GetAtt': ['AuthKey', 'Arn'] },
      SSEType: 'KMS',
    });
    expect(bucket('Core').SSESpecification?.KMSMasterKeyId).toBeUndefined();
    expect(data.Resources.AuthKey!.Properties.EnableKeyRotation).toBe(true);
  });

  it('allow the use of this key only with a tenant or a purpose of the operator in the encryption context', () => {
    const { Statement } = data.Resources.SecretsKey!.Properties.KeyPolicy;
    expect(Statement).toContainEqual(
      expect.objectContaining({
        Effect: 'Deny',
        Principal: { AWS: '*' },
        Action: expect.arrayContaining(['kms:Decrypt', 'kms:Encrypt', 'kms:GenerateDataKey']),
        Condition: {
          Null: { 'kms:EncryptionContext:tenant': 'true', 'kms:EncryptionContext:purpose': 'true' },
        },
      }),
    );
  });
});

describe('the media bucket', () => {
  it('encrypts its objects with KMS, with one bucket key', () => {
    expect(bucket('Media').BucketEncryption.ServerSideEncryptionConfiguration).toEqual([
      { BucketKeyEnabled: true, ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms' } },
    ]);
  });

  it('removes unfinished uploads after a day and keeps everything else', () => {
    expect(bucket('Media').LifecycleConfiguration.Rules).toEqual([
      {
        Id: 'unfinished-uploads',
        Status: 'Enabled',
        AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
      },
    ]);
  });

  it('keeps overwritten and deleted objects for as long as the tables can be restored', () => {
    const prod = synthesize('prod').Data;
    const canBeRestored = (template: Template, table: string) =>
      template.Resources[table]!.Properties.PointInTimeRecoverySpecification?.PointInTimeRecoveryEnabled;
    expect([canBeRestored(data, 'Core'), canBeRestored(prod, 'Core')]).toEqual([false, true]);
    expect(bucket('Media').VersioningConfiguration).toBeUndefined();
    const { VersioningConfiguration, LifecycleConfiguration } = prod.Resources.Media!.Properties;
    expect(VersioningConfiguration).toEqual({ Status: 'Enabled' });
    expect(LifecycleConfiguration.Rules).toContainEqual({
      Id: 'former-versions',
      Status: 'Enabled',
      // DynamoDB Developer Guide, "Point-in-time recovery": 35 days.
      NoncurrentVersionExpiration: { NoncurrentDays: 35 },
      ExpiredObjectDeleteMarker: true,
    });
  });

  it('lets no function of Kinora delete an old version of an object', () => {
    const actions = JSON.stringify(synthesize('prod')).match(/s3:[A-Za-z*]+/g) ?? [];
    expect(actions.filter((action) => /^s3:Delete.*(Version|\*)/.test(action))).toEqual([]);
  });

  it('accepts parts from browsers at presigned URLs, and exposes their ETag', () => {
    const [rule] = bucket('Media').CorsConfiguration.CorsRules;
    expect(rule.AllowedMethods).toContain('PUT');
    expect(rule.ExposedHeaders).toContain('ETag');
  });
});
