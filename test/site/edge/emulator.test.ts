/** CloudFront's own rules, with functions written for the occasion. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startEdge } from '../../../local/edge/index.ts';
import { type Ask, type RawRequest, rawClient, served } from './raw-client.ts';

const pass = 'function handler(event) { return event.request; }';
const passResponse = 'function handler(event) { return event.response; }';
const markResponse = `function handler(event) {
  event.response.headers['x-seen'] = { value: event.request.uri + ' ' + event.response.statusCode };
  return event.response;
}`;

const style = 'a{color:red}'.repeat(200);
const objects = {
  'style.css': { contentType: 'text/css', body: style },
  'notes.md': { contentType: 'text/markdown', body: style },
  'small.css': { contentType: 'text/css', body: 'a{}' },
  'ready.css': { contentType: 'text/css', contentEncoding: 'br', body: style },
  'a b.txt': { contentType: 'text/plain', body: 'spaced' },
  '404.html': { contentType: 'text/html', body: 'not here', metadata: { seen: 'yes' } },
};

function siteWith(viewerRequest = pass, viewerResponse = passResponse): string {
  const folder = mkdtempSync(join(tmpdir(), 'kinora-emulator-'));
  mkdirSync(join(folder, 'edge'));
  const entries = Object.entries(objects).map(([key, { body, ...object }], index) => {
    writeFileSync(join(folder, `${index}`), body);
    return { metadata: {}, ...object, key, file: `${index}`, cacheControl: 'max-age=60' };
  });
  writeFileSync(
    join(folder, 'manifest.json'),
    JSON.stringify({ hosts: { baseUrl: 'https://kinora.example' }, objects: entries }),
  );
  writeFileSync(join(folder, 'edge/viewer-request.js'), viewerRequest);
  writeFileSync(join(folder, 'edge/viewer-response.js'), viewerResponse);
  const settings = {
    responseHeaders: { 'x-policy': 'on' },
    removedHeaders: ['x-amz-server-side-encryption'],
  };
  const documents = { defaultRootObject: 'small.css', errorDocument: '/404.html' };
  writeFileSync(join(folder, 'edge/distribution.json'), JSON.stringify({ ...settings, ...documents }));
  return folder;
}

const servedHere = (siteDir: string | (() => Promise<string>)) =>
  served({ siteDir, host: 'kinora.example' }, onTestFinished);
const start = (viewerRequest?: string, viewerResponse?: string): Promise<Ask> =>
  servedHere(siteWith(viewerRequest, viewerResponse));

/** A viewer-request function that answers with what it sees. */
const echo = `function handler(event) {
  var text = JSON.stringify({ event: event, raw: event.request.rawQueryString() });
  return { statusCode: 200, body: text };
}`;

async function seen(request: Omit<RawRequest, 'target'> & { target?: string }) {
  const ask = await start(echo);
  const { text } = await ask({ target: '/', ...request });
  return JSON.parse(text) as { event: { request: Record<string, unknown> }; raw?: string };
}

describe('the event of an edge function', () => {
  test('has the path without decoding, and the query both parsed and raw', async () => {
    const { event, raw } = await seen({ target: '/%63//../a%2Fb?x=1&y&x=%202&z=' });
    expect(event.request).toMatchObject({
      method: 'GET',
      uri: '/%63//../a%2Fb',
      querystring: {
        x: { value: '1', multiValue: [{ value: '1' }, { value: '%202' }] },
        y: { value: '' },
        z: { value: '' },
      },
    });
    expect(raw).toBe('x=1&y&x=%202&z=');
  });

  test('distinguishes an empty query from a missing one', async () => {
    expect((await seen({ target: '/?' })).raw).toBe('');
    expect((await seen({ target: '/' })).raw).toBeUndefined();
  });

  test('has every line of a header, and separate cookies', async () => {
    const { event } = await seen({
      headers: [
        ['Accept', 'text/html'],
        ['ACCEPT', 'text/plain'],
        ['Cookie', 'a=1; b=x=y'],
        ['Cookie', 'a=2'],
        ['__proto__', 'odd'],
      ],
    });
    const { headers, cookies } = event.request as Record<string, Record<string, unknown>>;
    expect(headers!.accept).toEqual({
      value: 'text/html',
      multiValue: [{ value: 'text/html' }, { value: 'text/plain' }],
    });
    expect(headers!.cookie).toBeUndefined();
    expect(headers!.connection).toBeUndefined();
    expect(Object.getOwnPropertyDescriptor(headers, '__proto__')?.value).toEqual({ value: 'odd' });
    expect(cookies).toEqual({
      a: { value: '1', multiValue: [{ value: '1' }, { value: '2' }] },
      b: { value: 'x=y' },
    });
  });

  test('has the host of the site for requests to the emulator itself', async () => {
    const edge = await startEdge({ siteDir: siteWith(echo), port: 0 });
    onTestFinished(() => edge.close());
    const ask = rawClient(edge.url, 'kinora.example');
    const own = new URL(edge.url).host;
    const hostOf = async (host: string) =>
      JSON.parse((await ask({ target: '/', host })).text).event.request.headers.host.value;
    expect(await hostOf(own)).toBe('kinora.example');
    expect(await hostOf(own.replace('127.0.0.1', 'LOCALHOST'))).toBe('kinora.example');
    expect(await hostOf('d1.cloudfront.net')).toBe('d1.cloudfront.net');
  });
});

describe('a faulty edge function', () => {
  test.each([
    ['throws', 'function handler() { throw new Error("x"); }'],
    ['decodes invalid text', 'function handler(e) { decodeURIComponent("%"); return e.request; }'],
    ['uses an unsupported API', 'function handler(e) { new URL("http://a"); return e.request; }'],
    ['builds code', 'function handler(e) { eval("1"); return e.request; }'],
    ['does not load', 'function handler( {'],
    ['has no handler', 'var a = 1;'],
  ])('that %s causes a 503', async (_, code) => {
    const ask = await start(code);
    expect((await ask({ target: '/style.css' })).status).toBe(503);
  });

  const changes = [
    ["e.request.method = 'POST'", 'the method'],
    ["e.request.headers.host = { value: 'evil.example' }", 'Host'],
    ["e.request.uri = 'style.css'", 'a URI without its slash'],
    ["e.request.headers['X-A'] = { value: '1' }", 'an upper-case name'],
    ["e.request.headers['x-edge-location'] = { value: '1' }", "CloudFront's own headers"],
    ["e.request.headers['x-a'] = { value: 'a\\r\\nb' }", 'a line break'],
  ];
  test.each(changes)('that returns %s causes a 502, because it must not set %s', async (change) => {
    const ask = await start(`function handler(e) { ${change}; return e.request; }`);
    expect((await ask({ target: '/style.css' })).status).toBe(502);
  });

  test.each([
    ["return { statusCode: 200, headers: { 'content-length': { value: '0' } } }"],
    ["return { statusCode: 200, headers: { connection: { value: 'close' } } }"],
    ["return { statusCode: 200, body: new Array(50000).join('x') }"],
    ['return { statusCode: 99 }'],
    ["return { statusCode: '200' }"],
  ])('that answers %s causes a 502', async (code) => {
    const ask = await start(`function handler() { ${code}; }`);
    expect((await ask({ target: '/' })).status).toBe(502);
  });

  test.each(['content-encoding', 'content-length', 'via'])(
    'must not set %s in viewer-response',
    async (name) => {
      const ask = await start(
        pass,
        `function handler(e) { e.response.headers['${name}'] = { value: 'x' }; return e.response; }`,
      );
      expect((await ask({ target: '/style.css' })).status).toBe(502);
    },
  );
});

describe('the function for viewer-response', () => {
  test('runs for responses of the origin with 200, 304 and 206, after the headers policy', async () => {
    const ask = await start(pass, markResponse);
    const { headers } = await ask({ target: '/style.css' });
    expect(headers['x-seen']).toBe('/style.css 200');
    expect(headers['x-policy']).toBe('on');
    expect(headers['x-amz-server-side-encryption']).toBeUndefined();
    const known = await ask({ target: '/style.css', headers: [['If-None-Match', headers.etag!]] });
    expect(known.headers['x-seen']).toBe('/style.css 304');
    const part = await ask({ target: '/style.css', headers: [['Range', 'bytes=0-0']] });
    expect(part.headers['x-seen']).toBe('/style.css 206');
  });

  test('does not run for responses of viewer-request, which do not get the headers policy', async () => {
    const ask = await start("function handler() { return { statusCode: 418, body: 'tea' }; }", markResponse);
    const { status, text, headers } = await ask({ target: '/style.css' });
    expect([status, text]).toEqual([418, 'tea']);
    expect([headers['x-seen'], headers['x-policy']]).toEqual([undefined, undefined]);
  });

  test('does not run if the origin has no object: the error document is the response', async () => {
    const ask = await start(pass, markResponse);
    const { status, text, headers } = await ask({ target: '/none' });
    expect([status, text, headers['x-seen']]).toEqual([404, 'not here', undefined]);
    expect(headers['x-amz-meta-seen']).toBe('yes');
  });
});

describe('the origin', () => {
  test('decodes a key once, has an object for the path /, and does not see the query', async () => {
    const ask = await start();
    expect((await ask({ target: '/a%20b.txt' })).text).toBe('spaced');
    expect((await ask({ target: '/a%2520b.txt' })).status).toBe(404);
    expect((await ask({ target: '/%' })).status).toBe(400);
    expect((await ask({ target: '/?list-type=2' })).text).toBe('a{}');
  });
});

describe('compression', () => {
  const coding = (ask: Ask, target: string, field: string) =>
    ask({ target, headers: [['Accept-Encoding', field]] }).then(({ headers }) => headers['content-encoding']);

  test('applies to listed types of at least 1000 bytes, and not to responses that are already compressed', async () => {
    const ask = await start();
    expect(await coding(ask, '/style.css', 'gzip, br')).toBe('br');
    expect(await coding(ask, '/style.css', 'gzip')).toBe('gzip');
    expect(await coding(ask, '/style.css', 'br;q=0')).toBeUndefined();
    expect(await coding(ask, '/notes.md', 'br')).toBeUndefined();
    expect(await coding(ask, '/small.css', 'br')).toBeUndefined();
  });

  test('makes the ETag weak, and a condition with this ETag still matches', async () => {
    const ask = await start();
    const plain = await ask({ target: '/style.css' });
    const packed = await ask({ target: '/style.css', headers: [['Accept-Encoding', 'br']] });
    expect(packed.headers.etag).toBe(`W/${plain.headers.etag}`);
    expect(packed.text).toBe(plain.text);
    const known = await ask({ target: '/style.css', headers: [['If-None-Match', packed.headers.etag!]] });
    expect(known.status).toBe(304);
  });
});

describe('conditions and ranges', () => {
  test.each<[header: string, value: string, status: number]>([
    ['If-None-Match', '*', 304],
    ['If-None-Match', '"other"', 200],
    ['If-Match', '"other"', 412],
    ['If-Match', '*', 200],
    ['If-Modified-Since', 'Fri, 01 Jan 2100 00:00:00 GMT', 304],
    ['If-Modified-Since', 'Sat, 01 Jan 2000 00:00:00 GMT', 200],
    ['If-Modified-Since', 'nonsense', 200],
    ['If-Unmodified-Since', 'Sat, 01 Jan 2000 00:00:00 GMT', 412],
    ['Range', 'bytes=0-4', 206],
    ['Range', 'bytes=-5', 206],
    ['Range', 'bytes=2395-', 206],
    ['Range', 'bytes=99999-', 416],
    ['Range', 'bytes=-0', 416],
    ['Range', 'bytes=5-2', 200],
    ['Range', 'bytes=0-1,4-5', 200],
    ['Range', 'lines=1-2', 200],
  ])('for %s: %s is a %i', async (name, value, status) => {
    const ask = await start();
    const response = await ask({ target: '/style.css', headers: [[name, value]] });
    expect(response.status).toBe(status);
    if (status === 206) expect(response.text).toHaveLength(5);
  });

  test('with a range of another version cause a response with the whole object', async () => {
    const ask = await start();
    const { headers } = await ask({ target: '/style.css' });
    const askIf = (condition: string) =>
      ask({
        target: '/style.css',
        headers: [
          ['Range', 'bytes=0-0'],
          ['If-Range', condition],
        ],
      });
    expect((await askIf('"other"')).status).toBe(200);
    expect((await askIf(headers.etag!)).status).toBe(206);
    expect((await askIf(headers['last-modified']!)).status).toBe(206);
  });
});

test('the emulator serves a new build without a restart', async () => {
  const folder = siteWith();
  const ask = await servedHere(folder);
  expect((await ask({ target: '/style.css' })).status).toBe(200);
  const teapot = 'function handler() { return { statusCode: 418 }; }';
  writeFileSync(join(folder, 'edge/viewer-request.js'), teapot);
  expect((await ask({ target: '/style.css' })).status).toBe(418);
});

test('the emulator answers 503 during a build', async () => {
  const folder = siteWith();
  const ask = await servedHere(folder);
  const manifest = readFileSync(join(folder, 'manifest.json'));
  rmSync(join(folder, 'manifest.json'));
  const silenced = vi.spyOn(console, 'error').mockImplementation(() => {});
  expect((await ask({ target: '/style.css' })).status).toBe(503);
  expect(silenced).toHaveBeenCalledOnce();
  silenced.mockRestore();
  writeFileSync(join(folder, 'manifest.json'), manifest);
  expect((await ask({ target: '/style.css' })).status).toBe(200);
});

test('the emulator names a folder without a site in its error', async () => {
  await expect(startEdge({ siteDir: '/nowhere', port: 0 })).rejects.toThrow('npm run build:site');
});

test('the emulator builds a site once, at its first request, and again after a failed build', async () => {
  let built = 0;
  const ask = await servedHere(async () => {
    built += 1;
    if (built === 1) throw new Error('the disk is full');
    return siteWith();
  });
  expect(built).toBe(0);
  const silenced = vi.spyOn(console, 'error').mockImplementation(() => {});
  expect((await ask({ target: '/style.css' })).status).toBe(503);
  silenced.mockRestore();
  const answers = await Promise.all([ask({ target: '/style.css' }), ask({ target: '/style.css' })]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(built).toBe(2);
});

test('an endless function fails with 503, and holds nothing else of the process', async () => {
  const ask = await start('function handler() { for (;;); }');
  let ticks = 0;
  const ticking = setInterval(() => {
    ticks += 1;
  }, 10);
  expect((await ask({ target: '/style.css' })).status).toBe(503);
  clearInterval(ticking);
  expect(ticks).toBeGreaterThan(10);
});
