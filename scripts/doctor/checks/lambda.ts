/** Checks the account's limits of Lambda: concurrency, memory, code storage. */
import { GetAccountSettingsCommand, type GetAccountSettingsResponse } from '@aws-sdk/client-lambda';
import { newAccount } from '../../../lib/environments.ts';
import { defined } from '../../../shared/checked-access.ts';
import type { Target } from '../../deployment/targets.ts';
import { check, doubtful, failing, type Judgement, well } from '../check.ts';

/** "Concurrent executions" of Lambda in Service Quotas. */
const CONCURRENCY = 'L-B99A9384';
/** The size of the code that an environment uploads, bytes. A high estimate. */
const OUR_CODE = 500e6;

export const lambda = check({
  title: 'Lambda',
  read: ({ regions: [aws] }) => defined(aws).lambda.send(new GetAccountSettingsCommand({})),
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
  const ask = `Request 1,000, free of charge: https://${region}.console.aws.amazon.com/servicequotas/home/services/lambda/quotas/${CONCURRENCY}`;
  if (all < wanted)
    return failing(
      `the account allows ${all} concurrent functions; ${file} expects ${wanted}`,
      `Set quotas.lambdaConcurrency in ${file} to ${all}. ${ask}`,
    );
  if (free < wanted)
    return doubtful(
      `${free} of ${all} concurrent functions are unreserved; ${file} expects ${wanted}`,
      `Release reserved concurrency (console, Lambda, Concurrency), or set quotas.lambdaConcurrency in ${file} to ${free}.`,
    );
  if (all <= newAccount.lambdaConcurrency)
    return doubtful(
      `${all} concurrent functions, as in a new account: API and jobs share them, and jobs wait in a queue`,
      ask,
    );
  const unused = wanted < all ? `; quotas.lambdaConcurrency in ${file} (${wanted}) can be raised to it` : '';
  return well(`${thousands(all)} concurrent functions${unused}`);
}

/** No API of AWS reports this quota: neither GetAccountSettings nor Service Quotas has it. */
function memory({ name, environment }: Target): Judgement {
  const { lambdaMemory } = environment.quotas;
  if (lambdaMemory <= newAccount.lambdaMemory)
    return well(`functions use at most ${thousands(lambdaMemory)} MB, which every account allows`);
  return doubtful(
    `environments/${name}.ts expects ${thousands(lambdaMemory)} MB; new accounts allow ${thousands(newAccount.lambdaMemory)}, and AWS does not report the limit of yours`,
    `If a stack fails with "'MemorySize' value failed to satisfy constraint": set quotas.lambdaMemory to the number in the message, or ask AWS Support for more.`,
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
      'Delete unused function versions (console, Lambda, Code storage), or request more from Service Quotas.',
    ),
  ];
}

const thousands = (number: number) => number.toLocaleString('en-US');
