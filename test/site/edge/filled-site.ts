/** The site that `npm run build:site` made of production, as its deployment fills it in, under names of its own. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SiteManifest } from '../../../content/site.ts';
import { withFilled } from '../../../lib/site/deployer/filling.ts';
import { apiNamedByGateway, siteNamedByCloudFront } from '../../../lib/site/placeholders.ts';
import { root } from '../../../toolchain/bundle/paths.ts';
import { writeEdge } from '../../../toolchain/edge/write.ts';
import type { Fixture } from './fixture.ts';

const built = join(root, 'build', 'site', 'prod');

/** There only after `npm run build:site`. */
export const isBuilt = existsSync(join(built, 'edge', 'viewer-request.js'));

const named = {
  baseUrl: 'https://kinora.example',
  apiUrl: 'https://api.kinora.example',
  host: 'kinora.example',
  alternateHosts: ['www.kinora.example'],
  isPublic: true,
};

let made: Promise<Fixture> | undefined;

/** The same for all tests of a process. */
export function filledSite(): Promise<Fixture> {
  made ??= fill();
  return made;
}

async function fill(): Promise<Fixture> {
  const site = JSON.parse(readFileSync(join(built, 'manifest.json'), 'utf8')) as SiteManifest;
  const hosts = site.hosts.baseUrl === siteNamedByCloudFront ? named : site.hosts;
  const objects = site.objects.map((object) => ({ ...object, body: readFileSync(join(built, object.file)) }));
  const filling = { [siteNamedByCloudFront]: hosts.baseUrl, [apiNamedByGateway]: hosts.apiUrl };
  const folder = mkdtempSync(join(tmpdir(), 'kinora-filled-'));
  for (const { key, body } of withFilled(objects, filling)) {
    const file = join(folder, 'objects', key);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, body);
  }
  const manifest = { ...site, hosts };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  await writeEdge({ folder, manifest });
  return { folder, manifest };
}
