/** Steps that stand on each other: each is told as it ends, and what fails ends them all. */
import { ProblemError } from '../../../client/index.ts';
import { Failure, type Trouble, troubleOf } from '../../deployment/trouble.ts';
import { type Finding, failing, well } from '../finding.ts';

/** What a step did, in words; it throws where that failed. */
export type Work = () => Promise<string>;

export class Steps {
  readonly findings: Finding[] = [];
  readonly #onFinding: (finding: Finding) => void;

  constructor(onFinding: (finding: Finding) => void) {
    this.#onFinding = onFinding;
  }

  /** @returns whether the next may be tried */
  async take(title: string, work: Work): Promise<boolean> {
    const started = performance.now();
    try {
      const did = await work();
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      this.#add({ ...well(`${did} (${seconds} s)`), title });
      return true;
    } catch (error) {
      const { says, cure } = words(error);
      this.#add({ ...failing(says, cure), title });
      return false;
    }
  }

  /** One after the other, until one fails. */
  async all(steps: readonly (readonly [title: string, work: Work])[]): Promise<void> {
    for (const [title, work] of steps) if (!(await this.take(title, work))) return;
  }

  #add(finding: Finding): void {
    this.findings.push(finding);
    this.#onFinding(finding);
  }
}

function words(error: unknown): Trouble {
  if (error instanceof Failure) return error;
  if (error instanceof ProblemError) {
    const request = error.problem === null ? '' : `, request ${error.problem.request_id}`;
    return {
      says: `${error.message} (${error.status}${request})`,
      cure: 'docs/runbooks.md, "API server errors", says how to find the request in the logs.',
    };
  }
  const cause = (error as Error).cause as NodeJS.ErrnoException | undefined;
  if (cause?.code === 'ENOTFOUND')
    return {
      says: `the name ${(cause as { hostname?: string }).hostname} does not resolve`,
      cure: 'Make the DNS record that the stack’s outputs name (console, CloudFormation, Outputs), or name its hostedZoneId in the environment’s file; a new record takes minutes.',
    };
  return troubleOf(cause ?? error);
}
