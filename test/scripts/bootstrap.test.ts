import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';

/** A checkout with only the bootstrap, and an npm that records its calls. */
let root: string;
let tools: string;
const calls = () =>
  existsSync(join(root, 'npm-calls')) ? readFileSync(join(root, 'npm-calls'), 'utf8') : '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bootstrap-'));
  tools = join(root, 'tools');
  mkdirSync(tools);
  cpSync('scripts/bootstrap', join(root, 'scripts/bootstrap'), { recursive: true });
  cpSync('scripts/bootstrap.mjs', join(root, 'scripts/bootstrap.mjs'));
  writeLockFile({ a: '1.0.0' });
  program('npm', 'echo "$@" >> npm-calls; sleep 0.3; mkdir -p node_modules');
  // Stand-ins, so that the tests install nothing.
  for (const engine of ['ffmpeg', 'pocketsphinx_batch']) program(engine, 'true');
  program('apt-get', 'exit 1');
  mkdirSync(join(root, 'toolchain'));
  script('toolchain/generate.ts', '');
  script('hello.ts', 'const args: string[] = process.argv.slice(2); console.log(JSON.stringify(args));');
});

function writeLockFile(versions: Record<string, string>): void {
  const packages = Object.entries(versions).map(([name, version]) => [`node_modules/${name}`, { version }]);
  const content = { packages: { '': {}, ...Object.fromEntries(packages) } };
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify(content));
}

function program(name: string, content: string): void {
  writeFileSync(join(tools, name), `#!/bin/sh\n${content}\n`);
  chmodSync(join(tools, name), 0o755);
}

const script = (name: string, content: string) => writeFileSync(join(root, name), content);
const command = (...args: string[]) => [join(root, 'scripts/bootstrap.mjs'), ...args];
/** Runs in the project's directory, like npm. */
const options = () => ({ cwd: root, env: { PATH: `${tools}:/usr/bin:/bin`, TMPDIR: root } });
const started = (...args: string[]) => spawn(process.execPath, command(...args), options());
const bootstrap = (...args: string[]) =>
  spawnSync(process.execPath, command(...args), { ...options(), encoding: 'utf8' });

describe('packages', () => {
  it('are installed once, and the script receives its arguments', () => {
    const first = bootstrap('hello.ts', 'a', '--b');
    expect(first.stdout).toBe('["a","--b"]\n');
    expect(first.stderr).toContain('Installing packages');
    expect(bootstrap('hello.ts').stderr).not.toContain('Installing packages');
    expect(calls()).toBe('ci --no-audit --no-fund --loglevel=error\n');
  });

  it('are installed again when the lock file has changed', () => {
    bootstrap('hello.ts');
    writeLockFile({ a: '2.0.0' });
    bootstrap('hello.ts');
    expect(calls().split('\n')).toHaveLength(3);
  });

  it('are installed with npm install if npm ci refuses a lock file without the packages of other platforms', () => {
    program(
      'npm',
      'echo "$@" >> npm-calls; mkdir -p node_modules; [ "$1" != ci ] || { echo EUSAGE >&2; exit 1; }',
    );
    expect(bootstrap('hello.ts', 'a')).toMatchObject({ status: 0, stdout: '["a"]\n' });
    expect(calls()).toContain('install --no-save');
  });

  it('are not installed again if npm has installed the whole lock file', () => {
    mkdirSync(join(root, 'node_modules'));
    writeFileSync(
      join(root, 'node_modules/.package-lock.json'),
      JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0' } } }),
    );
    expect(bootstrap('hello.ts').status).toBe(0);
    expect(calls()).toBe('');
  });

  it('are installed by one of two commands that start at the same time; the other waits', async () => {
    const run = () => text(started('hello.ts').stdout);
    expect(await Promise.all([run(), run()])).toEqual(['[]\n', '[]\n']);
    expect(calls()).toBe('ci --no-audit --no-fund --loglevel=error\n');
  });

  it.each([
    ['npm error code EAI_AGAIN', 'registry cannot be reached'],
    ['npm error ENOSPC: no space left on device', 'disk is full'],
    ['npm error EACCES: permission denied', 'not writable'],
    ['npm error something else', 'npm ci'],
  ])('end the command with advice if they cannot be installed: %s', (said, cure) => {
    program('npm', `echo "${said}" >&2; exit 1`);
    const { status, stderr, stdout } = bootstrap('hello.ts');
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain(said);
    expect(stderr).toContain(cure);
    expect(stderr).not.toContain('at async');
  });
});

describe('the script', () => {
  it('does not install media engines if it needs none', () => {
    program('apt-get', 'echo "apt-get $@" >> npm-calls; exit 1');
    const { stdout, stderr } = bootstrap('--no-engines', 'hello.ts', 'dev');
    expect(stdout).toBe('["dev"]\n');
    expect(stderr).not.toContain('Missing');
    expect(calls()).not.toContain('apt-get');
  });

  it('finds the project’s programs first, with telemetry off', () => {
    script('env.ts', 'console.log(JSON.stringify(process.env))');
    const variables = JSON.parse(bootstrap('env.ts').stdout) as Record<string, string>;
    expect(variables.PATH?.split(':')[0]).toMatch(/node_modules\/\.bin$/);
    expect(variables).toMatchObject({ SCARF_ANALYTICS: 'false', CDK_DISABLE_CLI_TELEMETRY: 'true' });
  });

  it('passes its exit code to the command', () => {
    script('fail.ts', 'process.exit(7)');
    expect(bootstrap('fail.ts').status).toBe(7);
  });

  it('receives the signals of the command', async () => {
    script(
      'wait.ts',
      "process.on('SIGTERM', () => process.exit(5)); console.log('up'); setInterval(() => {}, 1000);",
    );
    bootstrap('hello.ts');
    const child = started('wait.ts');
    child.stdout.once('data', () => child.kill('SIGTERM'));
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(5);
  });

  it('is required; without it the command prints its usage', () => {
    expect(bootstrap()).toMatchObject({ status: 1, stderr: expect.stringContaining('Usage:') });
  });
});
