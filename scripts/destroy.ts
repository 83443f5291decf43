/**
 * `npm run destroy -- dev [--yes]`: deletes an environment with all of its data, and then lists the resources that remain in AWS.
 * Without --yes, first asks for the name of the environment.
 */
import { createInterface } from 'node:readline/promises';
import { itemAt } from '../shared/checked-access.ts';
import { argumentsOf } from './arguments.ts';
import { type Aws, accountOf, awsIn } from './deployment/clients.ts';
import { Failure, reportFailure } from './deployment/failure.ts';
import { stacksOf } from './deployment/stacks.ts';
import { type Target, targetNamed } from './deployment/targets.ts';
import { destroy } from './destroy/destroy-environment.ts';
import { isNothing, reportOf } from './destroy/remains.ts';

const LOOK_MS = 3_000;
const PATIENCE_MS = 3 * 60_000;

const { values, positionals } = argumentsOf(
  { text: 'npm run destroy -- ENVIRONMENT [--yes]', help: 'npm run destroy -- --help', words: 1 },
  { options: { yes: { type: 'boolean', default: false } } },
);

try {
  const target = await targetNamed(positionals[0], 'destroy');
  const regions = target.regions.map(awsIn);
  await confirmed(target, regions);
  const remains = await destroy(target, regions, {
    everyMs: LOOK_MS,
    patienceMs: PATIENCE_MS,
    line: (text) => console.log(text),
  });
  for (const line of reportOf(remains, target.name)) console.log(line);
  if (!isNothing(remains)) process.exitCode = 1;
  else console.log(`Nothing is left of ${target.name}. The CDK's bootstrap stays: other apps may use it.`);
} catch (error) {
  reportFailure(error);
}

async function confirmed(target: Target, regions: readonly Aws[]): Promise<void> {
  const own = await accountOf(itemAt(regions, 0));
  const { account } = target.environment;
  if (account !== undefined && account !== own)
    throw new Failure(
      `${target.name} is in the account ${account}; these credentials belong to ${own}`,
      'Use credentials of that account: set AWS_PROFILE, or sign in again.',
    );
  const stacks = await stacksOf(target, regions);
  console.log(
    `${target.name}: account ${own}, ${target.regions.join(' and ')}. These stacks and all of their data will be deleted:`,
  );
  console.log(
    stacks.map(({ name }) => `  ${name}`).join('\n') || '  no stacks; only leftovers of earlier deletions',
  );
  if (values.yes) return;
  if (process.stdin.isTTY !== true)
    throw new Failure(
      'The deletion needs a confirmation, and there is no terminal to ask',
      `npm run destroy -- ${target.name} --yes deletes without asking.`,
    );
  const asked = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await asked.question(`Type ${target.name} to delete it: `);
  asked.close();
  if (answer.trim() !== target.name)
    throw new Failure('Nothing was deleted', 'Type the name of the environment to confirm.');
}
