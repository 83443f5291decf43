/** What the account gives to Lambda: runs at once, memory, room for code. */
import { GetAccountSettingsCommand, type GetAccountSettingsResponse } from '@aws-sdk/client-lambda';
import { newAccount } from '../../../lib/environments.ts';
import type { Target } from '../../deployment/targets.ts';
import { check } from '../check.ts';
import { doubtful, failing, type Judgement, well } from '../finding.ts';

/** "Concurrent executions" of Lambda in Service Quotas. */
const CONCURRENCY = 'L-B99A9384';
/** Bytes of code that an environment brings, generously. */
const OUR_CODE = 500e6;

export const lambda = check({
  title: 'Lambda',
  read: ({ regions: [aws] }) => aws!.lambda.send(new GetAccountSettingsCommand({})),
  judge: (settings, target) => [
    concurrency(settings, target),
    memory(target),
    ...codeStorage(settings, target),
  ],
});

function concurrency(
  { AccountLimit = {} }: GetAccountSettingsResponse,
  { name, region, environment }: Target,
): Judgement {
  const { ConcurrentExecutions: all = 0, UnreservedConcurrentExecutions: free = all } = AccountLimit;
  const wanted = environment.quotas.lambdaConcurrency;
  const file = `environments/${name}.ts`;
  const ask = `Ask for 1,000, which costs nothing: https://${region}.console.aws.amazon.com/servicequotas/home/services/lambda/quotas/${CONCURRENCY}`;
  if (all < wanted)
    return failing(
      `the account runs ${all} functions at once; ${file} counts on ${wanted}`,
      `Set quotas.lambdaConcurrency in ${file} to ${all}. ${ask}`,
    );
  if (free < wanted)
    return doubtful(
      `${free} of ${all} runs at once are not reserved for others; ${file} counts on ${wanted}`,
      `Give some back where they are reserved (console, Lambda, Concurrency), or set quotas.lambdaConcurrency in ${file} to ${free}.`,
    );
  if (all <= newAccount.lambdaConcurrency)
    return doubtful(
      `${all} functions at once, as in a new account: API and jobs share them, and long media take turns`,
      ask,
    );
  const unused =
    wanted < all ? `; quotas.lambdaConcurrency in ${file} (${wanted}) may be raised up to it` : '';
  return well(`${thousands(all)} functions at once${unused}`);
}

/** No call of AWS tells this quota: neither GetAccountSettings nor Service Quotas has it. */
function memory({ name, environment }: Target): Judgement {
  const { lambdaMemory } = environment.quotas;
  if (lambdaMemory <= newAccount.lambdaMemory)
    return well(`functions take ${thousands(lambdaMemory)} MB at most, which every account gives`);
  return doubtful(
    `environments/${name}.ts counts on ${thousands(lambdaMemory)} MB; new accounts give ${thousands(newAccount.lambdaMemory)}, and AWS tells nobody what yours gives`,
    `If a stack fails with "'MemorySize' value failed to satisfy constraint": set quotas.lambdaMemory to the number that it names, or ask AWS Support for more.`,
  );
}

function codeStorage(
  { AccountLimit, AccountUsage }: GetAccountSettingsResponse,
  { region }: Target,
): Judgement[] {
  const free = (AccountLimit?.TotalCodeSize ?? Infinity) - (AccountUsage?.TotalCodeSize ?? 0);
  if (free >= OUR_CODE) return [];
  return [
    failing(
      `${Math.max(0, Math.round(free / 1e6))} MB are left for the code of functions in ${region}`,
      'Delete versions of functions that nobody uses (console, Lambda, Code storage), or ask Service Quotas for more.',
    ),
  ];
}

const thousands = (number: number) => number.toLocaleString('en-US');
