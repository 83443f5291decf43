/**
 * Determines which statements of the template's roles the tests need. It uses the decisions that the local cloud recorded. A test
 * needs a statement if this statement was the only one that allowed one of its requests. Without it, the test would get
 * AccessDenied.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readTemplate } from '../template/index.ts';
import type { RecordedDecision } from './authorizer.ts';
import { compilePolicy, listOf } from './policy.ts';

export interface RecordedRun {
  /** The directory of the synthesized cloud assembly. */
  readonly assembly: string;
  /** The prefix of the stacks whose roles are checked. */
  readonly stackPrefix: string;
  /** The folder of recorded decisions: one `.jsonl` file for each test file. Its name is the path of the test, with `+` instead of `/`. */
  readonly decisions: string;
}

export interface StatementUsage {
  readonly role: string;
  /** The policy and the position of the statement in it, such as `Permissions.3`. */
  readonly statement: string;
  readonly actions: readonly string[];
  /** The actions that a test used and that this statement allowed. */
  readonly used: readonly string[];
  /** The test files that fail without the statement. */
  readonly neededBy: readonly string[];
  /** Whether a local service checks the actions of the statement. */
  readonly isJudged: boolean;
}

/** Matches actions of the AWS services that the local cloud emulates. Tests do not call X-Ray, KMS, SQS, Transcribe and others. */
const judged = /^(?:dynamodb|s3|states|sts|lambda):/;

type Located = RecordedDecision & { readonly test: string };

export async function permissionUsage(run: RecordedRun): Promise<StatementUsage[]> {
  const at = { region: 'us-east-1', account: '000000000000', apiUrl: 'http://localhost' };
  const { iam } = await readTemplate(run.assembly, run.stackPrefix, at);
  const decisions = recordedIn(run.decisions);
  return iam.roles.flatMap(({ logicalId: role, policies }) => {
    const statements = policies.flatMap(({ id, document }) =>
      compilePolicy(id, document).map((compiled, at) => ({
        ...compiled,
        actions: listOf(listOf(document.Statement)[at]?.Action),
      })),
    );
    const allowing = decisions
      .filter((decision) => decision.role === role && decision.statements.length > 0)
      .map(({ action, resource, test }) => ({
        ...{ action, test },
        by: statements.filter((one) => one.matchesAction(action) && one.matchesResource(resource, {})),
      }));
    return statements.map((statement): StatementUsage => {
      const own = allowing.filter(({ by }) => by.includes(statement));
      const alone = own.filter(({ by }) => by.length === 1);
      return {
        role,
        statement: statement.id,
        actions: statement.actions,
        used: statement.actions.filter((action) => own.some((decision) => decision.action === action)),
        neededBy: [...new Set(alone.map(({ test }) => test))].sort(),
        isJudged: statement.actions.some((action) => judged.test(action)),
      };
    });
  });
}

function recordedIn(folder: string): Located[] {
  if (!existsSync(folder)) return [];
  return globSync('*.jsonl', { cwd: folder }).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => ({
        ...(JSON.parse(line) as RecordedDecision),
        test: basename(file, '.jsonl').replaceAll('+', '/'),
      })),
  );
}

/** Returns a line for each statement that no test needs, and for each statement with actions that no test uses. */
export function unusedPermissions(usage: readonly StatementUsage[]): string[] {
  return usage
    .filter(({ isJudged }) => isJudged)
    .flatMap(({ role, statement, actions, used, neededBy }) => {
      const unused = actions.filter((action) => !used.includes(action));
      const what = neededBy.length === 0 ? 'no test needs this statement' : 'no test used';
      if (neededBy.length > 0 && unused.length === 0) return [];
      return [`${role} ${statement}: ${what}: ${(neededBy.length === 0 ? actions : unused).join(', ')}`];
    });
}
