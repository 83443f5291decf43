/**
 * Determines which statements of the template's roles the tests need, from the decisions that the local cloud recorded.
 * A test needs a statement if only this statement allowed one of its requests. Without the statement, the test would
 * get AccessDenied.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { RecordedDecision } from '../local/iam/authorizer.ts';
import { compilePolicy, listOf } from '../local/iam/policy.ts';
import { readTemplate } from '../local/template/index.ts';
import { assemblyFolder, root } from './bundle/paths.ts';

/** The folder where `npm test` records the decisions, one file for each test file. */
export const decisionsFolder = join('build', 'permissions');

export interface StatementUsage {
  /** Logical id of the role. */
  readonly role: string;
  /** Policy and position, such as `Permissions.3`. */
  readonly statement: string;
  readonly actions: readonly string[];
  /** Actions that a test used through this statement. */
  readonly used: readonly string[];
  /** Test files that fail without the statement. */
  readonly neededBy: readonly string[];
  /** Whether a local service evaluates its actions at all. */
  readonly isJudged: boolean;
}

/** AWS services that the local cloud emulates. Tests do not call X-Ray, KMS, SQS, Transcribe and others. */
const judged = /^(?:dynamodb|s3|states|sts|lambda):/;

type Located = RecordedDecision & { readonly test: string };

export async function permissionUsage(folder = join(root, decisionsFolder)): Promise<StatementUsage[]> {
  const at = { region: 'us-east-1', account: '000000000000', apiUrl: 'http://localhost' };
  const { iam } = await readTemplate(assemblyFolder, 'Kinora-dev-', at);
  const decisions = recordedIn(folder);
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

/** Returns a line for each statement that no test needs, and for each statement with actions that no test used. */
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
