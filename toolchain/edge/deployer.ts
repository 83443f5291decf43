/** Bundles the function that deploys the site (lib/site/deployer). The AWS SDK comes from Lambda's runtime. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { lambdaModule } from '../bundle/options.ts';

export async function bundleDeployer(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, '..', '..', 'lib', 'site', 'deployer', 'handler.ts')],
    ...lambdaModule,
    write: false,
    external: ['@aws-sdk/*'],
    logLevel: 'warning',
  });
  return outputFiles[0]!.text;
}
