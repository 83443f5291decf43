/** Runs the CDK's command line, in the version that package.json pins. */
import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { root } from '../../toolchain/bundle/paths.ts';
import { cureOf } from './deployment-cures.ts';
import { Failure } from './failure.ts';

export interface Cdk {
  /** The program to run; `pinnedCdk` except in tests. */
  readonly program: string;
  /** The file that collects the output. */
  readonly log: string;
  readonly region: string;
  /** Name of the environment, for the advice on a failure. */
  readonly environment: string;
  /** Receives the output as it comes: the CDK reports the progress of each resource. */
  readonly show?: (text: string) => void;
}

export const pinnedCdk = join(root, 'node_modules', '.bin', 'cdk');

/** How many of the last lines a failure quotes. */
const LAST_LINES = 15;

/** @throws Failure with the last lines of the output, and how to fix it where the cause is known */
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
  throw new Failure({
    says: `cdk ${args[0]} failed:\n${last}`,
    cure: `${cure === null ? '' : `${cure} `}The whole output is in ${log}.`,
  });
}
