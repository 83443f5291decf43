/** In which state the stacks are, where there are any: some states let nothing be deployed over them. */
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
        ? `npm run destroy -- ${environment} deletes what is left of it.`
        : 'Console, CloudFormation, the stack: "Continue update rollback"; its Events say what was in the way.',
    );
  if (/_IN_PROGRESS$/.test(status) && status !== 'REVIEW_IN_PROGRESS')
    return failing(`${name} is ${status}: somebody deploys it`, 'Wait until that has ended.');
  if (/^ROLLBACK_/.test(status))
    return doubtful(
      `${name} is ${status}: its first deployment failed`,
      'The next deployment makes it anew.',
    );
  return null;
}
