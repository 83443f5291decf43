/**
 * The response headers policy. Sorts the headers of the build into those with a setting of CloudFront, and custom ones.
 */
import { Duration } from 'aws-cdk-lib';
import { type HeadersReferrerPolicy, ResponseHeadersPolicy } from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import type { Environment } from '../environments.ts';
import { globalName } from '../shared/global-name.ts';
import { stableId } from '../shared/logical-id.ts';
import type { DistributionSettings } from './built-site.ts';

/** Headers that CloudFront does not accept as custom headers. */
const own = [
  'content-security-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
];

export function responseHeadersPolicy(
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
