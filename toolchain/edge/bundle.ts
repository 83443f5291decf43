/** Bundles the deployer and the two CloudFront functions. Each CloudFront function becomes one script with the constants of its environment. */
import { join } from 'node:path';
import { build } from 'esbuild';
import type { EdgeConstants } from '../../edge/manifest.ts';
import { itemAt } from '../../shared/checked-access.ts';
import { lambdaModule } from '../bundle/esbuild.ts';
import { root } from '../bundle/paths.ts';

/** The maximum size of a function, bytes. It is below CloudFront's limit of 10 KB, so that the build fails instead of the deployment. */
export const largestFunction = 9_728;

export interface EdgeFunctions {
  readonly viewerRequest: string;
  readonly viewerResponse: string;
}

const sources = join(root, 'edge');

export async function bundleEdgeFunctions(constants: EdgeConstants): Promise<EdgeFunctions> {
  const [viewerRequest, viewerResponse] = await Promise.all([
    bundle('viewer-request.ts', 'answerViewer', constants),
    bundle('viewer-response.ts', 'completeResponse', constants),
  ]);
  return { viewerRequest, viewerResponse };
}

async function bundle(source: string, entry: string, constants: EdgeConstants): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(sources, source)],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
    define: Object.fromEntries(
      Object.entries(constants).map(([name, value]) => [`EDGE.${name}`, JSON.stringify(value)]),
    ),
    ...runtime,
  });
  const code = asHandler(itemAt(outputFiles, 0).text, entry);
  const bytes = Buffer.byteLength(code);
  if (bytes > largestFunction) {
    throw new Error(
      `${source} has ${bytes} bytes, ${bytes - largestFunction} over the limit of ${largestFunction}`,
    );
  }
  return code;
}

/**
 * cloudfront-js-2.0 is ECMAScript 5.1 with parts of later editions. esbuild rewrites some newer syntax (`?.`, `??`,
 * spread, default parameters). Syntax that esbuild cannot rewrite fails the build (for-of, destructuring, classes).
 */
const runtime = {
  target: 'es5',
  supported: { 'const-and-let': true, arrow: true, 'template-literal': true },
} as const;

/**
 * CloudFront calls the function `handler` of a script, and rejects a script with `export`. `require` loads CloudFront's modules.
 * The source uses another name for `require`, because esbuild would replace it with a shim.
 */
function asHandler(module: string, entry: string): string {
  const exported = new RegExp(`export\\{([\\w$]+) as ${entry}\\};\\s*$`);
  const name = exported.exec(module)?.[1];
  if (name === undefined) throw new Error(`${entry} is not the only export of its bundle`);
  return module
    .replace(exported, () => `function handler(e){return ${name}(e)}\n`)
    .replaceAll('requireOfTheRuntime(', 'require(');
}

/** Bundles the function that deploys the site (lib/site/deployer). The AWS SDK is part of Lambda's runtime. */
export async function bundleDeployer(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'lib', 'site', 'deployer', 'handler.ts')],
    ...lambdaModule,
    write: false,
    external: ['@aws-sdk/*'],
    logLevel: 'warning',
  });
  return itemAt(outputFiles, 0).text;
}
