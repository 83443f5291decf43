/**
 * Lists for each statement of a role the tests that fail without it. Computes the lists from the decisions that the last `npm test`
 * recorded. Checks a sample: removes a statement and runs one of its tests.
 *
 *     npm run bench -- permissions     SAMPLE=3 SEED=1 npm run bench -- permissions
 */
import { spawnSync } from 'node:child_process';
import { permissionUsage, type StatementUsage } from '../local/iam/permission-usage.ts';
import { defined } from '../shared/checked-access.ts';
import { seeded } from '../test/support/talk/random.ts';
import { recordedRun } from '../toolchain/product.ts';
import { type Report, shuffled } from './report.ts';

/** Removes a statement and runs the quickest test file that needs it. */
function failsWithout({ role, statement }: StatementUsage, test: string): boolean {
  const { status } = spawnSync('vitest', ['run', '--maxWorkers=1', test], {
    env: { ...process.env, LOCAL_CLOUD_WITHOUT: `${role} ${statement}` },
    stdio: 'ignore',
    timeout: 900_000,
  });
  return status !== 0;
}

/** Folders of tests, the fastest first. The tests of all operations and of the whole local cloud are slow. */
const folders = ['test/lambdas/', 'test/platform/', 'test/api/', 'test/'];

const quickest = (tests: readonly string[]): string | undefined =>
  folders.flatMap((folder) => tests.filter((test) => test.startsWith(folder)))[0];

export async function run(): Promise<Report> {
  const usage = (await permissionUsage(recordedRun)).filter(({ isJudged }) => isJudged);
  const { between } = seeded(Number(process.env.SEED ?? Date.now()));
  const needed = usage.filter(({ neededBy }) => neededBy.length > 0);
  const sample = shuffled(needed, () => between(0, 1)).slice(0, Number(process.env.SAMPLE ?? 5));
  let removed = 0;
  const survivors: string[] = [];
  for (const one of sample) {
    const test = defined(quickest(one.neededBy));
    process.stderr.write(`without ${one.role} ${one.statement}: ${test}\n`);
    if (failsWithout(one, test)) removed += 1;
    else survivors.push(`${one.role} ${one.statement} (${test})`);
  }
  const roles = [...Map.groupBy(usage, ({ role }) => role)].map(([role, own]) => rowOf(role, own));
  return {
    title: 'Permissions that the tests need',
    method:
      'Each statement of each role in the template whose services run here (DynamoDB, S3, Step Functions, STS, Lambda). A statement ' +
      'is needed if the last `npm test` recorded a request that it alone allowed. ' +
      `Really removed: ${sample.length} statements at random; ${removed} made their test fail.`,
    columns: ['statements', 'needed', 'actions', 'actions used'],
    rows: [rowOf('all roles', usage), ...roles.filter(({ values: [all, held] }) => all !== held)],
    void: survivors.length === 0 ? null : `Tests passed without ${survivors.join('; ')}.`,
  };
}

const rowOf = (name: string, usage: readonly StatementUsage[]) => ({
  name,
  values: [
    usage.length,
    usage.filter(({ neededBy }) => neededBy.length > 0).length,
    usage.flatMap(({ actions }) => actions).length,
    usage.flatMap(({ used }) => used).length,
  ],
});
