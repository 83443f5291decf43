import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { HtmlValidate } from 'html-validate';
import { beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../../../contract/index.ts';
import { openApiDocument } from '../../../../toolchain/openapi/document.ts';
import { type Ask, apiUrl, filesFolder, servedReference, siteUrl } from './served.ts';

let ask: Ask;
/** Addresses of the page's files, the fonts of its style sheet included. */
let assets: string[];

beforeAll(async () => {
  ask = await servedReference();
  const page = (await ask('/docs')).text;
  const named = [...page.matchAll(/"(\/docs\/[^"]+)"/g)].map(([, path]) => path!);
  const style = await ask(named.find((path) => path.endsWith('.css'))!);
  const fonts = [...style.text.matchAll(/url\("?(\/docs\/[^")]+)"?\)/g)].map(([, path]) => path!);
  assets = [...new Set([...named, ...fonts])];
});

const everything = () => ['/docs', '/openapi.json', ...assets];
const isCoded = (path: string) => !path.endsWith('.woff2');

describe('GET /docs', () => {
  it('answers with a valid page that names Kinora and links the site and the OpenAPI document', async () => {
    const page = await ask('/docs');
    expect(page.statusCode).toBe(200);
    expect(page.headers['Content-Type']).toBe('text/html; charset=utf-8');
    expect(page.text).toContain('Kinora</a>');
    expect(page.text).toContain(`href="${siteUrl}/developers"`);
    expect(page.text).toContain('href="/openapi.json"');
    expect(page.text).not.toContain('{{');
    const report = await new HtmlValidate({ extends: ['html-validate:standard'] }).validateString(page.text);
    expect(report.results.flatMap(({ messages }) => messages)).toEqual([]);
  });

  it('has no inline script or style, and no file of another host', async () => {
    const { text } = await ask('/docs');
    expect(text).not.toMatch(/<script>|<style|style=|\son\w+=/);
    const loaded = [...text.matchAll(/<(?:script|link|img)[^>]* (?:src|href)="([^"]+)"/g)];
    for (const [, address] of loaded) expect(address).toMatch(/^\/(docs\/|openapi\.json$)/);
  });

  it('is revalidated on every visit, while its files are cached forever', async () => {
    expect((await ask('/docs')).headers['Cache-Control']).toBe('no-cache');
    expect((await ask('/openapi.json')).headers['Cache-Control']).toBe('no-cache');
    expect(assets.length).toBeGreaterThanOrEqual(7);
    for (const path of assets) {
      expect(path).toMatch(/\.[0-9A-Za-z]{8}\.\w+$/);
      expect((await ask(path)).headers['Cache-Control']).toBe('public, max-age=31536000, immutable');
    }
  });
});

describe('GET /openapi.json', () => {
  it('is the document of the contract, with the API that serves it as its server', async () => {
    const { headers, text } = await ask('/openapi.json');
    expect(headers['Content-Type']).toBe('application/json');
    const document = JSON.parse(text);
    expect(document).toEqual(JSON.parse(JSON.stringify(openApiDocument({ siteUrl, apiUrl }))));
    expect(document.servers).toEqual([{ url: apiUrl, description: 'This environment' }]);
    const listed = Object.values(document.paths as Record<string, Record<string, { operationId: string }>>)
      .flatMap((item) => Object.values(item))
      .map(({ operationId }) => operationId);
    expect(text).not.toContain('{{');
    expect(listed.sort()).toEqual(operations.map(({ spec }) => spec.id).sort());
  });
});

describe('every file of the reference', () => {
  it('has the content type of its extension', async () => {
    const types: Record<string, string> = {
      js: 'text/javascript; charset=utf-8',
      css: 'text/css; charset=utf-8',
      svg: 'image/svg+xml',
      txt: 'text/plain; charset=utf-8',
      woff2: 'font/woff2',
    };
    for (const path of assets) {
      const { statusCode, headers } = await ask(path);
      expect([path, statusCode, headers['Content-Type']]).toEqual([
        path,
        200,
        types[path.split('.').at(-1)!],
      ]);
    }
  });

  it('is served in brotli or gzip to clients that accept it, with the same content', async () => {
    for (const path of everything().filter(isCoded)) {
      const plain = await ask(path);
      expect(plain.headers).not.toHaveProperty('Content-Encoding');
      const brotli = await ask(path, { 'accept-encoding': 'gzip, deflate, br, zstd' });
      expect(brotli.headers['Content-Encoding']).toBe('br');
      expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes), path).toBe(true);
      const gzipped = await ask(path, { 'accept-encoding': 'gzip' });
      expect(gzipped.headers['Content-Encoding']).toBe('gzip');
      expect(gunzipSync(gzipped.bytes).equals(plain.bytes), path).toBe(true);
      for (const { headers } of [plain, brotli, gzipped]) expect(headers.Vary).toBe('Accept-Encoding');
    }
  });

  it('is not compressed again if it is a font', async () => {
    for (const path of assets.filter((asset) => !isCoded(asset))) {
      const { headers } = await ask(path, { 'accept-encoding': 'br' });
      expect(headers).not.toHaveProperty('Content-Encoding');
      expect(headers).not.toHaveProperty('Vary');
    }
  });

  it('has a strong validator for each encoding, and answers 304 to it', async () => {
    for (const path of everything()) {
      const tags = new Set<string>();
      for (const coding of ['br', 'gzip', 'identity']) {
        const asked = { 'accept-encoding': coding };
        const { headers } = await ask(path, asked);
        expect(headers.ETag).toMatch(/^"[\w-]{22}"$/);
        tags.add(headers.ETag!);
        const again = await ask(path, { ...asked, 'if-none-match': `"other", W/${headers.ETag}` });
        expect([again.statusCode, again.body, again.headers.ETag]).toEqual([304, '', headers.ETag]);
        expect(again.headers['Cache-Control']).toBe(headers['Cache-Control']);
        expect((await ask(path, { ...asked, 'if-none-match': '"other"' })).statusCode).toBe(200);
      }
      expect(tags.size, path).toBe(isCoded(path) ? 3 : 1);
    }
  });

  it('fits into the 6 MB that Lambda can return', async () => {
    for (const path of everything()) {
      const { body, headers } = await ask(path);
      expect(JSON.stringify({ body, headers }).length).toBeLessThan(6 * 1024 * 1024);
    }
  });

  it('allows only content from its own origin and nothing inline', async () => {
    for (const path of [...everything(), '/docs/nothing.js']) {
      const { headers } = await ask(path);
      const policy = headers['Content-Security-Policy']!;
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("style-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(headers).toMatchObject({
        'X-Content-Type-Options': 'nosniff',
        'X-Frame-Options': 'DENY',
        'Referrer-Policy': 'no-referrer',
        'X-Request-Id': 'request-1',
      });
    }
  });

  it('is stored once, and each file in the folder has a path', () => {
    const manifest = JSON.parse(readFileSync(join(filesFolder, 'manifest.json'), 'utf8')) as Record<
      string,
      { name: string; kind: string }
    >;
    const expected = Object.values(manifest).flatMap(({ name, kind }) =>
      kind === 'compressed' ? [name, `${name}.br`, `${name}.gz`] : [name],
    );
    expect(readdirSync(filesFolder).sort()).toEqual([...expected, 'manifest.json'].sort());
    expect(Object.keys(manifest).sort()).toEqual(everything().sort());
  });
});

describe('a path without a file', () => {
  const isProblem = async (path: string) => {
    const { statusCode, headers, text } = await ask(path);
    expect([path, statusCode, headers['Content-Type']]).toEqual([path, 404, 'application/problem+json']);
    expect(JSON.parse(text)).toMatchObject({ code: 'route_not_found', instance: path });
  };

  it.each([
    '/docs/nothing.js',
    '/docs/manifest.json',
    '/docs/page.html',
    '/docs/..%2f',
    '/docs/..%2findex.mjs',
    '/docs/../index.mjs',
    '/docs/..\\index.mjs',
    '/docs/%2e%2e/index.mjs',
    '/docs/....//index.mjs',
    '/docs//etc/passwd',
    '/docs/__proto__',
    '/docs/constructor',
    '/docs/\0',
  ])('answers 404 as a problem: %j', isProblem);

  it('answers 404 for any name', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.webPath()), (rest) => isProblem(`/docs/${rest}`)),
    );
  });
});

describe('other methods', () => {
  it('HEAD is answered like GET', async () => {
    const head = await ask('/docs', {}, 'HEAD');
    expect(head).toMatchObject({ statusCode: 200, headers: (await ask('/docs')).headers });
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])(
    '%s is answered with 405 and the allowed methods',
    async (method) => {
      const { statusCode, headers, text } = await ask('/docs', {}, method);
      expect([statusCode, headers.Allow]).toEqual([405, 'GET, HEAD']);
      expect(JSON.parse(text).code).toBe('method_not_allowed');
    },
  );
});
