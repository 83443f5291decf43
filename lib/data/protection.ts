/**
 * CloudFront in front of the API, for environments with a firewall: AWS WAF cannot protect an HTTP API directly. Only environments
 * with `protection` have it (docs/decisions/0062-waf-and-cloudfront.md lists the costs).
 */
import {
  CfnOutput,
  CrossStackReferences,
  Duration,
  Fn,
  ReferenceStrength,
  RemovalPolicy,
  SecretValue,
  Stack,
  Validations,
} from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  PriceClass,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { ApiDomain, ProtectionSettings } from '../environments.ts';
import { aliasRecords, cloudFrontZone } from '../shared/alias-records.ts';
import { stableId } from '../shared/names.ts';

interface ProtectionProps {
  readonly settings: ProtectionSettings;
  /** The execute-api host of the API. CloudFront uses it if the settings name no origin. */
  readonly host: string;
  readonly domain: ApiDomain | undefined;
  readonly webAclArn: string;
}

interface Protection {
  /** The domain name that CloudFront gives to the distribution. */
  readonly name: string;
  /** The ARN of the secret that functions expect in the header. `filledIn()` reads its value. */
  readonly secretArn: string;
}

/** The header with the secret. After a change of the secret, it also contains the previous one. `platform/kernel/edge-only.ts` reads it. */
const header = 'X-Kinora-Edge';

export function protection(scope: Construct, props: ProtectionProps): Protection {
  const { origin, generation = 0 } = props.settings;
  const secret = edgeSecret(scope, generation);
  const sent = [secret, ...(generation > 0 ? [edgeSecret(scope, generation - 1)] : [])];
  const distribution = new Distribution(scope, 'EdgeDistribution', {
    comment: 'Kinora API, behind its firewall',
    defaultBehavior: {
      origin: new HttpOrigin(origin?.name ?? props.host, {
        protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
        // Sends the previous secret, too. Functions expect it until their stack is deployed, which comes after this stack.
        customHeaders: { [header]: sent.map(({ secretArn }) => filledIn(secretArn)).join(',') },
        // API Gateway waits at most 30 s for a function, and then answers. CloudFront must wait longer.
        readTimeout: Duration.seconds(35),
      }),
      allowedMethods: AllowedMethods.ALLOW_ALL,
      // CloudFront caches nothing, because answers depend on the API key.
      cachePolicy: CachePolicy.CACHING_DISABLED,
      // Forwards every header except Host, because API Gateway uses Host to find the API.
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    },
    httpVersion: HttpVersion.HTTP2_AND_3,
    priceClass: PriceClass.PRICE_CLASS_100,
    webAclId: props.webAclArn,
    ...named(scope, props),
  });
  mayGo(distribution);
  acknowledge(distribution, props.settings.certificateArn !== undefined);
  const { distributionDomainName: name } = stableId(distribution, 'EdgeDistribution');
  const { hostedZoneId, name: own } = props.domain ?? {};
  const target = { name, zoneId: cloudFrontZone };
  if (hostedZoneId !== undefined) aliasRecords(scope, 'Api', { hostedZoneId, names: [own!], target });
  // If your DNS is not in Route 53, add a CNAME record from the domain of the API to this name.
  new CfnOutput(Stack.of(scope), 'EdgeDistributionDomain', { value: name });
  return { name, secretArn: secret.secretArn };
}

/**
 * Returns a dynamic reference to the secret. CloudFormation fills in the value, so no template contains it. People with access to
 * CloudFront's configuration or to the variables of functions can see the value.
 */
export const filledIn = (secretArn: string): string =>
  SecretValue.unsafePlainText(
    Fn.join('', ['{{resolve:secretsmanager:', secretArn, ':SecretString}}']),
  ).unsafeUnwrap();

/** The secret between CloudFront and the API: 43 characters, 256 bits. */
function edgeSecret(scope: Construct, generation: number): Secret {
  const id = `EdgeSecret${generation || ''}`;
  const secret = new Secret(scope, id, {
    description: 'Secret that CloudFront sends to the API, which refuses requests without it',
    generateSecretString: { passwordLength: 43, excludePunctuation: true },
    removalPolicy: RemovalPolicy.DESTROY,
  });
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason: 'It is made anew by the next `generation`; both of its users change in one deployment.',
  });
  stableId(secret, id);
  mayGo(secret);
  return secret;
}

/** Makes references weak. Settings may remove or replace the distribution, which is not possible while another stack uses an export. */
const mayGo = (construct: Construct) => CrossStackReferences.of(construct).produce(ReferenceStrength.WEAK);

function named(scope: Construct, { domain, settings: { certificateArn } }: ProtectionProps) {
  if (domain === undefined) return {};
  if (certificateArn === undefined)
    throw new Error(`protection needs certificateArn, of a certificate for ${domain.name} in us-east-1`);
  return {
    certificate: Certificate.fromCertificateArn(scope, 'EdgeCertificate', certificateArn),
    domainNames: [domain.name],
    minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
  };
}

function acknowledge(distribution: Distribution, hasCertificate: boolean): void {
  const rules = Validations.of(distribution);
  rules.acknowledge(
    { id: 'AwsSolutions-CFR1', reason: 'The API is for callers in every country; keys say who may call.' },
    {
      id: 'AwsSolutions-CFR3',
      reason: 'The gateway behind it logs each request without addresses, which CloudFront would keep.',
    },
  );
  if (hasCertificate) return;
  rules.acknowledge({
    id: 'AwsSolutions-CFR4',
    reason: 'Without a certificate only the name of CloudFront answers, whose TLS settings are its own.',
  });
}
