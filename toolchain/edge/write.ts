/** Writes what deploys beside the objects of a built site: `edge/` and `deployer/` in `build/site/<env>`. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SiteManifest } from '../../content/site.ts';
import { bundleEdgeFunctions } from './bundle.ts';
import { edgeManifestOf } from './constants.ts';
import { bundleDeployer } from './deployer.ts';
import { distributionSettings } from './settings.ts';

export interface EdgeOptions {
  /** `build/site/<env>`, with the objects that the manifest names. */
  readonly folder: string;
  readonly manifest: SiteManifest;
  /** Hex, of the token that opens a preview environment; nothing opens it without. */
  readonly accessTokenSha256?: string;
}

/** Bytes by file. */
export type EdgeSizes = Readonly<Record<'viewer-request.js' | 'viewer-response.js', number>>;

/** Leaves files alone that would not change: the emulator reads again what is newer. */
export async function writeEdge({ folder, manifest, accessTokenSha256 }: EdgeOptions): Promise<EdgeSizes> {
  const [functions, deployer] = await Promise.all([
    bundleEdgeFunctions(edgeManifestOf(manifest, accessTokenSha256)),
    bundleDeployer(),
  ]);
  const files = {
    'deployer/index.mjs': deployer,
    'edge/viewer-request.js': functions.viewerRequest,
    'edge/viewer-response.js': functions.viewerResponse,
    'edge/distribution.json': `${JSON.stringify(distributionSettings, null, 2)}\n`,
  };
  for (const [name, text] of Object.entries(files)) writeUnlessEqual(join(folder, name), text);
  return {
    'viewer-request.js': Buffer.byteLength(functions.viewerRequest),
    'viewer-response.js': Buffer.byteLength(functions.viewerResponse),
  };
}

function writeUnlessEqual(file: string, text: string): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
