/** Installs the packages of package-lock.json where they are not, or not those. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cure } from './cure.mjs';
import { withLock } from './lock.mjs';

const oldestNode = 20;

export async function installPackages(root) {
  if (isStamped(root)) return;
  if (Number.parseInt(process.versions.node, 10) < oldestNode) {
    throw new Cure(
      `Node ${process.versions.node} is too old to install Kinora; get Node 24 from https://nodejs.org/en/download`,
    );
  }
  await withLock(root, 'Another command is installing packages; waiting for it …', async () => {
    if (isStamped(root)) return;
    if (!isInstalled(root)) await npmCi(root);
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

/** Whether npm has put all of the lock file here already; it notes what it did in node_modules/.package-lock.json. */
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

async function npmCi(root) {
  const started = Date.now();
  console.error('Installing packages (once; a minute or two) …');
  const heartbeat = setInterval(() => {
    console.error(`  … ${Math.round((Date.now() - started) / 1000)} s`);
  }, 15_000);
  const { command, first } = npm();
  const child = spawn(command, [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
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
  clearInterval(heartbeat);
  if (code !== 0) throw cureFor(said);
  console.error(`Installed packages in ${Math.round((Date.now() - started) / 1000)} s.`);
}

/** The npm that started this, when one did. */
function npm() {
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
    'The project’s directory cannot be written to. Give it to your user (chown) and run the command again.',
  ],
  [/EUSAGE/, 'package.json and package-lock.json do not fit together; run: npm install'],
  [/spawn npm ENOENT/, 'npm is not installed. Get it with Node from https://nodejs.org/en/download'],
];

function cureFor(said) {
  const known = cures.find(([pattern]) => pattern.test(said));
  return new Cure(
    `${said.trim()}\n\n${known ? known[1] : 'npm ci failed; run it by itself to see more: npm ci'}`,
  );
}
