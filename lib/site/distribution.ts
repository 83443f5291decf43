/** CloudFront in front of the bucket. The two edge functions run for every request. */
import { Duration, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AccessLevel,
  AllowedMethods,
  CachePolicy,
  Distribution,
  type DistributionProps,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  type HeadersReferrerPolicy,
  HttpVersion,
  PriceClass,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { Environment, SiteDomain } from '../environments.ts';
import { globalName, stableId } from '../shared/names.ts';
import type { BuiltSite, DistributionSettings } from './built-site.ts';
import { type Filling, filled } from './placeholders.ts';

interface SiteDistributionProps {
  readonly environment: Environment;
  readonly site: BuiltSite;
  readonly content: IBucket;
  readonly functions: EdgeFunctions;
}

export interface EdgeFunctions {
  readonly viewerRequest: EdgeFunction;
  readonly viewerResponse: EdgeFunction;
}

/** @param filling values for the placeholders in the code of the functions */
export function edgeFunctions(scope: Construct, site: BuiltSite, filling: Filling): EdgeFunctions {
  const make = (id: string, comment: string, code: string) =>
    stableId(
      new EdgeFunction(scope, id, {
        comment,
        code: FunctionCode.fromInline(filled(code, filling)),
        runtime: FunctionRuntime.JS_2_0,
      }),
      id,
    );
  return {
    viewerRequest: make('SiteViewerRequest', 'Negotiates, redirects and refuses', site.viewerRequest),
    viewerResponse: make('SiteViewerResponse', 'Completes headers and status', site.viewerResponse),
  };
}

export function siteDistribution(scope: Construct, props: SiteDistributionProps): Distribution {
  const { environment, site, content, functions } = props;
  const { domain } = environment.site;
  const distribution = new Distribution(scope, 'Distribution', {
    comment: `Kinora ${environment.name}: the site${domain === undefined ? '' : `, ${domain.name}`}`,
    defaultBehavior: {
      // With the permission to list, S3 answers 404 instead of 403 for a missing key.
      origin: S3BucketOrigin.withOriginAccessControl(content, {
        originAccessControl: originAccess(scope, environment),
        originAccessLevels: [AccessLevel.READ, AccessLevel.LIST],
      }),
      // Allows all methods. Otherwise, CloudFront itself would answer some requests, with 403 and HTML.
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: cachePolicy(scope, environment),
      compress: true,
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      responseHeadersPolicy: responseHeadersPolicy(scope, environment, site.settings),
      functionAssociations: [
        { function: functions.viewerRequest, eventType: FunctionEventType.VIEWER_REQUEST },
        { function: functions.viewerResponse, eventType: FunctionEventType.VIEWER_RESPONSE },
      ],
    },
    defaultRootObject: site.settings.defaultRootObject,
    // There is no page for 403, because viewer-request itself answers 403.
    errorResponses: [
      {
        httpStatus: 404,
        responseHttpStatus: 404,
        responsePagePath: site.settings.errorDocument,
        ttl: Duration.minutes(1),
      },
    ],
    httpVersion: HttpVersion.HTTP2_AND_3,
    priceClass: PriceClass.PRICE_CLASS_100,
    ...(domain !== undefined && customDomain(scope, domain)),
  });
  acknowledgeRules(distribution, domain !== undefined);
  return stableId(distribution, 'SiteDistribution');
}

/**
 * The cache key contains no Accept header, cookies or query, because viewer-request has already chosen an object. Each object sets
 * its own time in the cache: at least a minute, so that attackers cannot turn every request into a read of S3.
 */
function cachePolicy(scope: Construct, environment: Environment): CachePolicy {
  const policy = new CachePolicy(scope, 'Cache', {
    cachePolicyName: globalName(environment, 'site'),
    comment: 'Objects of the Kinora site',
    minTtl: Duration.minutes(1),
    defaultTtl: Duration.days(1),
    maxTtl: Duration.days(365),
    enableAcceptEncodingBrotli: true,
    enableAcceptEncodingGzip: true,
  });
  return stableId(policy, 'SiteCache');
}

/** Lets only this distribution read the bucket. */
function originAccess(scope: Construct, environment: Environment): S3OriginAccessControl {
  const originAccessControlName = globalName(environment, 'site');
  return stableId(
    new S3OriginAccessControl(scope, 'OriginAccess', { originAccessControlName }),
    'SiteOriginAccess',
  );
}

function customDomain(
  scope: Construct,
  { name, alternateNames = [], certificateArn }: SiteDomain,
): Pick<DistributionProps, 'certificate' | 'domainNames' | 'minimumProtocolVersion'> {
  return {
    certificate: Certificate.fromCertificateArn(scope, 'Certificate', certificateArn),
    domainNames: [name, ...alternateNames],
    minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
  };
}

function acknowledgeRules(distribution: Distribution, hasCertificate: boolean): void {
  const rules = Validations.of(distribution);
  rules.acknowledge(
    {
      id: 'AwsSolutions-CFR1',
      reason: 'The site is public documentation, meant for readers in every country.',
    },
    {
      id: 'Annotation::@aws-cdk/aws-cloudfront-origins:listBucketSecurityRisk',
      reason:
        'The root has an object by default, and no query reaches the bucket: nothing can ask for the list.',
    },
    {
      id: 'AwsSolutions-CFR3',
      reason: 'Its log is delivered by CloudWatch Logs, which the rule does not see (docs/decisions/0055).',
    },
    {
      id: 'AwsSolutions-CFR2',
      reason: 'There is nothing behind but static objects: no input is stored, run or passed on to a server.',
    },
  );
  if (!hasCertificate) {
    rules.acknowledge({
      id: 'AwsSolutions-CFR4',
      reason: 'Without a certificate only the name of CloudFront answers, whose TLS settings are its own.',
    });
  }
}

/** Headers that CloudFront refuses as custom headers, because it has settings for them. */
const own = [
  'content-security-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
];

/** Divides the headers of the build into those for which CloudFront has a setting, and custom headers. */
function responseHeadersPolicy(
  scope: Construct,
  environment: Environment,
  settings: DistributionSettings,
): ResponseHeadersPolicy {
  const { responseHeaders, removedHeaders } = settings;
  const missing = own.filter((name) => responseHeaders[name] === undefined);
  if (missing.length > 0) throw new Error(`edge/distribution.json lacks ${missing.join(', ')}`);
  const transport = /^max-age=(\d+); includeSubDomains$/.exec(responseHeaders['strict-transport-security']!);
  if (transport === null)
    throw new Error('edge/distribution.json has a Strict-Transport-Security of another form');
  const policy = new ResponseHeadersPolicy(scope, 'Headers', {
    responseHeadersPolicyName: globalName(environment, 'site'),
    comment: 'Security headers of the Kinora site',
    securityHeadersBehavior: {
      contentSecurityPolicy: {
        contentSecurityPolicy: responseHeaders['content-security-policy']!,
        override: true,
      },
      contentTypeOptions: { override: true },
      referrerPolicy: {
        referrerPolicy: responseHeaders['referrer-policy'] as HeadersReferrerPolicy,
        override: true,
      },
      strictTransportSecurity: {
        accessControlMaxAge: Duration.seconds(Number(transport[1])),
        includeSubdomains: true,
        override: true,
      },
    },
    customHeadersBehavior: {
      customHeaders: Object.entries(responseHeaders)
        .filter(([header]) => !own.includes(header))
        .map(([header, value]) => ({ header, value, override: true })),
    },
    removeHeaders: [...removedHeaders],
  });
  return stableId(policy, 'SiteHeaders');
}
