/** The checks of `npm run doctor`. A check reads from AWS and judges the answers. */
import type { Aws } from '../deployment/clients.ts';
import { adviceOf } from '../deployment/failure.ts';
import type { Target } from '../deployment/targets.ts';

export type Judgement =
  | { readonly level: 'well'; readonly says: string }
  | { readonly level: 'doubtful' | 'failing'; readonly says: string; readonly cure: string };

export type Finding = Judgement & { readonly title: string };

export const well = (says: string): Judgement => ({ level: 'well', says });
export const doubtful = (says: string, cure: string): Judgement => ({ level: 'doubtful', says, cure });
export const failing = (says: string, cure: string): Judgement => ({ level: 'failing', says, cure });

export const isFailing = ({ level }: Judgement): boolean => level === 'failing';

export interface Subject {
  readonly target: Target;
  /** The regions of the target. Its own region is first. */
  readonly regions: readonly Aws[];
}

interface Parts<Answers> {
  /** A word or two at the start of each line. */
  readonly title: string;
  /** Reads from AWS and changes nothing. If it throws an error, the check fails with advice for this error. */
  read(subject: Subject): Promise<Answers>;
  /** Judges the answers. Pure: depends only on its arguments. */
  judge(answers: Answers, target: Target): Judgement | readonly Judgement[];
}

export interface Check {
  readonly title: string;
  examine(subject: Subject): Promise<readonly Judgement[]>;
}

export const check = <Answers>({ title, read, judge }: Parts<Answers>): Check => ({
  title,
  examine: async (subject) => [judge(await read(subject), subject.target)].flat(),
});

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

const marks = { well: '✓', doubtful: '!', failing: '✗' } as const;

export function linesOf(finding: Finding): string[] {
  const line = `${marks[finding.level]} ${finding.title}: ${finding.says}`;
  return finding.level === 'well' ? [line] : [line, `  → ${finding.cure}`];
}

export function summaryOf(findings: readonly Finding[]): string {
  const count = (level: Finding['level']) => findings.filter((finding) => finding.level === level).length;
  const [bad, unsure] = [count('failing'), count('doubtful')];
  if (bad + unsure === 0) return 'No problems found.';
  return [bad > 0 && `${bad} to fix`, unsure > 0 && `${unsure} to consider`].filter(Boolean).join(', ');
}
