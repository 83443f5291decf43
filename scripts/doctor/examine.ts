/** Runs the checks. If the first fails (credentials), skips the others. */
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import type { Aws } from '../deployment/clients.ts';
import { adviceOf } from '../deployment/failure.ts';
import type { Check, Subject } from './check.ts';
import { type Finding, failing, isFailing, type Judgement } from './finding.ts';

/** @param onFinding called with each finding */
export async function examine(
  [first, ...others]: readonly [Check, ...Check[]],
  subject: Subject,
  onFinding: (finding: Finding) => void = () => {},
): Promise<Finding[]> {
  const entrance = await findingsOf(first, subject);
  for (const finding of entrance) onFinding(finding);
  if (entrance.some(isFailing)) return entrance;
  const all = await Promise.all(others.map((check) => findingsOf(check, subject)));
  for (const finding of all.flat()) onFinding(finding);
  return [...entrance, ...all.flat()];
}

async function findingsOf(check: Check, subject: Subject): Promise<Finding[]> {
  const judgements = await check.examine(subject).catch((error: unknown): Judgement[] => {
    const { says, cure } = adviceOf(error);
    return [failing(says, cure)];
  });
  return judgements.map((judgement) => ({ ...judgement, title: check.title }));
}

export async function accountOf({ sts }: Aws): Promise<string> {
  const { Account } = await sts.send(new GetCallerIdentityCommand({}));
  return Account!;
}
