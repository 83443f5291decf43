/** Runs the CDK's command line, in the version that package.json pins. */
import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, mkdtempSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { buildFolder, root } from '../../toolchain/bundle/paths.ts';
import type { Template } from '../../toolchain/costs/idle.ts';
import { Failure } from './failure.ts';
import type { Target } from './targets.ts';

interface Cdk {
  /** The program to run: `pinnedCdk`, except in tests. */
  readonly program: string;
  readonly log: string;
  readonly region: string;
  /** Name of the environment, for the advice on a failure. */
  readonly environment: string;
  /** Called with the output as it arrives, because the CDK prints the progress of each resource. */
  readonly show?: (text: string) => void;
}

export const pinnedCdk = join(root, 'node_modules', '.bin', 'cdk');

/** The number of last lines that a failure quotes. */
const LAST_LINES = 15;

/** @throws Failure if the CDK fails, with the last lines of its output and, if the cause is known, how to fix it */
export async function runCdk(
  { program, log, region, environment, show }: Cdk,
  args: readonly string[],
): Promise<void> {
  mkdirSync(dirname(log), { recursive: true });
  const file = createWriteStream(log, { flags: 'a' });
  const child = spawn(program, [...args, '--no-color'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, AWS_REGION: region, CDK_DISABLE_CLI_TELEMETRY: 'true' },
  });
  const stop = (signal: NodeJS.Signals) => child.kill(signal);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, stop);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      file.write(chunk);
      const text = chunk.toString('utf8');
      show?.(text);
      output = (output + text).slice(-20_000);
    });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).finally(async () => {
    for (const signal of signals) process.off(signal, stop);
    file.end();
    await finished(file);
  });
  if (code === 0) return;
  // Stack traces stay in the log.
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !/^\s+at /.test(line));
  const last = lines.slice(-LAST_LINES).join('\n');
  const cure = cureOf(output, environment);
  throw new Failure(
    `cdk ${args[0]} failed:\n${last}`,
    `${cure === null ? '' : `${cure} `}The whole output is in ${log}.`,
  );
}

const ENDING = '.template.json';

/**
 * Returns the templates, by the part of the stack's name after `Kinora-<environment>-`.
 * @throws Failure if the CDK fails, with the last lines of its output; the log of the CDK is then kept
 */
export async function templatesByStack(
  { name, region }: Target,
  program = pinnedCdk,
  parent = buildFolder,
): Promise<Record<string, Template>> {
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'cost-'));
  const assembly = join(folder, 'assembly');
  const synth = ['synth', '--quiet', '--output', assembly, '--context', `env=${name}`];
  await runCdk({ program, region, environment: name, log: join(folder, 'cdk.log') }, synth);
  const files = (await readdir(assembly)).filter((file) => file.endsWith(ENDING));
  const templates = files.map(async (file) => {
    const stack = file.slice(`Kinora-${name}-`.length, -ENDING.length);
    return [stack, JSON.parse(await readFile(join(assembly, file), 'utf8')) as Template] as const;
  });
  const all = Object.fromEntries(await Promise.all(templates));
  await rm(folder, { recursive: true });
  return all;
}

/** Patterns for the output of the CDK. The first pattern that matches counts. `{env}` is the name of the environment. */
const cures: readonly (readonly [reason: RegExp, cure: string])[] = [
  [
    /'MemorySize' value failed to satisfy constraint/,
    'The account allows less memory for a function. Set quotas.lambdaMemory in environments/{env}.ts to the number in the message, or ask AWS Support for more.',
  ],
  [
    /UnreservedConcurrentExecution/i,
    'The account has too few concurrent executions of Lambda to reserve any. Set quotas.lambdaConcurrency in environments/{env}.ts to the number that npm run doctor -- {env} shows, or request a higher quota.',
  ],
  [
    /TooManyRequests|Rate exceeded|ConflictException|Throttl/i,
    'AWS throttled the requests. Run the command again; it continues where it stopped.',
  ],
  [
    /ARM_CONTAINER|environment type .* is not supported/i,
    'CodeBuild has no arm64 in this region. Choose another region in environments/{env}.ts (docs/deploying.md lists them).',
  ],
  [
    /CNAMEAlreadyExists|already associated with a different resource/i,
    'Another CloudFront distribution uses this domain name. Remove it there, or choose another name in environments/{env}.ts.',
  ],
  [
    // https://github.com/aws-samples/aws-cdk-examples/issues/279
    /account must be verified before you can add new CloudFront/i,
    'AWS has not verified this account for CloudFront. Open a case with AWS Support (free) that quotes the message. Until then, site.elsewhere in environments/{env}.ts deploys everything else.',
  ],
  [
    // https://github.com/aws-samples/aws-secure-environment-accelerator/issues/982
    /Cannot have more than \d+ builds in queue/i,
    'AWS has not enabled CodeBuild for this account. Ask Service Quotas or AWS Support for "Concurrently running builds for ARM/Small environment".',
  ],
  [
    // https://docs.aws.amazon.com/cost-management/latest/userguide/ce-enable.html
    /not enabled for cost explorer|AnomalyMonitor|cost allocation tag/i,
    'Cost Explorer is off, or the account is a member of an organization. Remove costAnomalies from environments/{env}.ts.',
  ],
  [
    /certificate/i,
    'npm run doctor -- {env} shows what is wrong with the certificate: its region, its state or its names.',
  ],
  [
    /already exists/i,
    'The resource is left from an earlier deployment. Run npm run destroy -- {env} to remove it, then deploy again.',
  ],
  [
    /quota|limit exceeded|LimitExceeded|maximum number|Cannot exceed/i,
    'The account has reached a quota. Request more in the console under Service Quotas; npm run doctor -- {env} shows which quotas are near.',
  ],
  [
    /not authorized|AccessDenied|explicit deny/i,
    'The role of the CDK bootstrap may not do this. Bootstrap again (npx cdk bootstrap), or change the service control policy of the organization.',
  ],
  [
    /image could not be built|Build.*(failed|FAILED)|CodeBuild/,
    'The container image of the media steps could not be built. docs/runbooks.md, "Media image does not build", names its log.',
  ],
  [
    /did not stabilize|NotStabilized|timed out|Exceeded attempts/i,
    'AWS took longer than its time limit. Run the command again.',
  ],
];

/** Returns how to fix the failure in this output. Null if the reason is unknown. */
export function cureOf(output: string, environment: string): string | null {
  const found = cures.find(([reason]) => reason.test(output));
  return found === undefined ? null : found[1].replaceAll('{env}', environment);
}
