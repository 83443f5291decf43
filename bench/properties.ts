/**
 * Runs property tests with random seeds. `npm test` uses a fixed seed (test/support/seed.ts).
 *
 *     npm run bench -- properties
 *     ROUNDS=3 ONLY=subtitles npm run bench -- properties
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defined } from '../shared/checked-access.ts';
import type { Report } from './report.ts';

interface Result {
  readonly name: string;
  readonly assertionResults: readonly {
    readonly status: string;
    readonly fullName: string;
    readonly failureMessages: readonly string[];
  }[];
}

export async function run(): Promise<Report> {
  const rounds = Number(process.env.ROUNDS ?? 10);
  const files = globSync('test/**/*.test.ts')
    .filter((file) => file.includes(process.env.ONLY ?? '') && drawsCases(file))
    .sort();
  const counts = new Map(files.map((file) => [file, { tests: 0, failed: 0 }]));
  for (let round = 1; round <= rounds; round += 1) {
    const seed = Math.floor(Math.random() * 2 ** 31);
    process.stderr.write(`round ${round} of ${rounds}, seed ${seed}\n`);
    for (const { name, assertionResults } of resultsOf(files, seed)) {
      const count = defined(counts.get(name));
      for (const { status, fullName, failureMessages } of assertionResults) {
        count.tests += 1;
        if (status !== 'failed') continue;
        count.failed += 1;
        process.stderr.write(`KINORA_SEED=${seed} ${name}: ${fullName}\n${failureMessages.join('\n')}\n`);
      }
    }
  }
  const failed = [...counts.values()].reduce((sum, count) => sum + count.failed, 0);
  return {
    title: 'Properties, with cases drawn anew',
    method:
      `The ${files.length} files of tests that draw cases, ${rounds} times, each time with another seed. All tests of a file ` +
      'count, also those that draw none.',
    columns: ['tests', 'failed'],
    rows: [...counts].map(([name, count]) => ({ name, values: [count.tests, count.failed] })),
    void: failed === 0 ? null : `${failed} tests failed.`,
  };
}

const drawsCases = (file: string): boolean =>
  /from 'fast-check'|schema-arbitrary\.ts'/.test(readFileSync(file, 'utf8'));

/** Runs the files with the seed. The name of a result is the path of its file, relative to this folder. */
function resultsOf(files: readonly string[], seed: number): Result[] {
  const folder = mkdtempSync(join(tmpdir(), 'kinora-properties-'));
  const report = join(folder, 'report.json');
  spawnSync('npx', ['vitest', 'run', '--reporter=json', `--outputFile=${report}`, ...files], {
    env: { ...process.env, KINORA_SEED: String(seed) },
    stdio: 'ignore',
  });
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as { testResults: Result[] };
  rmSync(folder, { recursive: true });
  return testResults.map((result) => ({ ...result, name: result.name.slice(process.cwd().length + 1) }));
}
