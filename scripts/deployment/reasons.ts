/** Why CloudFormation could not make or change something, as it says it, with what helps. */

/** By what `ResourceStatusReason` says; the first that fits counts. `{env}` is the environment's name. */
const cures: readonly (readonly [fits: RegExp, cure: string])[] = [
  [
    /'MemorySize' value failed to satisfy constraint/,
    'The account gives its functions less memory: set quotas.lambdaMemory in environments/{env}.ts to the number that the message names, or ask AWS Support for more.',
  ],
  [
    /UnreservedConcurrentExecution/i,
    'The account has too few concurrent executions of Lambda to reserve any: set quotas.lambdaConcurrency in environments/{env}.ts to what it has (npm run doctor -- {env} says it), or have it raised.',
  ],
  [
    /TooManyRequests|Rate exceeded|ConflictException|Throttl/i,
    'AWS was busy with the requests before: run the command again, it goes on where it stopped.',
  ],
  [
    /ARM_CONTAINER|environment type .* is not supported/i,
    'CodeBuild has no arm64 in this region: name another in environments/{env}.ts (docs/deploying.md lists them).',
  ],
  [
    /CNAMEAlreadyExists|already associated with a different resource/i,
    'Another CloudFront distribution answers for this name: take it off there, or name another in environments/{env}.ts.',
  ],
  [
    // https://github.com/aws-samples/aws-cdk-examples/issues/279
    /account must be verified before you can add new CloudFront/i,
    'AWS has not let this account make anything in CloudFront yet: open a case with AWS Support (it costs nothing) that quotes the message. Until then site.elsewhere in environments/{env}.ts deploys the rest.',
  ],
  [
    // https://github.com/aws-samples/aws-secure-environment-accelerator/issues/982
    /Cannot have more than \d+ builds in queue/i,
    'AWS has not let this account build in CodeBuild yet: ask Service Quotas, or AWS Support, for "Concurrently running builds for ARM/Small environment".',
  ],
  [
    // https://docs.aws.amazon.com/cost-management/latest/userguide/ce-enable.html
    /not enabled for cost explorer|AnomalyMonitor|cost allocation tag/i,
    'Cost Explorer is not on, or this is a member of an organization: leave costAnomalies out of environments/{env}.ts.',
  ],
  [
    /certificate/i,
    'npm run doctor -- {env} says what is wrong with the certificate: its region, its state or its names.',
  ],
  [
    /already exists/i,
    'It is left from an earlier deployment: npm run destroy -- {env} removes what is left, then deploy again.',
  ],
  [
    /quota|limit exceeded|LimitExceeded|maximum number|Cannot exceed/i,
    'A quota of the account is reached: console, Service Quotas, has it raised; npm run doctor -- {env} says which are near.',
  ],
  [
    /not authorized|AccessDenied|explicit deny/i,
    'The role of the CDK’s bootstrap may not do this: bootstrap again (npx cdk bootstrap), or have the organization’s service control policy changed.',
  ],
  [
    /BucketNotEmpty|bucket you tried to delete is not empty/i,
    'Something was written while it was deleted: run the command again.',
  ],
  [
    /Build.*(failed|FAILED)|CodeBuild/,
    'The image of the media steps could not be built: docs/runbooks.md, "Media image does not build", says where its log is.',
  ],
  [
    /did not stabilize|NotStabilized|timed out|Exceeded attempts/i,
    'AWS took longer than it gives itself: run the command again.',
  ],
];

export function cureOf(reason: string, environment: string): string {
  const found = cures.find(([fits]) => fits.test(reason));
  const cure =
    found?.[1] ?? 'The message is that of the service; the console shows it at the stack, under Events.';
  return cure.replaceAll('{env}', environment);
}

/** What CloudFormation says of resources that it gave up because another had failed. */
export const isFollowUp = (reason: string): boolean =>
  /cancelled|canceled|Rollback requested by user|The following resource\(s\) failed/i.test(reason);
