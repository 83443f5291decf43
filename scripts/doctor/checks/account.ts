/** Checks of the account, the region and the environment's file. */
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { globalRegion, hasSites } from '../../../lib/environment-checks.ts';
import { defined } from '../../../shared/checked-access.ts';
import {
  type Bootstrap,
  bootstrapOf,
  isBootstrapped,
  NEEDED_BOOTSTRAP,
  stacksOf,
} from '../../deployment/stacks.ts';
import { check, doubtful, failing, type Judgement, well } from '../check.ts';

/** Whether the credentials work and belong to the right account. */
export const credentials = check({
  title: 'Credentials',
  read: async ({ regions: [aws] }) => defined(aws).sts.send(new GetCallerIdentityCommand({})),
  judge: ({ Account, Arn }, { name, region, environment: { account, deletionProtection } }) => {
    if (account === undefined && deletionProtection)
      return failing(
        `environments/${name}.ts protects its data, but any account may deploy it`,
        `Name its account in that file, for example the one of these credentials: account: '${Account}'.`,
      );
    if (account !== undefined && account !== Account)
      return failing(
        `they belong to the account ${Account}; environments/${name}.ts names ${account}`,
        'Use credentials of that account: set AWS_PROFILE, or sign in again.',
      );
    return well(`${Arn} in the account ${Account}; the region is ${region}`);
  },
});

/** Whether each region is bootstrapped for the CDK, in a recent version. */
export const bootstrap = check({
  title: 'Bootstrap',
  read: ({ regions }) =>
    Promise.all(regions.map(async (aws) => ({ region: aws.region, found: await bootstrapOf(aws) }))),
  judge: (all, { name }) => all.map(({ region, found }) => judgedBootstrap(region, found, name)),
});

function judgedBootstrap(region: string, found: Bootstrap, name: string): Judgement {
  const { version, status } = found;
  if (isBootstrapped(found)) return well(`version ${version} in ${region}`);
  const deploys = `npm run deploy -- ${name} bootstraps it, with credentials that may create roles. To bootstrap only: npx cdk bootstrap aws://ACCOUNT/${region}`;
  if (version === null) return doubtful(`${region} is not bootstrapped for the CDK yet`, deploys);
  if (version < NEEDED_BOOTSTRAP)
    return doubtful(`version ${version} in ${region}; version ${NEEDED_BOOTSTRAP} is needed`, deploys);
  const isBroken = /ROLLBACK_(?:COMPLETE|FAILED)$|DELETE|_FAILED$/.test(defined(status));
  return isBroken
    ? failing(
        `the stack CDKToolkit in ${region} is ${status}`,
        `Delete the stack CDKToolkit in the console (empty its bucket first), then: npm run deploy -- ${name}`,
      )
    : doubtful(
        `the stack CDKToolkit in ${region} is ${status}`,
        'Wait until it is done, then run the command again.',
      );
}

/** Whether the state of an existing stack blocks a deployment. */
export const stacks = check({
  title: 'Stacks',
  read: async ({ target, regions }) =>
    (await stacksOf(target, regions)).map(({ name, status }) => ({ name, status })),
  judge: (all, { name: environment }) => {
    const troubled = all.flatMap((stack) => judgedStack(stack, environment) ?? []);
    if (troubled.length > 0) return troubled;
    return well(all.length === 0 ? 'none yet' : `${all.length}, ready for the next deployment`);
  },
});

function judgedStack(stack: { name: string; status: string }, environment: string): Judgement | null {
  const { name, status } = stack;
  if (/^(UPDATE_ROLLBACK_FAILED|DELETE_FAILED)$/.test(status))
    return failing(
      `${name} is ${status}`,
      status === 'DELETE_FAILED'
        ? `npm run destroy -- ${environment} deletes the rest.`
        : 'Console, CloudFormation, the stack: "Continue update rollback"; its Events show the cause.',
    );
  if (/_IN_PROGRESS$/.test(status) && status !== 'REVIEW_IN_PROGRESS')
    return failing(`${name} is ${status}: a deployment is running`, 'Wait until it ends.');
  if (/^ROLLBACK_/.test(status))
    return doubtful(
      `${name} is ${status}: its first deployment failed`,
      'The next deployment creates it again.',
    );
  return null;
}

/**
 * The regions in which CodeBuild has ARM_CONTAINER, from its reference, `Environment.type`:
 * https://docs.aws.amazon.com/codebuild/latest/APIReference/API_ProjectEnvironment.html (read 2026-11-22)
 */
const regionsWithArm64 = [
  ...['us-east-1', 'us-east-2', 'us-west-2', 'eu-west-1', 'eu-central-1', 'ap-south-1', 'ap-northeast-1'],
  ...['ap-southeast-1', 'ap-southeast-2', 'sa-east-1'],
];

/** Whether CodeBuild can build the image of the media steps in the region. */
export const arm64 = check({
  title: 'arm64',
  read: async ({ target: { region } }) => region,
  judge: (region, { name }) =>
    regionsWithArm64.includes(region)
      ? well(`CodeBuild has it in ${region}`)
      : doubtful(
          `CodeBuild's reference does not list ${region} for arm64`,
          `Look it up (CodeBuild User Guide, "Build environment compute modes and types"), or choose another region in environments/${name}.ts: ${regionsWithArm64.join(', ')}.`,
        ),
});

/** Whether alarms notify a person. Checks only the file of the environment. */
export const alerts = check({
  title: 'Alerts',
  read: async ({ target }) => target.environment,
  judge: ({ alerts, site, region }, { name }) => {
    const file = `environments/${name}.ts`;
    if (alerts?.email === undefined && alerts?.topicArn === undefined)
      return doubtful(
        'its alarms notify no one',
        `Add alerts: { email: '…' } to ${file}, and confirm the subscription in the first e-mail.`,
      );
    const hasSite = site.elsewhere === undefined && hasSites(region);
    if (hasSite && alerts.email === undefined && alerts.siteTopicArn === undefined)
      return doubtful(
        'the alarms of its site notify no one',
        `Add siteTopicArn (a topic in ${globalRegion}) or email to ${file}.`,
      );
    return well(alerts.topicArn ?? defined(alerts.email));
  },
});
