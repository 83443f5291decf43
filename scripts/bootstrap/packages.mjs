/** Installs the packages of package-lock.json if they are missing or outdated. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cure } from './cure.mjs';
import { withLock } from './lock.mjs';

const OLDEST_NODE = 20;

export async function installPackages(root) {
  if (isStamped(root)) return;
  if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
    throw new Cure(
      `Node ${process.versions.node} is too old to install Kinora; get Node 24 from https://nodejs.org/en/download`,
    );
  }
  await withLock(root, 'Another command is installing packages; waiting for it …', async () => {
    if (isStamped(root)) return;
    if (!isInstalled(root)) await install(root);
    mkdirSync(join(root, 'node_modules'), { recursive: true });
    writeFileSync(stampOf(root), fingerprint(root));
  });
}

const stampOf = (root) => join(root, 'node_modules', '.kinora-lock');

function fingerprint(root) {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
}

function isStamped(root) {
  try {
    return readFileSync(stampOf(root), 'utf8') === fingerprint(root);
  } catch {
    return false;
  }
}

/** Whether npm has already installed the whole lock file. npm records what it installed in node_modules/.package-lock.json. */
function isInstalled(root) {
  try {
    const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
    const present = JSON.parse(
      readFileSync(join(root, 'node_modules', '.package-lock.json'), 'utf8'),
    ).packages;
    return Object.entries(wanted)
      .filter(([path, { optional }]) => path !== '' && (present[path] || !optional))
      .every(([path, { version }]) => present[path]?.version === version);
  } catch {
    return false;
  }
}

async function install(root) {
  const started = Date.now();
  const elapsed = () => `${Math.round((Date.now() - started) / 1000)} s`;
  console.error('Installing packages (once; a minute or two) …');
  const heartbeat = setInterval(() => console.error(`  … ${elapsed()}`), 15_000);
  let { code, said } = await npm(root, 'ci');
  // Lock files from a registry without the packages of other platforms are incomplete. `npm ci` refuses them, `npm install` does not.
  if (code !== 0 && /EUSAGE/.test(said)) {
    console.error('  package-lock.json is not complete; installing with npm install instead');
    ({ code, said } = await npm(root, 'install', '--no-save'));
  }
  clearInterval(heartbeat);
  if (code !== 0) throw cureFor(said);
  console.error(`Installed packages in ${elapsed()}.`);
}

async function npm(root, ...args) {
  const { command, first } = npmCommand();
  const child = spawn(command, [...first, ...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    shell: process.platform === 'win32',
    env: { ...process.env, SCARF_ANALYTICS: 'false' },
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      said += error.message;
      resolve(1);
    });
    child.once('close', resolve);
  });
  return { code, said };
}

/** Returns the npm that started this process. Undefined if npm did not start it. */
function npmCommand() {
  const cli = process.env.npm_execpath;
  return cli?.endsWith('.js') ? { command: process.execPath, first: [cli] } : { command: 'npm', first: [] };
}

const cures = [
  [
    /ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH/,
    'The npm registry cannot be reached. Check the network, or a proxy (npm config get registry), and run the command again.',
  ],
  [/ENOSPC/, 'The disk is full. Packages need about 600 MB; make room and run the command again.'],
  [
    /EACCES|EPERM/,
    'The project’s folder is not writable. Change its owner to your user (chown) and run the command again.',
  ],
  [/spawn npm ENOENT/, 'npm is not installed. Get it with Node from https://nodejs.org/en/download'],
];

function cureFor(said) {
  const known = cures.find(([pattern]) => pattern.test(said));
  return new Cure(
    `${said.trim()}\n\n${known ? known[1] : 'npm ci failed; run it by itself to see more: npm ci'}`,
  );
}
