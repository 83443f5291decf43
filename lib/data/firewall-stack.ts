/** The firewall of the API. A firewall for CloudFront is always in us-east-1. */
import { Stack, type StackProps } from 'aws-cdk-lib';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { globalRegion } from '../environment-checks.ts';
import type { Environment, ProtectionSettings } from '../environments.ts';
import { stableId } from '../shared/names.ts';

interface FirewallStackProps extends StackProps {
  readonly environment: Environment;
  readonly protection: ProtectionSettings;
}

/** Matches a Content-Length of 6,000,000 bytes or more (platform/kernel/body.ts). API Gateway may refuse such a body. */
const tooLong = '^([6-9][0-9]{6}|[0-9]{8,})$';

export class FirewallStack extends Stack {
  readonly webAcl: CfnWebACL;

  constructor(scope: Construct, id: string, { environment, protection, ...props }: FirewallStackProps) {
    super(scope, id, { ...props, env: { ...props.env, region: globalRegion } });
    this.webAcl = new CfnWebACL(this, 'ApiFirewall', {
      description: `Kinora ${environment.name}: what one address may send`,
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: visible('ApiFirewall'),
      customResponseBodies: {
        tooMany: problem(environment, {
          status: 429,
          code: 'rate_limited',
          title: 'Rate limited',
          detail: 'This address sends more than it may.',
        }),
        tooLarge: problem(environment, {
          status: 413,
          code: 'payload_too_large',
          title: 'Payload too large',
          detail: 'A request body holds less than 6000000 bytes here.',
        }),
      },
      rules: [
        {
          name: 'Rate',
          priority: 0,
          statement: {
            rateBasedStatement: {
              aggregateKeyType: 'IP',
              limit: protection.requestsPerFiveMinutes,
              evaluationWindowSec: 300,
            },
          },
          action: refusing(429, 'tooMany', [{ name: 'Retry-After', value: '300' }]),
          visibilityConfig: visible('Rate'),
        },
        {
          name: 'Length',
          priority: 1,
          statement: {
            regexMatchStatement: {
              fieldToMatch: { singleHeader: { Name: 'content-length' } },
              regexString: tooLong,
              textTransformations: [{ priority: 0, type: 'NONE' }],
            },
          },
          action: refusing(413, 'tooLarge'),
          visibilityConfig: visible('Length'),
        },
      ],
    });
    stableId(this.webAcl, 'ApiFirewall');
  }
}

const visible = (metricName: string) => ({
  cloudWatchMetricsEnabled: true,
  metricName,
  // No samples, because samples contain whole requests, including API keys.
  sampledRequestsEnabled: false,
});

const refusing = (
  responseCode: number,
  customResponseBodyKey: string,
  responseHeaders?: { name: string; value: string }[],
) => ({
  block: {
    customResponse: { responseCode, customResponseBodyKey, ...(responseHeaders && { responseHeaders }) },
  },
});

/**
 * Returns a problem (RFC 9457) as an answer of WAF. The most specific content type in WAF is application/json, and a request id is
 * not available. https://docs.aws.amazon.com/waf/latest/developerguide/customizing-the-response-for-blocked-requests.html
 */
function problem(
  { site }: Environment,
  {
    status,
    code,
    title,
    detail,
  }: { readonly status: number; readonly code: string; readonly title: string; readonly detail: string },
) {
  // A site without a custom domain is created after this stack, so its address is not known here.
  const origin = site.elsewhere ?? (site.domain && `https://${site.domain.name}`);
  const type = origin ? `${origin}/problems#${code.replaceAll('_', '-')}` : 'about:blank';
  return { contentType: 'APPLICATION_JSON', content: JSON.stringify({ type, title, status, detail, code }) };
}
