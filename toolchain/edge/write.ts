/** Writes the files that are deployed together with the objects of a built site: `edge/` and `deployer/` in `build/site/<env>`. */
import { join } from 'node:path';
import { writeIfChanged } from '../../content/output/write.ts';
import { contentSecurityPolicy, type SiteManifest } from '../../content/site.ts';
import { rootObject } from '../../edge/root.ts';
import type { DistributionSettings } from '../../lib/site/built-site.ts';
import { bundleDeployer, bundleEdgeFunctions } from './bundle.ts';
import { edgeConstantsOf } from './constants.ts';

interface EdgeOptions {
  /** The folder `build/site/<env>`, with the objects that the manifest names. */
  readonly folder: string;
  readonly manifest: SiteManifest;
  /** SHA-256, in hexadecimal, of the token that opens a preview environment. Without it, the preview stays closed. */
  readonly accessTokenSha256?: string;
}

/** Does not rewrite unchanged files, because the local edge reloads newer files. */
export async function writeEdge({ folder, manifest, accessTokenSha256 }: EdgeOptions): Promise<void> {
  const [functions, deployer] = await Promise.all([
    bundleEdgeFunctions(edgeConstantsOf(manifest, accessTokenSha256)),
    bundleDeployer(),
  ]);
  const files = {
    'deployer/index.mjs': deployer,
    'edge/viewer-request.js': functions.viewerRequest,
    'edge/viewer-response.js': functions.viewerResponse,
    'edge/distribution.json': `${JSON.stringify(distributionSettings, null, 2)}\n`,
  };
  for (const [name, text] of Object.entries(files)) writeIfChanged(join(folder, name), Buffer.from(text));
}

/** Settings of the distribution. Its stack and the local edge both use them. */
export const distributionSettings: DistributionSettings = {
  responseHeaders: {
    'content-security-policy': contentSecurityPolicy,
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'strict-transport-security': 'max-age=63072000; includeSubDomains',
    'x-content-type-options': 'nosniff',
  },
  removedHeaders: ['x-amz-server-side-encryption', 'x-amz-version-id'],
  defaultRootObject: rootObject.slice(1),
  // The object of the same name below `_errors/` has metadata that viewer-response must remove, but viewer-response does not run for this answer.
  errorDocument: '/pages/404.html',
};
