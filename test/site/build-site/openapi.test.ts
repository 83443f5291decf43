import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { builtSite } from './built.ts';

const run = promisify(execFile);
const binaries = join(import.meta.dirname, '../../../node_modules/.bin');

interface Description {
  readonly openapi: string;
  readonly security: unknown[];
  readonly paths: Record<
    string,
    Record<string, { responses: object; parameters?: { schema: { enum?: string[] } }[] }>
  >;
}

const site = await builtSite();
const description = site.readJson<Description>('v1/openapi.json');

const statuses = (path: string): string[] => Object.keys(description.paths[path]!.get!.responses).sort();

describe('openapi.json', () => {
  it('is OpenAPI 3.1 with an empty security requirement and only GET', () => {
    expect(description.openapi).toMatch(/^3\.1\./);
    expect(description.security).toEqual([]);
    for (const item of Object.values(description.paths)) expect(Object.keys(item)).toEqual(['get']);
  });

  it('passes redocly lint', async () => {
    const config = join(import.meta.dirname, 'redocly.yaml');
    const file = join(site.folder, 'objects/v1/openapi.json');
    const options = {
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    };
    const { stderr } = await run(join(binaries, 'redocly'), ['lint', '--config', config, file], options);
    expect(stderr).toContain('Your API description is valid');
  });

  // Website Content Service, "Response statuses per operation".
  it.each([
    ['200 403 404 406 429 5XX', ['/', '/blog', '/blog/{slug}', '/cookie-policy']],
    ['200 403 406 429 5XX', ['/404', '/contact']],
    ['200 403 404 429 5XX', ['/404.md', '/blog.md', '/blog/{slug}.md', '/contact.md', '/cookie-policy.md']],
    ['200 404 429 5XX', ['/.well-known/api-catalog']],
    ['403 404 429 5XX', ['/api/{path}']],
  ])('lists the statuses %s for %s', (expected, paths) => {
    for (const path of paths) expect(statuses(path).join(' '), path).toBe(expected);
  });

  it('enumerates exactly the six published posts', () => {
    const slugs = description.paths['/blog/{slug}']!.get!.parameters![0]!.schema.enum;
    const posts = site.pages.filter(({ kind, language }) => kind === 'post' && language === 'en');
    expect(slugs).toHaveLength(6);
    expect(new Set(slugs)).toEqual(new Set(posts.map(({ slug }) => slug.replace('/blog/', ''))));
  });

  it('describes every page, every markdown version and every index file', () => {
    const patterns = Object.entries(description.paths).flatMap(([path, item]) => {
      const slugs = item.get!.parameters?.[0]?.schema.enum ?? [''];
      return path === '/api/{path}' ? [] : slugs.map((slug) => path.replace('{slug}', slug));
    });
    const served = [
      ...site.pages.flatMap(({ path, twinPath }) => [path, twinPath]),
      ...site.manifest.resources.map(({ path }) => path),
    ];
    expect(new Set(patterns)).toEqual(new Set(served));
  });
});
