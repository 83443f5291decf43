/** The documentation site: objects in S3, CloudFront with the edge functions before them. */
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import type { Environment } from '../environments.ts';
import { contentBucket, logBucket } from './buckets.ts';
import { readBuiltSite } from './built-site.ts';
import { SiteDeployment } from './deployment.ts';
import { type EdgeFunctions, edgeFunctions, siteDistribution } from './distribution.ts';

export interface SiteStackProps extends StackProps {
  readonly environment: Environment;
  /** `build/site/<env>` when absent. */
  readonly siteFolder?: string;
}

/** `-c siteCertificateArn=…` names the certificate of the site's hosts; it lies in us-east-1. */
const certificateContext = 'siteCertificateArn';

export class SiteStack extends Stack {
  readonly distribution: Distribution;
  readonly functions: EdgeFunctions;

  constructor(scope: Construct, id: string, props: SiteStackProps) {
    super(scope, id, props);
    const { environment, siteFolder } = props;
    const site = readBuiltSite(environment, siteFolder);
    const logs = logBucket(this);
    const content = contentBucket(this, environment, logs);

    const functions = edgeFunctions(this, site);
    const deployment = new SiteDeployment(this, 'Deployment', { environment, site, content, functions });
    const certificateArn = this.node.tryGetContext(certificateContext) as string | undefined;
    const distribution = siteDistribution(this, { site, content, logs, functions, certificateArn });
    deployment.releaseTo(distribution);
    this.distribution = distribution;
    this.functions = functions;

    // Where the DNS records of the site's hosts point.
    new CfnOutput(this, 'SiteDistributionDomain', { value: distribution.distributionDomainName });
    new CfnOutput(this, 'SiteUrl', { value: site.hosts.baseUrl });
    new CfnOutput(this, 'SiteContentBucket', { value: content.bucketName });
  }
}
