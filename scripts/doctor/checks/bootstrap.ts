/** Checks whether each region is bootstrapped for the CDK, in a recent version. */
import { type Bootstrap, bootstrapOf, isBootstrapped, NEEDED_BOOTSTRAP } from '../../deployment/bootstrap.ts';
import { check } from '../check.ts';
import { doubtful, failing, type Judgement, well } from '../finding.ts';

export const bootstrap = check({
  title: 'Bootstrap',
  read: ({ regions }) =>
    Promise.all(regions.map(async (aws) => ({ region: aws.region, found: await bootstrapOf(aws) }))),
  judge: (all, { name }) => all.map(({ region, found }) => judged(region, found, name)),
});

function judged(region: string, found: Bootstrap, name: string): Judgement {
  const { version, status } = found;
  if (isBootstrapped(found)) return well(`version ${version} in ${region}`);
  const deploys = `npm run deploy -- ${name} bootstraps it, with credentials that may create roles. To bootstrap only: npx cdk bootstrap aws://ACCOUNT/${region}`;
  if (version === null) return doubtful(`${region} is not bootstrapped for the CDK yet`, deploys);
  if (version < NEEDED_BOOTSTRAP)
    return doubtful(`version ${version} in ${region}; version ${NEEDED_BOOTSTRAP} is needed`, deploys);
  const isBroken = /ROLLBACK_(?:COMPLETE|FAILED)$|DELETE|_FAILED$/.test(status!);
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
