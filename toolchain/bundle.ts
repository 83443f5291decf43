/**
 * Bundles all Lambdas with one esbuild call, into `build/lambdas/<LogicalId>/index.mjs`. Also copies the files of the
 * API reference and of the image for the media steps.
 *
 *     node toolchain/bundle.ts   bundles, if a source has changed
 */
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtinsPlugin, lambdaModule, sdkPlugin } from './bundle/esbuild.ts';
import { withLock } from './bundle/lock.ts';
import {
  canarySources,
  isCanaryStaged,
  isMediaImageStaged,
  stageCanary,
  stageMediaImage,
} from './bundle/media-image.ts';
import { buildFolder, bundleFile, lambdasFolder, metaFile, sampleEventsFolder } from './bundle/paths.ts';
import { isReferenceStaged, referenceSources, stageReference } from './bundle/reference.ts';
import { fingerprint, readStamp, writeStamp } from './bundle/stamp.ts';
import { ensureGenerated } from './generate.ts';

/** All inputs of the bundles. The lock file represents the packages. */
const sources = [
  ...referenceSources,
  canarySources,
  'build/contract',
  'build/engines',
  'client',
  'contract',
  'edge',
  'engines',
  'lambdas',
  'lib/jobs/media-image',
  'lib/jobs/steps.ts',
  'media',
  'package-lock.json',
  'platform',
  'shared',
  'toolchain/bundle',
  'toolchain/bundle.ts',
];
const stampFile = join(buildFolder, 'bundles.stamp');

interface BundleOptions {
  /** Whether to bundle even if no source has changed. */
  readonly force?: boolean;
  /** Called with one line if something was bundled. */
  readonly report?: (line: string) => void;
}

interface BundleResult {
  readonly made: boolean;
}

/** Bundles every Lambda unless the last bundles were made from the same sources. */
export async function bundle(options: BundleOptions = {}): Promise<BundleResult> {
  await ensureGenerated();
  return withLock(join(buildFolder, 'bundles.lock.db'), () => bundleIfStale(options));
}

async function bundleIfStale({ force = false, report = () => {} }: BundleOptions): Promise<BundleResult> {
  const now = fingerprint(sources);
  const then = readStamp(stampFile);
  const names = then?.output?.split(' ') ?? [];
  const isComplete =
    names.every((name) => existsSync(bundleFile(name))) &&
    isReferenceStaged() &&
    isCanaryStaged() &&
    isMediaImageStaged() &&
    existsSync(sampleEventsFolder);
  const isFresh = then?.sources === now && isComplete;
  if (isFresh && !force) return { made: false };

  const started = performance.now();
  const [made] = await Promise.all([bundleAll(), stageReference()]);
  stageCanary();
  stageMediaImage();
  await stageEvents();
  writeStamp(stampFile, { sources: now, output: made.join(' ') });
  report(`bundled ${made.length} functions in ${Math.round(performance.now() - started)} ms`);
  return { made: true };
}

/** Bundles all Lambdas. Imports esbuild and the contract here, because most runs have nothing to bundle. */
async function bundleAll(): Promise<string[]> {
  const { build } = await import('esbuild');
  const { lambdaEntries, requireSources } = await import('./bundle/entries.ts');
  const entries = lambdaEntries();
  requireSources(entries);
  const { metafile } = await build({
    entryPoints: entries.map(({ name, source }) => ({ in: source, out: join(name, 'index') })),
    outdir: lambdasFolder,
    outExtension: { '.js': '.mjs' },
    ...lambdaModule,
    metafile: true,
    logLevel: 'warning',
    plugins: [builtinsPlugin(), sdkPlugin()],
  });
  writeFileSync(metaFile, JSON.stringify(metafile));
  const names = entries.map(({ name }) => name);
  removeOthers(names);
  return names;
}

async function stageEvents(): Promise<void> {
  const { writeSampleEvents } = await import('./bundle/sample-events.ts');
  writeSampleEvents();
}

/** Removes bundles of deleted functions. Keeps the other bundles in place, because another process may be reading them. */
function removeOthers(names: readonly string[]): void {
  const others = readdirSync(lambdasFolder).filter((name) => !names.includes(name));
  for (const name of others) rmSync(join(lambdasFolder, name), { recursive: true });
}

if (import.meta.main) await bundle({ report: (line) => console.error(line) });
