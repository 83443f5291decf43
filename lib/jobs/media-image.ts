/**
 * The container image of the steps that run ffmpeg: Debian's build with its security updates, as on a laptop. CodeBuild
 * builds it during deployment, so neither deployment nor synthesis needs Docker (docs/decisions/0036-media-image.md).
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ContainerImageBuild } from '@cdklabs/deploy-time-build';
import { type CfnResource, Duration, FileSystem, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { type CfnProject, Project } from 'aws-cdk-lib/aws-codebuild';
import { Repository, TagMutability } from 'aws-cdk-lib/aws-ecr';
import { Platform } from 'aws-cdk-lib/aws-ecr-assets';
import { Code, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import type { Asset } from 'aws-cdk-lib/aws-s3-assets';
import type { Construct, IConstruct } from 'constructs';
import type { Environment } from '../environments.ts';
import { filled, namesInFindings } from '../shared/findings.ts';
import type { FunctionImage } from '../shared/function.ts';
import { logGroup } from '../shared/log-group.ts';
import { stableId } from '../shared/names.ts';

const folder = join(import.meta.dirname, '..', '..', 'build', 'images', 'media');

/** The number of images in the repository: the current one, and those of previous deployments. */
const KEPT_IMAGES = 5;
/**
 * The time limit of a build. A build should take about 5 minutes (not measured). Without a limit, a build that hangs would block
 * its deployment for an hour.
 */
const BUILD_TIMEOUT = Duration.minutes(20);

export function mediaImage(scope: Construct, environment: Environment): FunctionImage {
  if (!existsSync(folder))
    throw new Error('There is no media image: `npm run build` stages build/images/media');
  const repository = imageRepository(scope);
  const { packagesOf } = environment;
  const build = new ContainerImageBuild(scope, 'MediaImage', {
    directory: folder,
    repository,
    // The same content always has the same tag, so that a repeated or reverted deployment finds its image.
    tag: FileSystem.fingerprint(folder, { extraHash: packagesOf }).slice(0, 32),
    platform: Platform.LINUX_ARM64,
    buildArgs: { PACKAGES_OF: packagesOf },
  });
  bound(build, environment);
  acknowledge(build);
  return {
    codeOf: (id) =>
      Code.fromEcrImage(repository, {
        tagOrDigest: build.imageTag,
        cmd: [`functions/${id}/index.handler`],
      }),
    source: build.node.findChild('Source') as Asset,
  };
}

/** Replaces the repository that the library would create. In this one, tags are immutable and unused images expire. */
function imageRepository(scope: Construct): Repository {
  const repository = new Repository(scope, 'MediaImages', {
    imageTagMutability: TagMutability.IMMUTABLE,
    imageScanOnPush: true,
    // Images can be rebuilt.
    removalPolicy: RemovalPolicy.DESTROY,
    emptyOnDelete: true,
    lifecycleRules: [{ description: `The last ${KEPT_IMAGES} images`, maxImageCount: KEPT_IMAGES }],
  });
  return stableId(repository, 'MediaImages');
}

/** Sets what the library does not set: the time-out of the build, the retention of logs, and readable ids. */
function bound(build: ContainerImageBuild, environment: Environment): void {
  const { project, trigger, resource } = partsOf(build);
  // The default log group of CodeBuild. The message about a failed build links to it.
  const name = `/aws/codebuild/${project.projectName}`;
  const projectLogs = logGroup(build, 'MediaImageProjectLogs', name, environment);
  // The log groups must exist before the first build or run. Otherwise, CodeBuild and Lambda create them, and CloudFormation fails
  // because the names are used.
  resource.node.addDependency(projectLogs, trigger.logGroup);

  cfnOf<CfnProject>(project).timeoutInMinutes = BUILD_TIMEOUT.toMinutes();
  cfnOf(project).addPropertyOverride('Source.BuildSpec', JSON.stringify(buildSpec));
  cfnOf<CfnLogGroup>(trigger.logGroup).retentionInDays = environment.logRetention;
  cfnOf(trigger.logGroup).applyRemovalPolicy(RemovalPolicy.DESTROY);
  const answered = BUILD_TIMEOUT.plus(Duration.minutes(5)).toSeconds();
  cfnOf(resource).addPropertyOverride('ServiceTimeout', String(answered));

  stableId(resource, 'MediaImage');
  stableId(project, 'MediaImageProject');
  stableId(project.role!, 'MediaImageProjectRole');
  stableId(trigger, 'MediaImageTrigger');
  stableId(trigger.role!, 'MediaImageTriggerRole');
  stableId(trigger.logGroup, 'MediaImageTriggerLogs');
}

const retried = 'retry() { for pause in 5 20 60; do "$@" && return; sleep "$pause"; done; "$@"; }';

/** Builds and pushes the image, unless the repository has its tag. The library would push to an existing tag, which fails. */
const buildAndPush = `${retried}
image="$repositoryUri:$imageTag"
if aws ecr describe-images --region "$repositoryRegion" --repository-name "\${repositoryUri#*/}" --image-ids "imageTag=$imageTag"
then echo "$image exists"
else
  mkdir workdir && cd workdir &&
  retry aws s3 cp "$sourceS3Url" temp.zip && unzip -q temp.zip &&
  aws ecr get-login-password --region "$repositoryRegion" | docker login --username AWS --password-stdin "$repositoryAuthUri" &&
  { aws ecr-public get-login-password --region us-east-1 | docker login --username AWS --password-stdin public.ecr.aws || true; } &&
  retry eval "$buildCommand" &&
  docker tag "artifact:$imageTag" "$image" &&
  retry docker push "$image"
fi`;

/**
 * Answers CloudFormation. In the library's answer, the reason of a failure has a line break inside a JSON string. CloudFormation
 * does not accept that answer, and waits until its time-out (CloudFormation User Guide, "Custom resource response objects").
 */
const answer = `${retried}
status=SUCCESS reason=Built
if [ "$CODEBUILD_BUILD_SUCCEEDING" -ne 1 ]
then status=FAILED reason="The image could not be built. Log: /aws/codebuild/$projectName, stream $CODEBUILD_LOG_PATH, in $AWS_REGION"
fi
printf '{"StackId":"%s","RequestId":"%s","LogicalResourceId":"%s","PhysicalResourceId":"%s","Status":"%s","Reason":"%s","Data":{"ImageTag":"%s"}}' \
  "$stackId" "$requestId" "$logicalResourceId" "$imageTag" "$status" "$reason" "$imageTag" > payload.json
retry curl --fail --silent --show-error -X PUT -H 'Content-Type:' --data-binary @payload.json "$responseURL"`;

const buildSpec = {
  version: '0.2',
  phases: { build: { commands: [buildAndPush] }, post_build: { commands: [answer] } },
};

/** Returns the project and the starter function. The library creates them once for each stack, as children of the stack. */
function partsOf(build: ContainerImageBuild) {
  const { children } = Stack.of(build).node;
  const project = children.find((child) => child instanceof Project)!;
  const trigger = children.find(({ node }) => node.id.startsWith('DeployTimeBuildCustomResourceHandler'));
  return { project, trigger: trigger as LambdaFunction, resource: build.node.findChild('Resource') };
}

const cfnOf = <Resource extends CfnResource>({ node }: IConstruct) => node.defaultChild as Resource;

function acknowledge(build: ContainerImageBuild): void {
  const { project, trigger } = partsOf(build);
  const names = namesInFindings(Stack.of(build));
  Validations.of(project).acknowledge(
    {
      id: 'AwsSolutions-CB4',
      reason: 'The build has no artifacts that a key could encrypt; its image lies in the repository.',
    },
    {
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/AmazonElasticContainerRegistryPublicReadOnly]',
      reason: 'Pulls the public base image as the account, since strangers may pull less often.',
    },
    ...Object.entries(projectWildcards).map(([finding, reason]) => ({
      id: `AwsSolutions-IAM5[${filled(finding, names)}]`,
      reason,
    })),
  );
  Validations.of(trigger).acknowledge(
    {
      id: 'AwsSolutions-L1',
      reason:
        'The library tests its function on the runtime that it names; it runs during deployments alone.',
    },
    {
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
      reason: 'The library gives its function the policy for logs; it may start this one project besides.',
    },
  );
}

const assets = 'The library reads its sources from the CDK bucket of assets, whose keys are hashes.';

/** The reasons for the wildcards in the role of the project, by finding of cdk-nag. */
const projectWildcards: Readonly<Record<string, string>> = {
  'Resource::*': 'A login to the registry is given for the account, not for one of its repositories.',
  'Resource::arn:{partition}:logs:{region}:{account}:log-group:/aws/codebuild/<MediaImageProject>:*':
    'The streams of a log group are made by CodeBuild, one a build, under names of its own.',
  'Resource::arn:{partition}:codebuild:{region}:{account}:report-group/<MediaImageProject>-*':
    'The CDK lets every project write reports under its own name; this one writes none.',
  'Resource::arn:{partition}:s3:::cdk-hnb659fds-assets-{account}-{region}/*': assets,
  'Action::s3:GetBucket*': assets,
  'Action::s3:GetObject*': assets,
  'Action::s3:List*': assets,
};
