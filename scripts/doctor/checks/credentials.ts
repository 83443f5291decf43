/** Checks whether the credentials work and belong to the right account. */
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { check } from '../check.ts';
import { failing, well } from '../finding.ts';

export const credentials = check({
  title: 'Credentials',
  read: async ({ regions: [aws] }) => aws!.sts.send(new GetCallerIdentityCommand({})),
  judge: ({ Account, Arn }, { name, region, environment: { account } }) => {
    if (account !== undefined && account !== Account)
      return failing(
        `they belong to the account ${Account}; environments/${name}.ts names ${account}`,
        'Use credentials of that account: set AWS_PROFILE, or sign in again.',
      );
    return well(`${Arn} in the account ${Account}; the region is ${region}`);
  },
});
