/**
 * Builds the site: `objects/`, `manifest.json`, `edge/` and `deployer/` in `build/site/<env>`.
 *
 *     node scripts/build-site.ts                       all environments
 *     node scripts/build-site.ts prod                  one
 *     node scripts/build-site.ts preview --access-token-sha256 <hex>   opens to whoever has the token
 *     node scripts/build-site.ts local --base-url http://127.0.0.1:9000 --api-url http://127.0.0.1:9001
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type EnvironmentName, environments, type SiteEnvironment } from '../content/site.ts';
import { buildSite } from '../content/site-build.ts';
import { writeEdge } from '../toolchain/edge/write.ts';

const { values, positionals } = parseArgs({
  options: {
    'base-url': { type: 'string' },
    'api-url': { type: 'string' },
    'access-token-sha256': { type: 'string' },
    out: { type: 'string' },
    cache: { type: 'string' },
  },
  allowPositionals: true,
});
const outFolder = values.out ?? join(import.meta.dirname, '../build/site');
const names = positionals.length > 0 ? positionals : Object.keys(environments);

for (const name of names) {
  const environment = chosen(name);
  const started = performance.now();
  const folder = join(outFolder, name);
  const { manifest, pages, changed, removed } = await buildSite({
    environment,
    folder,
    now: new Date(),
    ...(values.cache !== undefined && { cacheFolder: values.cache }),
  });
  const accessTokenSha256 = values['access-token-sha256'] ?? '';
  await writeEdge({ folder, manifest, accessTokenSha256 });
  const time = Math.round(performance.now() - started);
  console.log(
    `${name}: ${pages.length} pages, ${changed.length} objects changed, ${removed.length} removed, ${time} ms`,
  );
}

function chosen(name: string): SiteEnvironment {
  if (!Object.hasOwn(environments, name)) {
    throw new Error(`no environment ${name}; there are ${Object.keys(environments).join(', ')}`);
  }
  const environment = environments[name as EnvironmentName];
  return {
    ...environment,
    baseUrl: values['base-url'] ?? environment.baseUrl,
    apiUrl: values['api-url'] ?? environment.apiUrl,
  };
}
