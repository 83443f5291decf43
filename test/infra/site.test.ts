import { beforeAll, describe, expect, test } from 'vitest';
import { environments as contentEnvironments } from '../../content/site.ts';
import type { EnvironmentName } from '../../lib/environments.ts';
import { ofType, type Resource, type Template } from './assembly.ts';
import { certificateArn, siteOf, synthesizeSite, synthesizeSiteStacks } from './site-assembly.ts';

let folder: string;
let template: Template;
beforeAll(async () => {
  folder = await siteOf('prod');
  template = synthesizeSite('prod', folder, { siteCertificateArn: certificateArn });
});

const only = (type: string, from = template): Resource => {
  const found = ofType(from, type);
  expect(found).toHaveLength(1);
  return found[0]![1];
};
const distribution = (from = template) =>
  only('AWS::CloudFront::Distribution', from).Properties.DistributionConfig;

/** Whether a resource waits for another, directly or through others. */
function waitsFor(id: string, other: string): boolean {
  const { DependsOn = [], ...resource } = template.Resources[id] as Resource & {
    DependsOn?: string | string[];
  };
  const named = JSON.stringify(resource).matchAll(/"(?:Ref|Fn::GetAtt)":\[?"([^"]+)"/g);
  const direct = [...[DependsOn].flat(), ...[...named].map(([, name]) => name!)];
  return direct.some((name) => name === other || (name in template.Resources && waitsFor(name, other)));
}

describe('the bucket of the site', () => {
  const statements = () =>
    Object.values(template.Resources)
      .filter(
        ({ Type, Properties }) => Type === 'AWS::S3::BucketPolicy' && Properties.Bucket.Ref === 'SiteContent',
      )
      .flatMap(({ Properties }) => Properties.PolicyDocument.Statement);

  test('is closed to the public and to plain HTTP', () => {
    const { Properties } = template.Resources.SiteContent!;
    expect(Object.values(Properties.PublicAccessBlockConfiguration)).toEqual([true, true, true, true]);
    const denied = statements().filter(({ Effect }) => Effect === 'Deny');
    expect(denied.map(({ Condition }) => Object.keys(Object.values(Condition)[0] as object)[0])).toEqual([
      'aws:SecureTransport',
      's3:TlsVersion',
    ]);
  });

  test('is read and listed by this distribution alone, so that a missing key is a 404', () => {
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

  test('has its access logged, for as long as the privacy policy says', () => {
    expect(template.Resources.SiteContent!.Properties.LoggingConfiguration.DestinationBucketName).toEqual({
      Ref: 'SiteLogs',
    });
    const [rule] = template.Resources.SiteLogs!.Properties.LifecycleConfiguration.Rules;
    for (const { accessLogDays } of Object.values(contentEnvironments)) {
      expect(rule.ExpirationInDays).toBe(accessLogDays);
    }
  });
});

describe('the distribution', () => {
  test('speaks HTTP/2 and 3 over TLS 1.2 at least, under the hosts of the site', () => {
    expect(distribution()).toMatchObject({
      HttpVersion: 'http2and3',
      IPV6Enabled: true,
      Aliases: ['kinora.example', 'www.kinora.example'],
      ViewerCertificate: { AcmCertificateArn: certificateArn, MinimumProtocolVersion: 'TLSv1.2_2021' },
      DefaultCacheBehavior: { ViewerProtocolPolicy: 'redirect-to-https', Compress: true },
    });
  });

  test('hands every method to the functions', () => {
    const { AllowedMethods, FunctionAssociations } = distribution().DefaultCacheBehavior;
    expect([...AllowedMethods].sort()).toEqual(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);
    const arn = (id: string) => ({ 'Fn::GetAtt': [id, 'FunctionARN'] });
    expect(FunctionAssociations).toEqual([
      { EventType: 'viewer-request', FunctionARN: arn('SiteViewerRequest') },
      { EventType: 'viewer-response', FunctionARN: arn('SiteViewerResponse') },
    ]);
    expect(distribution().CacheBehaviors).toBeUndefined();
  });

  test('keeps Accept, cookies and the query out of the cache key', () => {
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

  test('maps a 404 of the origin to the document, and no 403', () => {
    expect(distribution().CustomErrorResponses).toEqual([
      { ErrorCode: 404, ResponseCode: 404, ResponsePagePath: '/pages/404.html', ErrorCachingMinTTL: 60 },
    ]);
  });

  test('never lists the bucket at its root', () => {
    expect(distribution().DefaultRootObject).toBe('pages/index.html');
  });

  test('writes its log to the bucket of the logs, which takes ACLs as CloudFront delivers by them', () => {
    expect(distribution().Logging.Prefix).toBe('cloudfront/');
    expect(template.Resources.SiteLogs!.Properties.OwnershipControls.Rules).toEqual([
      { ObjectOwnership: 'BucketOwnerPreferred' },
    ]);
  });

  test('adds the security headers, and no unsafe-inline among them', () => {
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
    // viewer-response reads the status from the metadata, so that must still be there.
    expect(JSON.stringify(RemoveHeadersConfig)).not.toContain('x-amz-meta');
  });

  test('has only its own name without a certificate', () => {
    const { Aliases, ViewerCertificate } = distribution(synthesizeSite('prod', folder));
    expect(Aliases).toBeUndefined();
    expect(ViewerCertificate).toBeUndefined();
  });
});

describe('the edge functions', () => {
  test('run on runtime 2.0 and are published with the stack', () => {
    const functions = ofType(template, 'AWS::CloudFront::Function');
    expect(functions.map(([id]) => id)).toEqual(['SiteViewerRequest', 'SiteViewerResponse']);
    for (const [, { Properties }] of functions) {
      expect(Properties.AutoPublish).toBe(true);
      expect(Properties.FunctionConfig.Runtime).toBe('cloudfront-js-2.0');
      expect(Properties.FunctionCode).toContain('function handler(');
      expect(Buffer.byteLength(Properties.FunctionCode)).toBeLessThan(9_728);
    }
  });

  test('know the host of their environment', async () => {
    const dev = synthesizeSite('dev', await siteOf('dev'));
    expect(dev.Resources.SiteViewerRequest!.Properties.FunctionCode).toContain('https://dev.kinora.example');
    expect(template.Resources.SiteViewerRequest!.Properties.FunctionCode).not.toContain('dev.kinora.example');
  });

  test('gate a preview', async () => {
    const preview = synthesizeSite('preview', await siteOf('preview'));
    expect(preview.Resources.SiteViewerRequest!.Properties.FunctionCode).toContain('require("crypto")');
    expect(preview.Resources.SiteViewerResponse!.Properties.FunctionCode).toContain('noindex');
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
  });

  test('releases only what has changed', async () => {
    const release = (from: Template) => from.Resources.SiteRelease!.Properties.Release as string;
    const objects = (from: Template) => from.Resources.SiteObjects!.Properties.ArchiveKey as string;
    const again = synthesizeSite('prod', folder, { siteCertificateArn: certificateArn });
    const other = synthesizeSite('dev', await siteOf('dev'));
    expect(release(again)).toBe(release(template));
    expect(objects(again)).toBe(objects(template));
    // The fixture's objects are the same for every host; its functions are not.
    expect(objects(other)).toBe(objects(template));
    expect(release(other)).not.toBe(release(template));
  });

  test.each<[EnvironmentName, string]>([
    ['prod', 'false'],
    ['dev', 'true'],
  ])('of %s empties the bucket when its stack goes: %s', async (name, expected) => {
    const { Resources } = synthesizeSite(name, await siteOf(name));
    expect(Resources.SiteObjects!.Properties.EmptyOnDelete).toBe(expected);
    expect(Resources.SiteContent!.DeletionPolicy).toBe(expected === 'true' ? 'Delete' : 'Retain');
  });

  test('may touch this bucket, this distribution and archives, no more', () => {
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

  test('passes the rules in a given account and region too', () => {
    const target = { account: '123456789012', region: 'us-east-1' };
    expect(() => synthesizeSite('prod', folder, target)).not.toThrow();
  });

  test('is refused for a site that was built for another address', async () => {
    const dev = await siteOf('dev');
    expect(() => synthesizeSite('prod', dev)).toThrow(/--base-url https:\/\/kinora\.example/);
  });

  test('is refused without a built site', () => {
    expect(() => synthesizeSite('prod', '/nowhere')).toThrow('npm run build:site -- prod');
  });
});

describe('the alarms of the site', () => {
  const alarms = (context: Readonly<Record<string, string>>) => {
    const { SiteAlarms } = synthesizeSiteStacks('prod', folder, context);
    return SiteAlarms && Object.fromEntries(ofType(SiteAlarms, 'AWS::CloudWatch::Alarm'));
  };

  test.each(['eu-central-1', 'us-east-1'])(
    'watch in us-east-1 what CloudFront counts there, for a site in %s',
    (region) => {
      const found = alarms({ region })!;
      expect(Object.keys(found)).toEqual([
        'SiteServerErrorsAlarm',
        'SiteViewerRequestErrorsAlarm',
        'SiteViewerRequestInvalidAlarm',
        'SiteViewerResponseErrorsAlarm',
        'SiteViewerResponseInvalidAlarm',
      ]);
      expect(found.SiteServerErrorsAlarm!.Properties).toMatchObject({
        Namespace: 'AWS/CloudFront',
        MetricName: '5xxErrorRate',
        Statistic: 'Average',
        Threshold: 5,
        TreatMissingData: 'notBreaching',
      });
      const [{ Value: distributionId }, { Value: global }] =
        found.SiteServerErrorsAlarm!.Properties.Dimensions;
      expect(distributionId['Fn::GetStackOutput']).toMatchObject({
        StackName: 'Kinora-prod-Site',
        Region: region,
      });
      expect(global).toBe('Global');
    },
  );

  test('know the functions by the names that they have', () => {
    const { Site, SiteAlarms } = synthesizeSiteStacks('prod', folder, { region: 'eu-central-1' });
    for (const id of ['SiteViewerRequest', 'SiteViewerResponse']) {
      const [{ Value }] = SiteAlarms!.Resources[`${id}ErrorsAlarm`]!.Properties.Dimensions;
      expect(Value).toBe(Site!.Resources[id]!.Properties.Name);
    }
  });

  test('are left out where the region is not named: no reference could say where the site is', () => {
    expect(alarms({})).toBeUndefined();
  });

  test('notify a topic of their own region, as CloudWatch demands', () => {
    const here = 'arn:aws:sns:us-east-1:123456789012:alarms';
    const elsewhere = 'arn:aws:sns:eu-central-1:123456789012:alarms';
    const region = 'eu-central-1';
    const actions = (context: Readonly<Record<string, string>>) =>
      Object.values(alarms({ region, ...context })!).map(({ Properties }) => Properties.AlarmActions?.[0]);
    expect(new Set(actions({ alarmTopicArn: elsewhere }))).toEqual(new Set([undefined]));
    expect(new Set(actions({ alarmTopicArn: here }))).toEqual(new Set([here]));
    expect(new Set(actions({ alarmTopicArn: elsewhere, siteAlarmTopicArn: here }))).toEqual(new Set([here]));
  });
});
