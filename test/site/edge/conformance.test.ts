/** The answers of the site, case by case, and the rules behind them, over raw sockets. */
import { describe } from 'vitest';
import { describeIndexesAndHosts } from './conformance/hosts.ts';
import { describeHttp } from './conformance/http.ts';
import { describeMissingPages } from './conformance/missing.ts';
import { describePages } from './conformance/pages.ts';
import { describePaths } from './conformance/paths.ts';
import { type SiteUnderTest, type Visit, visit } from './conformance/visit.ts';
import { filledSite, isBuilt } from './filled-site.ts';
import { makeFixture } from './fixture.ts';

const parts = [describePages, describeMissingPages, describePaths, describeHttp, describeIndexesAndHosts];

function conforms(name: string, site: Visit): void {
  describe(name, () => {
    for (const part of parts) part(site);
  });
}

const fixture: SiteUnderTest = {
  folder: (await makeFixture()).folder,
  ...{ baseUrl: 'https://kinora.example', alternateHost: 'www.kinora.example' },
  asset: '/assets/style-abc123.css',
};

conforms('the fixture, viewer-response seeing the rewritten URI', await visit(fixture, 'rewritten'));
conforms('the fixture, viewer-response seeing the URI as it was sent', await visit(fixture, 'original'));

async function builtSite(): Promise<SiteUnderTest> {
  const { folder, manifest } = await filledSite();
  const { baseUrl, alternateHosts } = manifest.hosts;
  const style = manifest.objects.find(({ key }) => /^assets\/.*\.css$/.test(key))!;
  return { folder, baseUrl, alternateHost: alternateHosts[0]!, asset: `/${style.key}` };
}

if (isBuilt) conforms('the built site', await visit(await builtSite(), 'rewritten'));
