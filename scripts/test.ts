/**
 * `npm test`: runs every check of the project, cheap ones first. A failure does not stop the others. The last line counts checks
 * and test cases together.
 */
import { spawn } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { decisionsFolder, permissionUsage, unusedPermissions } from '../toolchain/permission-usage.ts';

interface Check {
  readonly name: string;
  readonly command: readonly string[];
}

const report = 'build/test-report.json';

/** Two lanes for two cores. The first needs the bundles, so its checks run in order. */
const lanes: readonly (readonly Check[])[] = [
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
    { name: 'types', command: ['tsc'] },
    { name: 'lint and format', command: ['biome', 'ci', '.'] },
    { name: 'OpenAPI document', command: ['node', 'scripts/openapi.ts'] },
    { name: 'OpenAPI lint (redocly)', command: ['redocly', 'lint', 'build/openapi.json'] },
    {
      name: 'OpenAPI lint (spectral)',
      command: ['spectral', 'lint', '--fail-severity', 'warn', 'build/openapi.json'],
    },
  ],
];

const tests: Check = {
  name: 'tests',
  command: ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
};

interface Counted {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numTotalTestSuites: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

let passed = 0;
let failed = 0;

await Promise.all(
  lanes.map(async (checks) => {
    for (const check of checks) {
      const isGreen = await run(check, 'pipe');
      if (isGreen) passed += 1;
      else failed += 1;
    }
  }),
);
await mkdir('build', { recursive: true });
await rm(report, { force: true });
await rm(decisionsFolder, { recursive: true, force: true });
const areGreen = await run(tests, 'inherit');
const counted = await readFile(report, 'utf8').then(
  (text) => JSON.parse(text) as Counted,
  () => null,
);
passed += counted?.numPassedTests ?? 0;
failed += failuresIn(counted);
// A run that ended badly without a failed case (a crash, an unhandled rejection) still counts as a failure.
if (!areGreen && failuresIn(counted) === 0) failed += 1;

await reportPermissions();
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** Failed cases, and files that failed before they had any. */
function failuresIn(counted: Counted | null): number {
  if (counted === null) return 1;
  const empty = counted.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  return counted.numFailedTests + empty.length;
}

/**
 * Runs a check and says how long it took.
 * @param output `inherit` shows what it prints at once; `pipe` shows it in one piece when it has ended
 */
async function run({ name, command }: Check, output: 'inherit' | 'pipe'): Promise<boolean> {
  console.log(`\n── ${name}`);
  const started = performance.now();
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    stdio: ['inherit', output, output],
    env: { ...process.env, SCARF_ANALYTICS: 'false', KINORA_RECORD_PERMISSIONS: decisionsFolder },
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

/** Lists the statements of roles that no test needed. It is a report, and no failure. */
async function reportPermissions(): Promise<void> {
  const usage = await permissionUsage().catch(() => []);
  const lines = unusedPermissions(usage);
  if (lines.length > 0) console.log(`\n── Permissions that no test used\n${lines.join('\n')}`);
}
