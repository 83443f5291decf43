/** Describes this repository to the local cloud. Stale parts are built first, in separate processes. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RecordedRun } from '../local/iam/permission-usage.ts';
import type { KeyStore, Product } from '../local/product.ts';
import { assemblyFolder, buildFolder, root } from './bundle/paths.ts';
import { fingerprint, readStamp, writeStamp } from './bundle/stamp.ts';
import { engineVariables, type LocalSettings } from './local-engines.ts';

const execute = promisify(execFile);
const command = (name: string) => join(root, 'scripts', `${name}.ts`);

const stackPrefix = 'Kinora-dev-';

/** The files with the permissions that `npm test` records. */
export const recordedRun: RecordedRun = {
  assembly: assemblyFolder,
  stackPrefix,
  decisions: join(buildFolder, 'permissions'),
};

/** @param assembly a `cdk.out` to serve instead of the assembly of this repository */
export const productOf = (assembly?: string): Product => ({
  stackPrefix,
  assembly: (report) => (assembly === undefined ? built(report) : Promise.resolve(assembly)),
  site: builtSite,
  keyScopes: () => fingerprint(['contract/kit/scopes.ts']),
  newKey,
  variables: ({ metadata, settingsFile, secretKey }) => ({
    ...engineVariables((metadata['kinora:local-settings'] ?? {}) as LocalSettings),
    ENGINES: 'local',
    REACHABLE_ADDRESSES: 'all',
    SETTINGS_FILE: settingsFile,
    LOCAL_SECRET_KEY: secretKey,
  }),
  turnOf,
});

/** Builds the assembly. Imports the build here, because a caller with its own assembly needs no esbuild and no CDK. */
async function built(report: (line: string) => void): Promise<string> {
  const { ensureBuilt } = await import('./build.ts');
  await ensureBuilt({ checks: false, report: (line) => report(`Build: ${line}`) });
  return assemblyFolder;
}

/** The inputs of the site, except its addresses. */
const siteSources = [
  ...['content', 'contract', 'docs', 'edge', 'lib/site', 'package-lock.json', 'scripts/build-site.ts'],
  'toolchain',
];

/**
 * Builds the site if an input has changed, and every month, because its security.txt contains a date. All local clouds share the
 * cache, because pictures take seconds to draw and are the same everywhere.
 */
async function builtSite(folder: string, { baseUrl, apiUrl }: { baseUrl: string; apiUrl: string }) {
  const built = join(folder, 'local');
  const stamp = join(folder, 'local.stamp');
  const month = new Date().toISOString().slice(0, 7);
  const sources = [fingerprint(siteSources), baseUrl, apiUrl, month].join(' ');
  if (readStamp(stamp)?.sources === sources && existsSync(join(built, 'manifest.json'))) return built;
  const addresses = ['--base-url', baseUrl, '--api-url', apiUrl];
  const folders = ['--out', folder, '--cache', join(buildFolder, 'site', 'cache')];
  await execute(process.execPath, [command('build-site'), 'local', ...addresses, ...folders]);
  writeStamp(stamp, { sources });
  return built;
}

async function newKey(at: KeyStore): Promise<string> {
  const args = ['create', '--tenant', 'demo', '--name', 'local cloud', '--table', at.authTable];
  const { stdout } = await execute(process.execPath, [command('keys'), ...args, '--region', at.region], {
    env: {
      PATH: process.env.PATH,
      AWS_ENDPOINT_URL_DYNAMODB: at.endpoint,
      AWS_ACCESS_KEY_ID: at.accessKeyId,
      AWS_SECRET_ACCESS_KEY: at.secretAccessKey,
    },
  });
  return (JSON.parse(stdout) as { api_key: string }).api_key;
}

/** Returns the ids of the tenant and of the job: tenants take turns, and so do the jobs of a tenant (platform/kernel/job-step.ts). */
function turnOf(payload: string): readonly string[] {
  const { tenant, job_id } = (JSON.parse(payload) ?? {}) as { tenant?: string; job_id?: string };
  return [tenant, job_id].filter((id) => id !== undefined);
}

/** The command that starts the local cloud in the foreground. Programs run it in the background. */
export const startCommand = command('start');
