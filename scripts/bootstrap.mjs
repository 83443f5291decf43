/**
 * Runs a script of the project on a machine that has only Node (20 or newer) and npm:
 *
 *     node scripts/bootstrap.mjs [--with test | --no-engines] <script.ts> [arguments]
 *
 * It installs missing packages and media engines, then starts the script on Node 24. `--no-engines` skips the engines. Plain
 * JavaScript without dependencies, since none may be installed yet. Prints to standard error only.
 */
import { spawn, spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { Cure } from './bootstrap/cure.mjs';
import { installEngines } from './bootstrap/engines.mjs';
import { findNode } from './bootstrap/node.mjs';
import { installPackages } from './bootstrap/packages.mjs';

const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');

try {
  const { profiles, script, args } = readArguments(process.argv.slice(2));
  await installPackages(root);
  const node = findNode(root);
  await installEngines(root, profiles);
  generate(node);
  handOver(node, script, args);
} catch (error) {
  if (!(error instanceof Cure)) throw error;
  console.error(`\n${error.message}`);
  process.exitCode = 1;
}

function readArguments(all) {
  const needsEngines = all[0] !== '--no-engines';
  if (!needsEngines) all.shift();
  const profiles = needsEngines ? ['run'] : [];
  while (all[0] === '--with') profiles.push(...all.splice(0, 2).slice(1));
  const [script, ...args] = all;
  if (!script)
    throw new Cure('Usage: node scripts/bootstrap.mjs [--with test | --no-engines] <script.ts> [arguments]');
  return { profiles, script: join(root, script), args };
}

/** Writes the modules of `build/contract` and `build/engines`, which other modules import. */
function generate(node) {
  const { status } = spawnSync(node, [join(root, 'toolchain', 'generate.ts')], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: environment(),
  });
  if (status !== 0)
    throw new Cure('The modules in build/contract could not be generated. The error is above.');
}

/** Starts the script, forwards signals to it, and exits with its exit code. */
function handOver(node, script, args) {
  const child = spawn(node, [script, ...args], { stdio: 'inherit', env: environment() });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const forward = (signal) => child.kill(signal);
  for (const signal of signals) process.on(signal, forward);
  child.once('error', (error) => {
    console.error(`Cannot run ${node}: ${error.message}`);
    process.exitCode = 1;
  });
  child.once('exit', (code, signal) => {
    for (const each of signals) process.off(each, forward);
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code;
  });
}

/** Returns the environment variables: the project's programs first in PATH, a cache for compiled code, and no telemetry. */
function environment() {
  return {
    ...process.env,
    PATH: [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'node'),
    SCARF_ANALYTICS: 'false',
    DO_NOT_TRACK: '1',
    CDK_DISABLE_CLI_TELEMETRY: 'true',
    REDOCLY_TELEMETRY: 'off',
    SAM_CLI_TELEMETRY: '0',
  };
}
