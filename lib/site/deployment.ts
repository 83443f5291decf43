/**
 * The order of a deployment: objects, functions, invalidation, deletion of old objects. If objects contain the domain that CloudFront
 * assigns, the objects are uploaded after the functions. Then readers may get links to new pages some seconds before these pages exist.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CustomResource, Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { Policy, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { Environment } from '../environments.ts';
import { namesInFindings } from '../shared/findings.ts';
import { logGroup } from '../shared/log-group.ts';
import { stableId } from '../shared/names.ts';
import { pack } from './archive.ts';
import type { BuiltSite } from './built-site.ts';
import type { DeploymentProperties } from './deployer/handler.ts';
import type { Filling } from './placeholders.ts';

interface SiteDeploymentProps {
  readonly environment: Environment;
  readonly site: BuiltSite;
  readonly content: IBucket;
}

/** In seconds. A few hundred small objects take ten seconds. */
const TIMEOUT_S = 300;

export class SiteDeployment extends Construct {
  private readonly props: SiteDeploymentProps;
  private readonly archive: Buffer;
  private readonly role: Role;
  private readonly deployer: LambdaFunction;
  private readonly asset: Asset;

  constructor(scope: Construct, id: string, props: SiteDeploymentProps) {
    super(scope, id);
    this.props = props;
    this.archive = pack(props.site.objects());
    this.asset = new Asset(this, 'Archive', { path: writeArchive(this.archive) });
    const { environment } = props;
    const logs = logGroup(this, 'SiteDeployerLogs', `/kinora/${environment.name}/SiteDeployer`, environment);
    this.role = this.makeRole(this.asset, logs);
    this.deployer = this.makeDeployer(logs);
  }

  /** Returns the SHA-256 of the token in the secret, in hexadecimal. */
  digestOf(secret: Secret): string {
    const permission = new Policy(this, 'Access', {
      roles: [this.role],
      statements: [
        new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secret.secretArn] }),
      ],
    });
    const access = this.step('SiteAccess', { Step: 'access', Secret: secret.secretArn });
    access.node.addDependency(stableId(permission, 'SiteAccessPolicy'));
    return access.getAttString('Sha256');
  }

  /** Uploads the objects, and replaces the placeholders of the build. */
  objects(filling: Filling): CustomResource {
    return this.step('SiteObjects', {
      Step: 'objects',
      SiteBucket: this.props.content.bucketName,
      ArchiveBucket: this.asset.s3BucketName,
      ArchiveKey: this.asset.s3ObjectKey,
      Filling: Object.entries(filling).map(([Placeholder, Value]) => ({ Placeholder, Value })),
      EmptyOnDelete: String(this.props.environment.removal === RemovalPolicy.DESTROY),
    });
  }

  /** Invalidates the cache and deletes old objects. Runs when the distribution has the new functions and objects. */
  releaseTo(distribution: Distribution, objects: CustomResource): void {
    const { account, partition } = distribution.stack;
    const arn = `arn:${partition}:cloudfront::${account}:distribution/${distribution.distributionId}`;
    // A separate policy: if it were part of the role, the distribution would depend on itself.
    const permission = new Policy(this, 'Invalidation', {
      roles: [this.role],
      statements: [new PolicyStatement({ actions: ['cloudfront:CreateInvalidation'], resources: [arn] })],
    });
    stableId(permission, 'SiteInvalidationPolicy');
    const release = this.step('SiteRelease', {
      Step: 'release',
      SiteBucket: this.props.content.bucketName,
      DistributionId: distribution.distributionId,
      Release: this.digest(),
    });
    release.node.addDependency(distribution, permission, objects);
  }

  private step(id: string, properties: DeploymentProperties): CustomResource {
    const resource = new CustomResource(this, id, {
      resourceType: `Custom::${id}`,
      serviceToken: this.deployer.functionArn,
      serviceTimeout: Duration.seconds(TIMEOUT_S),
      properties,
    });
    return stableId(resource, id);
  }

  /** Returns a hash of all files and settings that a viewer can notice. */
  private digest(): string {
    const { viewerRequest, viewerResponse, settings } = this.props.site;
    return createHash('sha256')
      .update(this.archive)
      .update(viewerRequest)
      .update(viewerResponse)
      .update(JSON.stringify(settings))
      .digest('hex');
  }

  private makeRole(archive: Asset, logGroup: LogGroup): Role {
    const { content } = this.props;
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: {
        Permissions: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
              resources: [logGroup.logGroupArn],
            }),
            // Allows reading every archive. If it changed with each archive, the new permission would not reach S3 in time.
            new PolicyStatement({
              actions: ['s3:GetObject'],
              resources: [archive.bucket.arnForObjects('*.bin')],
            }),
            new PolicyStatement({ actions: ['s3:ListBucket'], resources: [content.bucketArn] }),
            new PolicyStatement({
              actions: ['s3:DeleteObject', 's3:GetObject', 's3:PutObject'],
              resources: [content.arnForObjects('*')],
            }),
          ],
        }),
      },
    });
    acknowledgeWildcards(role);
    return stableId(role, 'SiteDeployerRole');
  }

  private makeDeployer(logGroup: LogGroup): LambdaFunction {
    const { environment, site } = this.props;
    const deployer = new LambdaFunction(this, 'Deployer', {
      description: 'Uploads the site, invalidates CloudFront and prunes what is old',
      runtime: Runtime.NODEJS_24_X,
      handler: 'index.handler',
      code: Code.fromAsset(site.deployer),
      architecture: environment.architecture,
      memorySize: 512,
      timeout: Duration.seconds(TIMEOUT_S),
      role: this.role,
      logGroup,
    });
    return stableId(deployer, 'SiteDeployer');
  }
}

function acknowledgeWildcards(role: Role): void {
  const { partition, account, region } = namesInFindings(role.stack);
  const archives = `arn:${partition}:s3:::cdk-hnb659fds-assets-${account}-${region}/*.bin`;
  Validations.of(role).acknowledge(
    {
      id: 'AwsSolutions-IAM5[Resource::<SiteContent.Arn>/*]',
      reason: 'The deployer puts and removes every object of this bucket, and of no other bucket.',
    },
    {
      id: `AwsSolutions-IAM5[Resource::${archives}]`,
      reason: 'Archives of the site are named by their content, which differs in every deployment.',
    },
  );
}

/** Writes the archive to a file. The asset is identified by its content, and the file name has no meaning. */
function writeArchive(archive: Buffer): string {
  const folder = join(tmpdir(), 'kinora-site-archives');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${createHash('sha256').update(archive).digest('hex')}.bin`);
  writeFileSync(file, archive);
  return file;
}
