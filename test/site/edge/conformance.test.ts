import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SiteManifest } from '../../../content/site.ts';
import { describeConformance, type SiteUnderTest } from './conformance.ts';
import { makeFixture } from './fixture.ts';

async function fixture(): Promise<SiteUnderTest> {
  const { folder } = await makeFixture();
  return { folder, baseUrl: 'https://kinora.example', alternateHost: 'www.kinora.example' };
}

describeConformance('the fixture, viewer-response seeing the rewritten URI', fixture, 'rewritten');
describeConformance('the fixture, viewer-response seeing the URI as it was sent', fixture, 'original');

/** There only after `npm run build:site`. */
const built = join(import.meta.dirname, '../../../build/site/prod');

if (existsSync(join(built, 'edge', 'viewer-request.js'))) {
  const { hosts } = JSON.parse(readFileSync(join(built, 'manifest.json'), 'utf8')) as SiteManifest;
  const site = { folder: built, baseUrl: hosts.baseUrl, alternateHost: hosts.alternateHosts[0]! };
  describeConformance('the built site', async () => site, 'rewritten');
}
