/** Bundles the function that deploys the site (lib/site/deployer). Lambda's runtime brings the AWS SDK. */
import { join } from 'node:path';
import { build } from 'esbuild';

export async function bundleDeployer(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, '..', '..', 'lib', 'site', 'deployer', 'handler.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    external: ['@aws-sdk/*'],
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  return outputFiles[0]!.text;
}
