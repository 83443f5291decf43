/** Assets of the deployment before: in the bucket, but unknown to the functions. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectMarkdown, negotiated } from './expectations.ts';
import { makeFixture } from './fixture.ts';
import { served } from './raw-client.ts';

const former = '/assets/site.0A1B2C3D.css';

const { folder, manifest } = await makeFixture();
const style = manifest.objects.find(({ key }) => key === 'assets/style-abc123.css')!;
const objects = [...manifest.objects, { ...style, key: former.slice(1) }];
writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, objects }));
const ask = await served({ siteDir: folder, host: 'kinora.example' });

describe('an asset of the previous deployment', () => {
  test.each(['text/css,*/*;q=0.1', '*/*', 'image/avif,image/webp', ''])(
    'still exists for pages that are open in a browser: Accept %j',
    async (accept) => {
      const response = await ask({ target: former, headers: [['Accept', accept]] });
      expect([response.status, response.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8']);
    },
  );

  test('does not exist if the request prefers markdown, because pages never do', async () => {
    expectMarkdown(await ask({ target: former, headers: [['Accept', 'text/markdown']] }), 404);
  });
});

test('requests for impossible asset names do not reach the bucket', async () => {
  const response = await ask({ target: '/assets/site.css' });
  // The origin's 404 would come without it: viewer-response does not run on those.
  expect([response.status, response.headers.vary]).toEqual([404, negotiated]);
});
