/** Follows a recipe in trees of files instead of layers of Docker: each stage is a Debian of its own, entered by chroot. */
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from '../../toolchain/bundle/paths.ts';
import { fingerprint, readStamp, writeStamp } from '../../toolchain/bundle/stamp.ts';
import type { Instruction, Recipe, Stage } from './dockerfile.ts';

export interface RehearsalOptions {
  /** Where the trees are made. */
  readonly folder: string;
  /** What COPY reads from. */
  readonly context: string;
  /** Values of ARG. */
  readonly buildArgs: Readonly<Record<string, string>>;
  /** A folder as npm's package `node` has it, with `bin` and `include`, and one of npm itself. */
  readonly node: string;
  readonly npm: string;
  /** Receives a line for each step. */
  readonly report: (line: string) => void;
}

/** What a shell finds in the base image. */
export const imagePath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Makes the trees of all stages, but for those whose lines, sources and stages before are what they were.
 * @returns that of the last, which stands for the image
 */
export function buildTree(recipe: Recipe, options: RehearsalOptions): string {
  const base = debian(recipe.stages[0]!.base, options);
  for (const [index, stage] of recipe.stages.entries()) {
    const before = recipe.stages.slice(0, index);
    const tree = treeOf(stage, options);
    const made = keyOf([...before, stage], options);
    if (readStamp(`${tree}.stamp`)?.sources === made) continue;
    options.report(`Stage ${stage.name ?? 'image'}, on ${stage.base}`);
    rmSync(`${tree}.stamp`, { force: true });
    rmSync(tree, { recursive: true, force: true });
    execFileSync('cp', ['-a', base, tree]);
    follow(stage, tree, before, options);
    writeStamp(`${tree}.stamp`, { sources: made });
  }
  return treeOf(recipe.stages.at(-1)!, options);
}

/** What the last of these stages depends on. */
function keyOf(stages: readonly Stage[], { context, buildArgs }: RehearsalOptions): string {
  const steps = stages.flatMap((stage) => stage.steps);
  const copied = steps.flatMap((step) => (step.kind === 'COPY' && !step.from ? [step.source] : []));
  const sources = fingerprint(copied.map((source) => relative(root, join(context, source))));
  const given = steps.flatMap((step) => (step.kind === 'ARG' ? [buildArgs[step.name]] : []));
  return hash('sha256', JSON.stringify([stages, sources, given]));
}

const treeOf = ({ name }: Stage, { folder }: RehearsalOptions) => join(folder, `stage-${name ?? 'image'}`);

/** In place of the base image: the Debian that its tag names, and Node. Kept, since it takes two minutes. */
function debian(image: string, { folder, node, npm, report }: RehearsalOptions): string {
  const suite = /^\S+\/node:24-(\w+)-slim$/.exec(image)?.[1];
  if (!suite) throw new Error(`The rehearsal knows no stand-in for ${image}`);
  const tree = join(folder, `base-${suite}`);
  if (existsSync(join(tree, 'usr/local/bin/npm'))) return tree;
  report(`Debian ${suite} by debootstrap`);
  rmSync(tree, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  execFileSync('debootstrap', ['--variant=minbase', '--include=ca-certificates', suite, tree], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const archive = 'http://deb.debian.org';
  const sources = [
    `deb ${archive}/debian ${suite} main`,
    `deb ${archive}/debian ${suite}-updates main`,
    `deb ${archive}/debian-security ${suite}-security main`,
  ];
  writeFileSync(join(tree, 'etc/apt/sources.list'), `${sources.join('\n')}\n`);
  // As the official images have it: packages are not kept.
  const clean = 'DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb"; };\n';
  writeFileSync(join(tree, 'etc/apt/apt.conf.d/docker-clean'), clean);
  const local = join(tree, 'usr/local');
  for (const part of ['bin', 'include']) cpSync(join(node, part), join(local, part), { recursive: true });
  cpSync(npm, join(local, 'lib/node_modules/npm'), { recursive: true, dereference: true });
  inTree(tree, 'ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm');
  return tree;
}

function follow(stage: Stage, tree: string, before: readonly Stage[], options: RehearsalOptions): void {
  const networked = withNetworkOfThisMachine(tree);
  let directory = '/';
  const known: Record<string, string> = {};
  for (const step of stage.steps) {
    options.report(`  ${step.kind} ${describe(step)}`);
    if (step.kind === 'WORKDIR') directory = step.directory;
    else if (step.kind === 'ARG') known[step.name] = options.buildArgs[step.name] ?? '';
    else if (step.kind === 'RUN') inTree(tree, step.command, { ...networked, ...known }, directory);
    else copy(step, tree, before, options);
  }
}

function copy(
  { from, source, target }: Extract<Instruction, { kind: 'COPY' }>,
  tree: string,
  before: readonly Stage[],
  options: RehearsalOptions,
): void {
  const stage = before.find(({ name }) => from !== undefined && name === from);
  if (from && !stage) throw new Error(`There is no stage ${from} before this one`);
  const origin = join(stage ? treeOf(stage, options) : options.context, source);
  mkdirSync(dirname(join(tree, target)), { recursive: true });
  cpSync(origin, join(tree, target), { recursive: true });
}

/** Runs a line of the recipe as root, with mounts that end with it. */
function inTree(
  tree: string,
  command: string,
  variables: Record<string, string> = {},
  directory = '/',
): void {
  const enter = `
    mount -t proc proc "$0/proc"
    mount -t devpts devpts "$0/dev/pts"
    exec chroot "$0" /bin/sh -c 'cd "$0" && eval "$1"' "$1" "$2"`;
  execFileSync('unshare', ['--mount', 'sh', '-e', '-c', enter, tree, directory, command], {
    env: { PATH: imagePath, DEBIAN_FRONTEND: 'noninteractive', ...variables },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Names and certificates: the tree sees the network as this machine does. */
function withNetworkOfThisMachine(tree: string): Record<string, string> {
  for (const file of ['/etc/resolv.conf', '/etc/hosts', '/etc/ssl/certs/ca-certificates.crt']) {
    if (existsSync(file)) writeFileSync(join(tree, file), readFileSync(file));
  }
  const settings = ['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];
  const given = settings.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  return {
    ...Object.fromEntries(given),
    npm_config_registry: registry,
    NODE_EXTRA_CA_CERTS: '/etc/ssl/certs/ca-certificates.crt',
  };
}

const describe = (step: Instruction) => {
  if (step.kind === 'RUN') return step.command;
  if (step.kind === 'COPY') return `${step.from ? `${step.from}:` : ''}${step.source} ${step.target}`;
  return step.kind === 'ARG' ? step.name : step.directory;
};
