/** What the site answers, case by case, and the rules behind the cases, over raw sockets. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import type { SiteManifest } from '../../../content/site.ts';
import type { ResponseUri } from '../../../local/edge/distribution.ts';
import { describeIndexesAndHosts } from './conformance/hosts.ts';
import { describeHttp } from './conformance/http.ts';
import { describeMissingPages } from './conformance/missing.ts';
import { describePages } from './conformance/pages.ts';
import { describePaths } from './conformance/paths.ts';
import { type SiteUnderTest, visit } from './conformance/visit.ts';
import { makeFixture } from './fixture.ts';

const parts = [describePages, describeMissingPages, describePaths, describeHttp, describeIndexesAndHosts];

function conforms(name: string, open: () => Promise<SiteUnderTest>, responseUri: ResponseUri): void {
  describe(name, () => {
    const site = visit(open, responseUri);
    for (const part of parts) part(site);
  });
}

async function fixture(): Promise<SiteUnderTest> {
  const { folder } = await makeFixture();
  const asset = '/assets/style-abc123.css';
  return { folder, baseUrl: 'https://kinora.example', alternateHost: 'www.kinora.example', asset };
}

conforms('the fixture, viewer-response seeing the rewritten URI', fixture, 'rewritten');
conforms('the fixture, viewer-response seeing the URI as it was sent', fixture, 'original');

/** There only after `npm run build:site`. */
const built = join(import.meta.dirname, '../../../build/site/prod');

if (existsSync(join(built, 'edge', 'viewer-request.js'))) {
  const { hosts, objects } = JSON.parse(readFileSync(join(built, 'manifest.json'), 'utf8')) as SiteManifest;
  const style = objects.find(({ key }) => /^assets\/.*\.css$/.test(key))!;
  const site = {
    folder: built,
    baseUrl: hosts.baseUrl,
    alternateHost: hosts.alternateHosts[0]!,
    asset: `/${style.key}`,
  };
  conforms('the built site', async () => site, 'rewritten');
}
