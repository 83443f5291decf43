/** Known reasons why CloudFormation cannot create or change a resource, and how to fix each. */

/** Matched against the output of the CDK; the first match counts. `{env}` is the environment's name. */
const cures: readonly (readonly [reason: RegExp, cure: string])[] = [
  [
    /'MemorySize' value failed to satisfy constraint/,
    'The account allows less memory for a function. Set quotas.lambdaMemory in environments/{env}.ts to the number in the message, or ask AWS Support for more.',
  ],
  [
    /UnreservedConcurrentExecution/i,
    'The account has too few concurrent executions of Lambda to reserve any. Set quotas.lambdaConcurrency in environments/{env}.ts to the number that npm run doctor -- {env} shows, or request a higher quota.',
  ],
  [
    /TooManyRequests|Rate exceeded|ConflictException|Throttl/i,
    'AWS throttled the requests. Run the command again; it continues where it stopped.',
  ],
  [
    /ARM_CONTAINER|environment type .* is not supported/i,
    'CodeBuild has no arm64 in this region. Choose another region in environments/{env}.ts (docs/deploying.md lists them).',
  ],
  [
    /CNAMEAlreadyExists|already associated with a different resource/i,
    'Another CloudFront distribution uses this domain name. Remove it there, or choose another name in environments/{env}.ts.',
  ],
  [
    // https://github.com/aws-samples/aws-cdk-examples/issues/279
    /account must be verified before you can add new CloudFront/i,
    'AWS has not verified this account for CloudFront. Open a case with AWS Support (free) that quotes the message. Until then, site.elsewhere in environments/{env}.ts deploys everything else.',
  ],
  [
    // https://github.com/aws-samples/aws-secure-environment-accelerator/issues/982
    /Cannot have more than \d+ builds in queue/i,
    'AWS has not enabled CodeBuild for this account. Ask Service Quotas or AWS Support for "Concurrently running builds for ARM/Small environment".',
  ],
  [
    // https://docs.aws.amazon.com/cost-management/latest/userguide/ce-enable.html
    /not enabled for cost explorer|AnomalyMonitor|cost allocation tag/i,
    'Cost Explorer is off, or the account is a member of an organization. Remove costAnomalies from environments/{env}.ts.',
  ],
  [
    /certificate/i,
    'npm run doctor -- {env} shows what is wrong with the certificate: its region, its state or its names.',
  ],
  [
    /already exists/i,
    'The resource is left from an earlier deployment. Run npm run destroy -- {env} to remove it, then deploy again.',
  ],
  [
    /quota|limit exceeded|LimitExceeded|maximum number|Cannot exceed/i,
    'The account has reached a quota. Request more in the console under Service Quotas; npm run doctor -- {env} shows which quotas are near.',
  ],
  [
    /not authorized|AccessDenied|explicit deny/i,
    'The role of the CDK bootstrap may not do this. Bootstrap again (npx cdk bootstrap), or change the service control policy of the organization.',
  ],
  [
    /Build.*(failed|FAILED)|CodeBuild/,
    'The container image of the media steps could not be built. docs/runbooks.md, "Media image does not build", names its log.',
  ],
  [
    /did not stabilize|NotStabilized|timed out|Exceeded attempts/i,
    'AWS took longer than its time limit. Run the command again.',
  ],
];

/** How to fix the failure that this output describes; null if the reason is unknown. */
export function cureOf(output: string, environment: string): string | null {
  const found = cures.find(([reason]) => reason.test(output));
  return found === undefined ? null : found[1].replaceAll('{env}', environment);
}
