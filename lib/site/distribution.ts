/** CloudFront before the bucket, with the two edge functions on every request. */
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
  HttpVersion,
  PriceClass,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { stableId } from '../shared/logical-id.ts';
import type { BuiltSite } from './built-site.ts';
import { responseHeadersPolicy } from './response-headers.ts';

export interface SiteDistributionProps {
  readonly site: BuiltSite;
  readonly content: IBucket;
  readonly logs: IBucket;
  readonly functions: EdgeFunctions;
  /**
   * The certificate for every host of the site, in us-east-1; without one only CloudFront's own name answers.
   */
  readonly certificateArn: string | undefined;
}

export interface EdgeFunctions {
  readonly viewerRequest: EdgeFunction;
  readonly viewerResponse: EdgeFunction;
}

export function edgeFunctions(scope: Construct, site: BuiltSite): EdgeFunctions {
  const make = (id: string, comment: string, code: string) =>
    stableId(
      new EdgeFunction(scope, id, {
        comment,
        code: FunctionCode.fromInline(code),
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
  const { site, content, logs, functions, certificateArn } = props;
  const distribution = new Distribution(scope, 'Distribution', {
    comment: `Kinora site, ${site.hosts.host}`,
    defaultBehavior: {
      // Leave to list makes a key that does not exist a 404 rather than a 403.
      origin: S3BucketOrigin.withOriginAccessControl(content, {
        originAccessLevels: [AccessLevel.READ, AccessLevel.LIST],
      }),
      // If fewer were allowed, CloudFront would answer the others itself, with 403 and HTML.
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: cachePolicy(scope),
      compress: true,
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      responseHeadersPolicy: responseHeadersPolicy(scope, site.settings),
      functionAssociations: [
        { function: functions.viewerRequest, eventType: FunctionEventType.VIEWER_REQUEST },
        { function: functions.viewerResponse, eventType: FunctionEventType.VIEWER_RESPONSE },
      ],
    },
    defaultRootObject: site.settings.defaultRootObject,
    // A 403 is viewer-request's word and must stay one.
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
    enableLogging: true,
    logBucket: logs,
    logFilePrefix: 'cloudfront/',
    ...customDomain(scope, site, certificateArn),
  });
  acknowledgeRules(distribution, certificateArn !== undefined);
  return stableId(distribution, 'SiteDistribution');
}

/**
 * Neither Accept nor cookies nor the query are in the key: viewer-request has chosen an object by then. Objects say
 * themselves how long CloudFront keeps them; a minute at least, so that nobody can make every miss a read of S3.
 */
function cachePolicy(scope: Construct): CachePolicy {
  const policy = new CachePolicy(scope, 'Cache', {
    comment: 'Objects of the Kinora site',
    minTtl: Duration.minutes(1),
    defaultTtl: Duration.days(1),
    maxTtl: Duration.days(365),
    enableAcceptEncodingBrotli: true,
    enableAcceptEncodingGzip: true,
  });
  return stableId(policy, 'SiteCache');
}

function customDomain(
  scope: Construct,
  { hosts }: BuiltSite,
  certificateArn: string | undefined,
): Pick<DistributionProps, 'certificate' | 'domainNames' | 'minimumProtocolVersion'> {
  if (certificateArn === undefined) return {};
  return {
    certificate: Certificate.fromCertificateArn(scope, 'Certificate', certificateArn),
    domainNames: [hosts.host, ...hosts.alternateHosts],
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
