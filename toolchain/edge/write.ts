/**
 * Writes the files that are deployed together with the objects of a built site: `edge/` and `deployer/` in
 * `build/site/<env>`.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SiteManifest } from '../../content/site.ts';
import { bundleEdgeFunctions } from './bundle.ts';
import { edgeManifestOf } from './constants.ts';
import { bundleDeployer } from './deployer.ts';
import { distributionSettings } from './settings.ts';

export interface EdgeOptions {
  /** The folder `build/site/<env>`, with the objects that the manifest names. */
  readonly folder: string;
  readonly manifest: SiteManifest;
  /** SHA-256, in hexadecimal, of the token that opens a preview environment. Without it, the preview stays closed. */
  readonly accessTokenSha256?: string;
}

/** Sizes of the written files, bytes. */
export type EdgeSizes = Readonly<Record<'viewer-request.js' | 'viewer-response.js', number>>;

/** Does not rewrite unchanged files, because the emulator reloads newer files. */
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
