/** A check: reads from AWS, then judges the answers. */
import type { Aws } from '../deployment/clients.ts';
import type { Target } from '../deployment/targets.ts';
import type { Judgement } from './finding.ts';

export interface Subject {
  readonly target: Target;
  /** The target's regions, its own first. */
  readonly regions: readonly Aws[];
}

interface Parts<Answers> {
  /** A word or two at the start of each line. */
  readonly title: string;
  /** Reads from AWS and changes nothing. An error that it throws becomes a failing line with advice. */
  read(subject: Subject): Promise<Answers>;
  /** Pure: depends on the answers alone. */
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
