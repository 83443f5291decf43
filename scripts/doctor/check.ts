/** One thing to examine: what AWS is asked, and what its answer means. */
import type { Aws } from '../deployment/clients.ts';
import type { Target } from '../deployment/targets.ts';
import type { Judgement } from './finding.ts';

export interface Subject {
  readonly target: Target;
  /** The target's regions, its own first. */
  readonly regions: readonly Aws[];
}

interface Parts<Answers> {
  /** A word or two, the beginning of its lines. */
  readonly title: string;
  /** Asks AWS, and changes nothing there. What it throws is told with its cure. */
  read(subject: Subject): Promise<Answers>;
  /** Without a look at anything else. */
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
