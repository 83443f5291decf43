/** The command line of the CDK, in the version of package.json, with what it says kept in a file. */
import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { root } from '../../toolchain/bundle/paths.ts';
import { Failure } from './trouble.ts';

export interface Cdk {
  /** The program; that of package.json is `pinnedCdk`. */
  readonly program: string;
  /** Where its output goes; it is added to. */
  readonly log: string;
  readonly region: string;
}

export const pinnedCdk = join(root, 'node_modules', '.bin', 'cdk');

/** So many of its last lines are shown where it fails. */
const LAST_LINES = 15;

/** @throws Failure with the last that it said */
export async function runCdk({ program, log, region }: Cdk, args: readonly string[]): Promise<void> {
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
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      file.write(chunk);
      said = (said + chunk.toString('utf8')).slice(-20_000);
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
  // Where in the code it was is in the log alone.
  const lines = said.split('\n').filter((line) => line.trim() !== '' && !/^\s+at /.test(line));
  const last = lines.slice(-LAST_LINES).join('\n');
  throw new Failure({ says: `cdk ${args[0]} has failed:\n${last}`, cure: `All that it said is in ${log}.` });
}
