/** The documentation site: objects in S3, and CloudFront with the edge functions in front of them. */
import { CfnOutput, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import type { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { Environment } from '../environments.ts';
import { aliasRecords, cloudFrontZone } from '../shared/alias-records.ts';
import { stableId } from '../shared/names.ts';
import { contentBucket, logBucket } from './buckets.ts';
import { type BuiltSite, readBuiltSite } from './built-site.ts';
import { SiteDeployment } from './deployment.ts';
import { type EdgeFunctions, edgeFunctions, siteDistribution } from './distribution.ts';
import { accessTokenSha256, apiNamedByGateway, type Filling, siteNamedByCloudFront } from './placeholders.ts';

interface SiteStackProps extends StackProps {
  readonly environment: Environment;
  readonly apiUrl: string;
  /** Default: `build/site/<env>`. */
  readonly siteFolder?: string;
}

export class SiteStack extends Stack {
  /** Origin of the site, without a trailing slash. */
  readonly url: string;
  readonly distribution: Distribution;
  readonly functions: EdgeFunctions;
  readonly logsArn: string;

  constructor(scope: Construct, id: string, props: SiteStackProps) {
    super(scope, id, props);
    const { environment } = props;
    const { domain } = environment.site;
    const site = readBuiltSite(environment, props.siteFolder);
    const logs = logBucket(this);
    // Another region refers to this ARN. The ARN of the construct would need a fixed name, and this attribute does not.
    this.logsArn = (logs.node.defaultChild as CfnBucket).attrArn;
    const content = contentBucket(this, environment, logs);
    const deployment = new SiteDeployment(this, 'Deployment', { environment, site, content });
    const api = { [apiNamedByGateway]: props.apiUrl };

    this.functions = edgeFunctions(this, site, { ...api, ...this.access(environment, deployment) });
    this.distribution = siteDistribution(this, { environment, site, content, functions: this.functions });
    const { distributionDomainName } = this.distribution;
    this.url = `https://${domain?.name ?? distributionDomainName}`;
    // The name is exported even with a custom domain. Without one, the API uses the export, and CloudFormation cannot
    // remove an export in use when a domain is added.
    this.exportValue(distributionDomainName);
    const objects = deployment.objects(fillingOf(site, { ...api, [siteNamedByCloudFront]: this.url }));
    if (domain !== undefined) {
      for (const edgeFunction of Object.values(this.functions)) edgeFunction.node.addDependency(objects);
    }
    deployment.releaseTo(this.distribution, objects);
    if (domain?.hostedZoneId !== undefined) {
      const names = [domain.name, ...(domain.alternateNames ?? [])];
      const target = { name: distributionDomainName, zoneId: cloudFrontZone };
      aliasRecords(this, 'Site', { hostedZoneId: domain.hostedZoneId, names, target });
    }

    // The target of the DNS records of the site.
    new CfnOutput(this, 'SiteDistributionDomain', { value: distributionDomainName });
    new CfnOutput(this, 'SiteUrl', { value: this.url });
    new CfnOutput(this, 'SiteContentBucket', { value: content.bucketName });
  }

  /** Returns the digest of the access token for the edge functions. Empty for a public site. */
  private access({ site: { access } }: Environment, deployment: SiteDeployment): Filling {
    if (access === 'public') return {};
    const secret = accessSecret(this);
    new CfnOutput(this, 'SiteAccessSecret', {
      value: secret.secretArn,
      description:
        'Holds the token that opens the site, as the cookie kinora-preview or the header x-kinora-preview: ' +
        'aws secretsmanager get-secret-value --query SecretString --secret-id <this>',
    });
    return { [accessTokenSha256]: deployment.digestOf(secret) };
  }
}

const fillingOf = ({ hosts }: BuiltSite, values: Filling): Filling =>
  Object.fromEntries(
    Object.entries(values).filter(([placeholder]) => [hosts.baseUrl, hosts.apiUrl].includes(placeholder)),
  );

/** The length of the token: 190 bits of letters and digits, which need no escaping in a cookie. */
const TOKEN_LENGTH = 32;

/** Creates the secret with the token that gives access to a private site. The first deployment generates the token. */
function accessSecret(scope: Construct): Secret {
  const secret = new Secret(scope, 'AccessToken', {
    description: 'Opens the documentation site of an environment that is not public',
    generateSecretString: { passwordLength: TOKEN_LENGTH, excludePunctuation: true },
    removalPolicy: RemovalPolicy.DESTROY,
  });
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason: 'Readers keep the token in a cookie; another one is made by replacing the secret and deploying.',
  });
  return stableId(secret, 'SiteAccessToken');
}
