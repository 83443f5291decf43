/**
 * Builds all results that are missing or older than their sources: the bundles, and the cloud assembly of the development
 * environment in `cdk.out`, which `npm start` serves and `sam local` reads. Prints nothing if all results are current.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './bundle/lock.ts';
import { assemblyFolder, buildFolder, root } from './bundle/paths.ts';
import { fingerprint, readStamp, writeStamp } from './bundle/stamp.ts';
import { bundle } from './bundle.ts';

/** All inputs of the assembly. */
const sources = [
  'bin',
  'build/bundles.stamp',
  'cdk.json',
  'contract',
  'engines',
  'environments',
  'lib',
  'package-lock.json',
  'state-machines',
];
const stampFile = join(buildFolder, 'assembly.stamp');
/** The manifest in the assembly. Its fingerprint shows if `cdk synth -c env=prod` has written to the same folder. */
const manifest = 'cdk.out/manifest.json';

interface BuildOptions {
  /**
   * Whether to check CloudFormation's rules, which takes two thirds of the time. Tests and deployments check them. The local cloud does
   * not, because it reports resources that it cannot serve.
   */
  readonly checks?: boolean;
  /** Called with one line for each part that was built. Default: writes it to standard error. */
  readonly report?: (line: string) => void;
}

/** Builds all results that are older than their sources. Returns true if it built something. */
export async function ensureBuilt({
  checks = true,
  report = console.error,
}: BuildOptions = {}): Promise<boolean> {
  const { made } = await bundle({ report });
  const assemble = () => assembleIfStale(checks, report);
  return (await withLock(join(buildFolder, 'assembly.lock.db'), assemble)) || made;
}

async function assembleIfStale(checks: boolean, report: (line: string) => void): Promise<boolean> {
  const now = fingerprint(sources);
  const then = readStamp(stampFile);
  const isFresh = then?.sources === now && then.output === fingerprint([manifest]);
  if (isFresh && (then.isChecked || !checks)) return false;

  const started = performance.now();
  synthesize(checks);
  const { writeSampleEnvironment } = await import('./bundle/sample-events.ts');
  writeSampleEnvironment(assemblyFolder);
  writeStamp(stampFile, { sources: now, output: fingerprint([manifest]), isChecked: checks });
  report(`synthesized the stacks in ${Math.round(performance.now() - started)} ms`);
  return true;
}

/** Does the same as `cdk synth`, but faster: the command line of the CDK takes a second to start. */
function synthesize(checks: boolean): void {
  const { context } = JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8')) as { context: object };
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'bin', 'kinora.ts')], {
    cwd: root,
    encoding: 'utf8',
    env: {
      ...process.env,
      ...(!checks && { CDK_VALIDATION: 'false' }),
      CDK_OUTDIR: assemblyFolder,
      // Leaves out the stack of the site, because the local cloud serves the site itself. `cdk` and tests synthesize this stack.
      CDK_CONTEXT_JSON: JSON.stringify({ ...context, ...metadata, site: false, local: true }),
    },
  });
  if (status !== 0 || !existsSync(join(root, manifest)))
    throw new Error(`The stacks do not synthesize:\n${stderr}`);
}

/** `sam local` and the local cloud find a function's bundle by this metadata. */
const metadata = { 'aws:cdk:enable-path-metadata': true, 'aws:cdk:enable-asset-metadata': true };

if (import.meta.main) await ensureBuilt();
