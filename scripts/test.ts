/**
 * `npm test` runs every check of the project, cheap ones first. `npm run check` (`--fast`) runs those that need neither apt
 * packages nor bundles. A failure does not stop the other checks. The last line counts checks and test cases together. In CI
 * a skipped test counts as failed.
 */
import { spawn } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { relative } from 'node:path';
import { permissionUsage, unusedPermissions } from '../local/iam/permission-usage.ts';
import { recordedRun } from '../toolchain/product.ts';
import { argumentsOf } from './arguments.ts';
import { closingLine, failuresIn, skippedTests, type TestReport } from './testing/report.ts';

interface Check {
  readonly name: string;
  readonly command: readonly string[];
}

const { values: options } = argumentsOf(
  {
    text: 'Usage: npm test, or npm run check (--fast: without apt packages and bundles)',
    help: 'npm test -- --help',
    words: 0,
  },
  { options: { fast: { type: 'boolean', default: false } } },
);

const report = 'build/test-report.json';
const types: Check = { name: 'types', command: ['tsc'] };
const format: Check = { name: 'lint and format', command: ['biome', 'ci', '.'] };
const prose: Check = { name: 'prose', command: ['node', 'scripts/check-prose.ts'] };

const fastLanes: readonly (readonly Check[])[] = [[types], [format, prose]];
/** The checks in two lanes, for two cores. The checks of the first lane run in order, because they need the bundles. */
const allLanes: readonly (readonly Check[])[] = [
  [
    {
      name: 'bundles and synth of dev (CloudFormation validation, cdk-nag)',
      command: ['node', 'toolchain/build.ts'],
    },
    {
      name: 'cdk synth of prod, the site included (CloudFormation validation, cdk-nag)',
      command: ['cdk', 'synth', '--quiet', '-c', 'env=prod', '--output', 'build/cdk-prod'],
    },
  ],
  [
    types,
    format,
    prose,
    { name: 'OpenAPI document', command: ['node', 'scripts/openapi.ts'] },
    { name: 'OpenAPI lint (redocly)', command: ['redocly', 'lint', 'build/openapi.json'] },
    {
      name: 'OpenAPI lint (spectral)',
      command: ['spectral', 'lint', '--fail-severity', 'warn', 'build/openapi.json'],
    },
  ],
];

const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
const tests: Check = {
  name: options.fast ? 'unit and contract tests' : 'tests',
  command: ['vitest', 'run', ...(options.fast ? ['--project=unit'] : []), ...reporters],
};

let passed = 0;
let failed = 0;

await Promise.all(
  (options.fast ? fastLanes : allLanes).map(async (checks) => {
    for (const check of checks) {
      const isGreen = await run(check, 'pipe');
      if (isGreen) passed += 1;
      else failed += 1;
    }
  }),
);
await mkdir('build', { recursive: true });
await rm(report, { force: true });
await rm(recordedRun.decisions, { recursive: true, force: true });
const areGreen = await run(tests, 'inherit');
const counted = await readFile(report, 'utf8').then(
  (text) => JSON.parse(text) as TestReport,
  () => null,
);
const failures = failuresIn(counted);
passed += counted?.numPassedTests ?? 0;
// A failed run without a failed test case (a crash, an unhandled rejection) counts as one failure.
failed += !areGreen && failures === 0 ? 1 : failures;

const skipped = skippedTests(counted);
const isForbidden = Boolean(process.env.CI) && process.env.CI !== 'false';
if (skipped.length > 0) {
  console.log(`\n── Skipped tests${isForbidden ? ', which count as failed in CI' : ''}`);
  for (const { file, name } of skipped) console.log(`${relative('.', file)}: ${name}`);
}
if (isForbidden) failed += skipped.length;

if (!options.fast) await reportPermissions();
console.log(`\n${closingLine({ passed, failed, skipped: isForbidden ? 0 : skipped.length })}`);
process.exit(failed === 0 ? 0 : 1);

/**
 * Runs a check and says how long it took.
 * @param output `inherit` shows the output immediately; `pipe` shows all output when the check has ended
 */
async function run({ name, command }: Check, output: 'inherit' | 'pipe'): Promise<boolean> {
  console.log(`\n── ${name}`);
  const started = performance.now();
  const [program = '', ...args] = command;
  const recording = options.fast ? {} : { KINORA_RECORD_PERMISSIONS: recordedRun.decisions };
  const child = spawn(program, args, {
    stdio: ['inherit', output, output],
    env: { ...process.env, SCARF_ANALYTICS: 'false', ...recording },
  });
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => printed.push(chunk));
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  process.stdout.write(Buffer.concat(printed));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`── ${name}: ${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
  return code === 0;
}

/** Lists the statements of roles that no test needed. They do not count as failures. */
async function reportPermissions(): Promise<void> {
  const usage = await permissionUsage(recordedRun).catch(() => []);
  const lines = unusedPermissions(usage);
  if (lines.length > 0) console.log(`\n── Permissions that no test used\n${lines.join('\n')}`);
}
