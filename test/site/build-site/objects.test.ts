import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../../content/output/write.ts';
import { buildSite } from '../../../content/site-build.ts';
import { preview } from '../../support/site-environments.ts';
import { builtSite, environment, now } from './built.ts';

const contentFolder = join(import.meta.dirname, '../../../content');

const site = await builtSite();
const scratch = mkdtempSync(join(tmpdir(), 'kinora-site-'));
afterAll(() => rmSync(scratch, { recursive: true }));

describe('the objects of a build', () => {
  it('have the bytes that the manifest states', () => {
    for (const { file, bytes, sha256: digest } of site.manifest.objects) {
      const body = readFileSync(join(site.folder, file));
      expect([body.length, sha256(body)]).toEqual([bytes, digest]);
    }
  });

  it('have brotli and gzip variants if CloudFront does not compress their type', () => {
    const variants = site.manifest.objects.filter(({ contentEncoding }) => contentEncoding !== undefined);
    for (const { key, file, contentEncoding } of variants) {
      const body = readFileSync(join(site.folder, file));
      const plain = contentEncoding === 'br' ? brotliDecompressSync(body) : gunzipSync(body);
      expect(plain.toString()).toBe(site.read(key.replace(/\.(br|gz)$/, '')));
    }
    const keys = variants.map(({ key }) => key);
    for (const { markdown } of site.manifest.pages) {
      expect(keys).toEqual(expect.arrayContaining([`${markdown}.br`, `${markdown}.gz`]));
    }
    expect(keys).toContain('.well-known/api-catalog.br');
  });

  it('can be cached forever only below /assets, where names contain a hash', () => {
    for (const { key, cacheControl } of site.manifest.objects) {
      expect(cacheControl.includes('immutable'), key).toBe(key.startsWith('assets/'));
      if (key.startsWith('assets/')) expect(key).toMatch(/\.[0-9A-Za-z]{8}\.\w+$/);
    }
  });
});

describe('a second build', () => {
  const options = { environment, now, folder: join(scratch, 'out'), pagesFolder: join(scratch, 'pages') };

  it('changes nothing if no source changed', async () => {
    const again = await buildSite({ environment, folder: site.folder, now });
    expect(again).toMatchObject({ changed: [], removed: [] });
  });

  it('changes only a changed page, and the indexes that contain its text', async () => {
    cpSync(site.folder, join(scratch, 'out'), { recursive: true });
    cpSync(join(contentFolder, 'pages'), join(scratch, 'pages'), { recursive: true });
    const edited = join(scratch, 'pages/en/contact.md');
    writeFileSync(edited, readFileSync(edited, 'utf8').replace('A person reads', 'A human being reads'));

    const { changed, removed } = await buildSite(options);
    expect(removed).toEqual([]);
    const ofPage = ['html', 'md', 'md.br', 'md.gz'].map((ending) => `pages/contact.${ending}`);
    expect(changed.toSorted()).toEqual(['llms-full.txt', 'llms.txt', ...ofPage, 'v1/pages.json']);
  });

  it('rejects a page that is missing in one language', async () => {
    rmSync(join(scratch, 'pages/es/contact.md'));
    await expect(buildSite(options)).rejects.toThrow('/contact exists in en but not in es');
  });
});

describe('another environment', () => {
  it('has only its own addresses, and none of production', async () => {
    cpSync(join(site.folder, 'cache'), join(scratch, 'preview/cache'), { recursive: true });
    const folder = join(scratch, 'preview');
    const { manifest } = await buildSite({ environment: preview, folder, now });
    expect(manifest.hosts).toMatchObject({ host: 'preview.kinora.example', isPublic: false });
    const texts = manifest.objects.filter(({ key }) => /\.(html|md|json|txt|xml)$|api-catalog$/.test(key));
    for (const { key, file } of texts) {
      expect(readFileSync(join(folder, file), 'utf8'), key).not.toMatch(/https:\/\/(api\.)?kinora\.example/);
    }
    expect(readFileSync(join(folder, 'objects/robots.txt'), 'utf8')).toContain('Disallow: /');
  });
});
