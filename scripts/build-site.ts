/**
 * Builds the site: `objects/`, `manifest.json`, `edge/` and `deployer/` in `build/site/<env>`.
 *
 *     node scripts/build-site.ts                       every environment with a site
 *     node scripts/build-site.ts prod                  one environment
 *     node scripts/build-site.ts local --base-url http://127.0.0.1:9000 --api-url http://127.0.0.1:9001
 */
import { join } from 'node:path';
import { localSite, type SiteEnvironment } from '../content/site.ts';
import { buildSite } from '../content/site-build.ts';
import { accessTokenSha256 } from '../lib/site/placeholders.ts';
import { writeEdge } from '../toolchain/edge/write.ts';
import { argumentsOf } from './arguments.ts';
import { Misuse, reportFailure } from './deployment/failure.ts';

const usage =
  'npm run build:site -- [ENVIRONMENT …] [--base-url URL] [--api-url URL] [--out FOLDER] [--cache FOLDER]';

const { values, positionals } = argumentsOf(
  { text: usage, help: 'npm run build:site -- --help', words: Number.POSITIVE_INFINITY },
  {
    options: {
      'base-url': { type: 'string' },
      'api-url': { type: 'string' },
      out: { type: 'string' },
      cache: { type: 'string' },
    },
  },
);
try {
  await build();
} catch (error) {
  reportFailure(error);
}

async function build(): Promise<void> {
  const outFolder = values.out ?? join(import.meta.dirname, '../build/site');
  const names = positionals.length > 0 ? positionals : await (await deployed()).environmentsWithSite();

  for (const name of names) {
    const environment = await chosen(name);
    const started = performance.now();
    const folder = join(outFolder, name);
    const { manifest, pages, changed, removed } = await buildSite({
      environment,
      folder,
      now: new Date(),
      ...(values.cache !== undefined && { cacheFolder: values.cache }),
    });
    await writeEdge({ folder, manifest, accessTokenSha256 });
    const time = Math.round(performance.now() - started);
    console.log(
      `${name}: ${pages.length} pages, ${changed.length} objects changed, ${removed.length} removed, ${time} ms`,
    );
  }
}

async function chosen(name: string): Promise<SiteEnvironment> {
  const environment = name === localSite.name ? localSite : await deployedSite(name);
  return {
    ...environment,
    baseUrl: values['base-url'] ?? environment.baseUrl,
    apiUrl: values['api-url'] ?? environment.apiUrl,
  };
}

async function deployedSite(name: string): Promise<SiteEnvironment> {
  try {
    return await (await deployed()).siteEnvironmentNamed(name);
  } catch (cause) {
    const cure = `Correct environments/${name}.ts, or choose another environment: ${usage}`;
    throw new Misuse((cause as Error).message, cure, { cause });
  }
}

/** Imports the environments only when they are needed, because they import the CDK, which takes a second to load. */
function deployed() {
  return import('../toolchain/site-environment.ts');
}
