/** Checks the state of existing stacks: some states block a deployment. */
import { stacksOf } from '../../deployment/stacks.ts';
import { check } from '../check.ts';
import { doubtful, failing, type Judgement, well } from '../finding.ts';

export const stacks = check({
  title: 'Stacks',
  read: async ({ target, regions }) =>
    (await stacksOf(target, regions)).map(({ name, status }) => ({ name, status })),
  judge: (all, { name: environment }) => {
    const troubled = all.flatMap((stack) => judged(stack, environment) ?? []);
    if (troubled.length > 0) return troubled;
    return well(all.length === 0 ? 'none yet' : `${all.length}, ready for the next deployment`);
  },
});

function judged(stack: { name: string; status: string }, environment: string): Judgement | null {
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
