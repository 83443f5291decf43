import { beforeAll, describe, expect, test } from 'vitest';
import { localSite } from '../../content/site.ts';
import { type EnvironmentSettings, environmentOf } from '../../lib/environments.ts';
import { siteEnvironmentOf } from '../../toolchain/site-environment.ts';
import { type EnvironmentName, ofType, type Resource, shipped, type Template } from './assembly.ts';
import {
  apart,
  certificateArn,
  named,
  siteOf,
  synthesizeSite,
  synthesizeSiteStacks,
} from './site-assembly.ts';

let folder: string;
/** Production with custom domains. */
let template: Template;
/** An environment whose domains CloudFront and API Gateway assign. */
let dev: Template;
beforeAll(async () => {
  folder = await siteOf('prod', named);
  template = synthesizeSite('prod', folder, named);
  dev = synthesizeSite('dev', await siteOf('dev', shipped.dev), shipped.dev);
});

const only = (type: string, from = template): Resource => {
  const found = ofType(from, type);
  expect(found).toHaveLength(1);
  return found[0]![1];
};
const distribution = (from = template) =>
  only('AWS::CloudFront::Distribution', from).Properties.DistributionConfig;

function waitsFor(id: string, other: string, from = template): boolean {
  const { DependsOn = [], ...resource } = from.Resources[id] as Resource & {
    DependsOn?: string | string[];
  };
  const named = JSON.stringify(resource).matchAll(/"(?:Ref|Fn::GetAtt)":\[?"([^"]+)"/g);
  const direct = [...[DependsOn].flat(), ...[...named].map(([, name]) => name!)];
  return direct.some((name) => name === other || (name in from.Resources && waitsFor(name, other, from)));
}

describe('the bucket of the site', () => {
  const statements = () =>
    Object.values(template.Resources)
      .filter(
        ({ Type, Properties }) => Type === 'AWS::S3::BucketPolicy' && Properties.Bucket.Ref === 'SiteContent',
      )
      .flatMap(({ Properties }) => Properties.PolicyDocument.Statement);

  test('refuses public access and plain HTTP', () => {
    const { Properties } = template.Resources.SiteContent!;
    expect(Object.values(Properties.PublicAccessBlockConfiguration)).toEqual([true, true, true, true]);
    const denied = statements().filter(({ Effect }) => Effect === 'Deny');
    expect(denied.map(({ Condition }) => Object.keys(Object.values(Condition)[0] as object)[0])).toEqual([
      'aws:SecureTransport',
      's3:TlsVersion',
    ]);
  });

  test('can be read and listed only by this distribution, so that a missing key is a 404', () => {
    const allowed = statements().filter(({ Effect }) => Effect === 'Allow');
    expect(allowed).toHaveLength(1);
    expect(allowed[0].Principal).toEqual({ Service: 'cloudfront.amazonaws.com' });
    expect(allowed[0].Action).toEqual(['s3:GetObject', 's3:ListBucket']);
    expect(JSON.stringify(allowed[0].Condition)).toContain('{"Ref":"SiteDistribution"}');
    expect(only('AWS::CloudFront::OriginAccessControl').Properties.OriginAccessControlConfig).toMatchObject({
      SigningBehavior: 'always',
      SigningProtocol: 'sigv4',
    });
  });

  test('has an access log, which is kept for as long as the privacy policy says', () => {
    expect(template.Resources.SiteContent!.Properties.LoggingConfiguration.DestinationBucketName).toEqual({
      Ref: 'SiteLogs',
    });
    const [rule] = template.Resources.SiteLogs!.Properties.LifecycleConfiguration.Rules;
    for (const { accessLogDays } of [siteEnvironmentOf(environmentOf('prod', named)), localSite]) {
      expect(rule.ExpirationInDays).toBe(accessLogDays);
    }
  });
});

describe('the distribution', () => {
  test('uses HTTP/2 and 3 and at least TLS 1.2, under the hosts of the site', () => {
    expect(distribution()).toMatchObject({
      HttpVersion: 'http2and3',
      IPV6Enabled: true,
      Aliases: ['kinora.example', 'www.kinora.example'],
      ViewerCertificate: { AcmCertificateArn: certificateArn, MinimumProtocolVersion: 'TLSv1.2_2021' },
      DefaultCacheBehavior: { ViewerProtocolPolicy: 'redirect-to-https', Compress: true },
    });
  });

  test('excludes Accept, cookies and the query from the cache key', () => {
    const { ParametersInCacheKeyAndForwardedToOrigin: key } = only('AWS::CloudFront::CachePolicy').Properties
      .CachePolicyConfig;
    expect(key).toEqual({
      CookiesConfig: { CookieBehavior: 'none' },
      HeadersConfig: { HeaderBehavior: 'none' },
      QueryStringsConfig: { QueryStringBehavior: 'none' },
      EnableAcceptEncodingBrotli: true,
      EnableAcceptEncodingGzip: true,
    });
  });

  test('answers a 404 of the origin with the error page, but not a 403', () => {
    expect(distribution().CustomErrorResponses).toEqual([
      { ErrorCode: 404, ResponseCode: 404, ResponsePagePath: '/pages/404.html', ErrorCachingMinTTL: 60 },
    ]);
  });

  test('never lists the bucket at its root', () => {
    expect(distribution().DefaultRootObject).toBe('_root.html');
  });

  test('writes no legacy log, which would fail in four regions, because the buckets accept no ACLs', () => {
    expect(distribution().Logging).toBeUndefined();
    for (const [, { Properties }] of ofType(template, 'AWS::S3::Bucket')) {
      expect(Properties.OwnershipControls.Rules).toEqual([{ ObjectOwnership: 'BucketOwnerEnforced' }]);
    }
  });

  test('adds the security headers, without unsafe-inline', () => {
    const { SecurityHeadersConfig, CustomHeadersConfig, RemoveHeadersConfig } = only(
      'AWS::CloudFront::ResponseHeadersPolicy',
    ).Properties.ResponseHeadersPolicyConfig;
    expect(SecurityHeadersConfig.StrictTransportSecurity).toMatchObject({
      AccessControlMaxAgeSec: 63_072_000,
      IncludeSubdomains: true,
    });
    expect(SecurityHeadersConfig.ContentSecurityPolicy.ContentSecurityPolicy).toMatch(/^default-src 'none'/);
    expect(JSON.stringify(SecurityHeadersConfig)).not.toContain('unsafe');
    expect(SecurityHeadersConfig.ReferrerPolicy.ReferrerPolicy).toBe('strict-origin-when-cross-origin');
    expect(SecurityHeadersConfig.ContentTypeOptions).toEqual({ Override: true });
    const custom = CustomHeadersConfig.Items.map(({ Header }: { Header: string }) => Header);
    expect(custom).toEqual(['cross-origin-opener-policy', 'permissions-policy']);
    // viewer-response reads the status from the metadata, so no policy may remove it before.
    expect(JSON.stringify(RemoveHeadersConfig)).not.toContain('x-amz-meta');
  });
});

describe('the edge functions', () => {
  test('contain the host of their environment, and no placeholder if the host is known', () => {
    const code = (from: Template) =>
      JSON.stringify(from.Resources.SiteViewerRequest!.Properties.FunctionCode);
    expect(code(template)).toContain('https://kinora.example');
    expect(code(template)).not.toContain('.invalid');
    expect(code(dev)).not.toContain('.invalid');
    expect(code(dev)).toContain('https://api.kinora.example');
  });

  test('protect a preview with a token that its deployment creates, and contain only its digest', async () => {
    const preview = synthesizeSite('preview', await siteOf('preview', shipped.preview), shipped.preview);
    const code = JSON.stringify(preview.Resources.SiteViewerRequest!.Properties.FunctionCode);
    expect(code).toContain('require(\\"crypto\\")');
    expect(code).toContain('{"Fn::GetAtt":["SiteAccess","Sha256"]}');
    expect(preview.Resources.SiteViewerResponse!.Properties.FunctionCode).toContain('noindex');
    const secret = { Ref: 'SiteAccessToken' };
    expect(preview.Resources.SiteAccess!.Properties).toMatchObject({ Step: 'access', Secret: secret });
    expect(preview.Resources.SiteAccessToken!.Properties.GenerateSecretString.PasswordLength).toBe(32);
    expect(preview.Outputs.SiteAccessSecret!.Value).toEqual(secret);
    expect(template.Resources.SiteAccessToken).toBeUndefined();
  });
});

describe('a deployment', () => {
  test('uploads, then changes the functions, then invalidates and prunes', () => {
    for (const id of ['SiteViewerRequest', 'SiteViewerResponse']) {
      expect(waitsFor(id, 'SiteObjects')).toBe(true);
      expect(waitsFor('SiteDistribution', id)).toBe(true);
    }
    expect(waitsFor('SiteRelease', 'SiteDistribution')).toBe(true);
    expect(waitsFor('SiteObjects', 'SiteDistribution')).toBe(false);
    expect(waitsFor('SiteRelease', 'SiteObjects')).toBe(true);
  });

  test('fills in the name that CloudFront assigns, and therefore uploads after the distribution exists', () => {
    const { Filling } = dev.Resources.SiteObjects!.Properties;
    expect(Filling).toEqual([
      { Placeholder: 'https://api.kinora.invalid', Value: 'https://api.kinora.example' },
      {
        Placeholder: 'https://site.kinora.invalid',
        Value: { 'Fn::Join': ['', ['https://', { 'Fn::GetAtt': ['SiteDistribution', 'DomainName'] }]] },
      },
    ]);
    expect(dev.Outputs.SiteUrl!.Value).toEqual(Filling[1].Value);
    expect(waitsFor('SiteRelease', 'SiteObjects', dev)).toBe(true);
    expect(template.Resources.SiteObjects!.Properties.Filling).toEqual([]);
  });

  test('releases only what has changed', async () => {
    const release = (from: Template) => from.Resources.SiteRelease!.Properties.Release as string;
    const objects = (from: Template) => from.Resources.SiteObjects!.Properties.ArchiveKey as string;
    const again = synthesizeSite('prod', folder, named);
    const other = dev;
    expect(release(again)).toBe(release(template));
    expect(objects(again)).toBe(objects(template));
    // The fixture's objects are the same for every host. Its functions differ.
    expect(objects(other)).toBe(objects(template));
    expect(release(other)).not.toBe(release(template));
  });

  test.each<[EnvironmentName, string]>([
    ['prod', 'false'],
    ['dev', 'true'],
  ])('in %s empties the bucket when its stack is deleted: %s', async (name, expected) => {
    const { Resources } = (await apart(name)).Site!;
    expect(Resources.SiteObjects!.Properties.EmptyOnDelete).toBe(expected);
    expect(Resources.SiteContent!.DeletionPolicy).toBe(expected === 'true' ? 'Delete' : 'Retain');
    // CloudFront refuses new accounts. The log bucket is then still empty, and the next attempt creates another.
    expect(Resources.SiteLogs!.DeletionPolicy).toBe('RetainExceptOnCreate');
  });

  test('has permissions only for this bucket, this distribution and its archives', () => {
    const statements = Object.values(template.Resources)
      .filter(({ Type }) => Type === 'AWS::IAM::Role' || Type === 'AWS::IAM::Policy')
      .flatMap(({ Properties }) => [
        ...(Properties.PolicyDocument?.Statement ?? []),
        ...(Properties.Policies ?? []).flatMap(
          (policy: Resource['Properties']) => policy.PolicyDocument.Statement,
        ),
      ]);
    const actions = statements.flatMap(({ Action }) => [Action].flat()).sort();
    expect(actions).toEqual([
      'cloudfront:CreateInvalidation',
      'logs:CreateLogStream',
      'logs:PutLogEvents',
      's3:DeleteObject',
      's3:GetObject',
      's3:GetObject',
      's3:ListBucket',
      's3:PutObject',
    ]);
    expect(statements.every(({ Resource }) => Resource !== '*')).toBe(true);
  });

  test('passes the cdk-nag rules in a given account and region too', () => {
    const target = { ...named, account: '123456789012' };
    expect(() => synthesizeSite('prod', folder, target)).not.toThrow();
  });

  test('is refused if the site was built for another address', async () => {
    expect(() => synthesizeSite('prod', folder, shipped.prod)).toThrow('npm run build:site -- prod');
  });

  test('is refused if the site was not built', () => {
    expect(() => synthesizeSite('prod', '/nowhere', named)).toThrow('npm run build:site -- prod');
  });
});

describe('the monitoring of the site', () => {
  const watch = (settings: Partial<EnvironmentSettings> = {}) =>
    synthesizeSiteStacks('prod', folder, { ...named, ...settings });
  const watching = (settings: Partial<EnvironmentSettings> = {}) =>
    Object.entries(watch(settings)).find(([part]) => part.startsWith('SiteWatch'))!;
  const alarms = (settings: Partial<EnvironmentSettings> = {}) =>
    Object.fromEntries(ofType(watching(settings)[1], 'AWS::CloudWatch::Alarm'));

  test('has its alarms in us-east-1, the only region with CloudFront metrics, with the region in their names', () => {
    const [part, { Resources }] = watching();
    expect(part).toBe('SiteWatch-eu-central-1');
    for (const { Properties } of Object.values(alarms())) {
      expect(Properties.AlarmName).toMatch(/^kinora-prod-eu-central-1-Site/);
    }
    const [{ Value: distributionId }, { Value: global }] =
      Resources.SiteServerErrorsAlarm!.Properties.Dimensions;
    expect(distributionId['Fn::GetStackOutput']).toMatchObject({
      StackName: 'Kinora-prod-Site',
      Region: 'eu-central-1',
    });
    expect(global).toBe('Global');
  });

  test('uses the real names of the functions', () => {
    const { Site, ...others } = watch();
    for (const id of ['SiteViewerRequest', 'SiteViewerResponse']) {
      for (const alarm of [`${id}ErrorsAlarm`, `${id}InvalidAlarm`]) {
        const [{ Value }] = Object.values(others)[0]!.Resources[alarm]!.Properties.Dimensions;
        expect(Value).toBe(Site!.Resources[id]!.Properties.Name);
      }
    }
  });

  test('notifies a topic in its own region, as CloudWatch requires', () => {
    const here = 'arn:aws:sns:us-east-1:123456789012:alarms';
    const elsewhere = 'arn:aws:sns:eu-central-1:123456789012:alarms';
    const actions = (settings: Partial<EnvironmentSettings>): unknown[] =>
      Object.values(alarms(settings)).map(({ Properties }) => Properties.AlarmActions?.[0]);
    const own = JSON.stringify({ Ref: 'Alerts' });
    const told = (alerts: NonNullable<EnvironmentSettings['alerts']>) =>
      new Set(
        actions({ alerts }).map((action) => (typeof action === 'string' ? action : JSON.stringify(action))),
      );
    expect(told({ topicArn: elsewhere })).toEqual(new Set([own]));
    expect(told({ topicArn: elsewhere, siteTopicArn: here })).toEqual(new Set([here]));
  });

  test('includes an access log across regions, without cookies and queries', () => {
    const { Site, ...others } = watch();
    const { Resources } = Object.values(others)[0]!;
    const { AccessLogSource, AccessLogDestination, AccessLogDelivery } = Resources;
    expect(AccessLogSource!.Properties).toMatchObject({
      Name: 'kinora-prod-eu-central-1-site',
      LogType: 'ACCESS_LOGS',
    });
    expect(JSON.stringify(AccessLogSource!.Properties.ResourceArn)).toContain('"Region":"eu-central-1"');
    expect(AccessLogDestination!.Properties.OutputFormat).toBe('w3c');
    expect(JSON.stringify(AccessLogDestination!.Properties.DestinationResourceArn)).toContain('SiteLogs');
    const { RecordFields, DeliverySourceName } = AccessLogDelivery!.Properties;
    expect(DeliverySourceName).toBe(AccessLogSource!.Properties.Name);
    expect(AccessLogDelivery!.DependsOn).toEqual(['AccessLogSource']);
    expect(RecordFields).toEqual(expect.arrayContaining(['c-ip', 'cs-uri-stem', 'sc-status']));
    expect(RecordFields.filter((field: string) => /cookie|query/i.test(field))).toEqual([]);

    const statements = ofType(Site!, 'AWS::S3::BucketPolicy')
      .filter(([, { Properties }]) => Properties.Bucket.Ref === 'SiteLogs')
      .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement);
    const [delivering] = statements.filter(({ Sid }) => Sid === 'AWSLogDeliveryWrite');
    expect(delivering).toMatchObject({
      Action: 's3:PutObject',
      Effect: 'Allow',
      Principal: { Service: 'delivery.logs.amazonaws.com' },
      Condition: { StringEquals: { 's3:x-amz-acl': 'bucket-owner-full-control' } },
    });
    expect(JSON.stringify(delivering.Condition.ArnLike)).toContain(':logs:us-east-1:');
  });
});

describe('the DNS records of the site', () => {
  test('are created for each of its names if the environment names their zone', () => {
    const { domain } = named.site!;
    const settings = { ...named, site: { ...named.site, domain: { ...domain!, hostedZoneId: 'Z123' } } };
    const records = ofType(synthesizeSite('prod', folder, settings), 'AWS::Route53::RecordSet');
    expect(records.map(([, { Properties }]) => `${Properties.Name} ${Properties.Type}`)).toEqual([
      'kinora.example A',
      'kinora.example AAAA',
      'www.kinora.example A',
      'www.kinora.example AAAA',
    ]);
    for (const [, { Properties }] of records) {
      expect(Properties.AliasTarget.DNSName).toEqual({ 'Fn::GetAtt': ['SiteDistribution', 'DomainName'] });
    }
    expect(ofType(template, 'AWS::Route53::RecordSet')).toEqual([]);
  });
});
