/** Runs steps that depend on each other. Reports each as it ends; the first failure stops the rest. */
import { ProblemError } from '../../../client/index.ts';
import { StageFailed, wordsOf } from '../../../lambdas/canary/rules/stage-failed.ts';
import { type Advice, adviceOf, Failure } from '../../deployment/failure.ts';
import { type Finding, failing, well } from '../finding.ts';

/** Returns what the step did, in words. Throws if it failed. */
export type Work = () => Promise<string>;

export class Steps {
  readonly findings: Finding[] = [];
  readonly #onFinding: (finding: Finding) => void;

  constructor(onFinding: (finding: Finding) => void) {
    this.#onFinding = onFinding;
  }

  /** @returns whether the step succeeded */
  async take(title: string, work: Work): Promise<boolean> {
    const started = performance.now();
    try {
      const did = await work();
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      this.#add({ ...well(`${did} (${seconds} s)`), title });
      return true;
    } catch (error) {
      const { says, cure } = words(error, title);
      this.#add({ ...failing(says, cure), title });
      return false;
    }
  }

  /** Runs the steps in order until one fails. */
  async all(steps: readonly (readonly [title: string, work: Work])[]): Promise<void> {
    for (const [title, work] of steps) if (!(await this.take(title, work))) return;
  }

  #add(finding: Finding): void {
    this.findings.push(finding);
    this.#onFinding(finding);
  }
}

/** Advice by stage of the main job. */
const cures: Readonly<Record<string, string>> = {
  Create: 'docs/runbooks.md, "API server errors", says how to find the request in the logs.',
  Processing:
    'docs/runbooks.md, "Machine failed"; npm run doctor without --after says whether the services answer.',
  Subtitles: 'Look at the step TranscribePiece: its log in /kinora/, and the service that it calls.',
  Delete: 'docs/runbooks.md, "Machine failed": the machine DeleteAsset.',
};

function words(error: unknown, title: string): Advice {
  if (error instanceof Failure) return error;
  if (error instanceof StageFailed) return { says: wordsOf(error), cure: cures[title] ?? cures.Create! };
  if (error instanceof ProblemError) return { says: wordsOf(error), cure: cures.Create! };
  const cause = (error as Error).cause as NodeJS.ErrnoException | undefined;
  if (cause?.code === 'ENOTFOUND')
    return {
      says: `the name ${(cause as { hostname?: string }).hostname} does not resolve`,
      cure: 'Create the DNS record that the stack’s outputs name (console, CloudFormation, Outputs), or set hostedZoneId in the environment’s file. A new record takes minutes.',
    };
  return adviceOf(cause ?? error);
}
