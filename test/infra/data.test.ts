import { beforeAll, describe, expect, it } from 'vitest';
import { ofType, synthesize, type Template } from './assembly.ts';

let data: Template;

beforeAll(() => {
  data = synthesize('dev').Data;
});

const bucket = (id: string) => data.Resources[id]!.Properties;

describe('the tables', () => {
  it('are Core, Auth and Ephemeral, on demand, with the keys pk and sk, without indexes', () => {
    const tables = ofType(data, 'AWS::DynamoDB::Table');
    expect(tables.map(([id]) => id).sort()).toEqual(['Auth', 'Core', 'Ephemeral']);
    for (const [, { Properties }] of tables) {
      expect(Properties.BillingMode).toBe('PAY_PER_REQUEST');
      expect(Properties.KeySchema).toEqual([
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ]);
      expect(Properties.GlobalSecondaryIndexes).toBeUndefined();
      expect(Properties.StreamSpecification).toBeUndefined();
    }
  });

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

  it('are used with a separate, rotating key for the secrets of tenants', () => {
    expect(data.Resources.SecretsKey!.Properties.EnableKeyRotation).toBe(true);
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

  it.each(['Media', 'AccessLogs'])('refuses public access and requests without TLS: %s', (id) => {
    expect(bucket(id).PublicAccessBlockConfiguration).toEqual({
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    });
    const policies = ofType(data, 'AWS::S3::BucketPolicy').map(([, { Properties }]) => Properties);
    const statements = policies.find(({ Bucket }) => Bucket.Ref === id).PolicyDocument.Statement;
    expect(statements).toContainEqual(
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
    );
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

  it('logs who reads and writes it', () => {
    expect(bucket('Media').LoggingConfiguration).toEqual({
      DestinationBucketName: { Ref: 'AccessLogs' },
      LogFilePrefix: 'media/',
    });
  });
});

it('the outputs contain the names of the tables and the bucket', () => {
  expect(Object.keys(data.Outputs)).toEqual(
    expect.arrayContaining(['CoreTable', 'AuthTable', 'EphemeralTable', 'MediaBucket']),
  );
});
