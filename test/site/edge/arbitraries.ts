/** Requests as strangers send them. */
import fc from 'fast-check';

const fragments = [
  ...'/.%?&=#@:;\\',
  ...['//', '..', '%2', '%2f', '%2F', '%61', '%00', '%ff', '%E2%80%AE'],
  'contact',
  'blog',
  'es',
  'api',
  'index',
  '404',
  'pages',
  '_errors',
  'assets',
  '/assets/style-abc123.css',
  '/assets/site.0A1B2C3D.css',
  'v1',
  '.well-known',
  'api-catalog',
  '.md',
  '.html',
  '.br',
  '.gz',
  'evil.example',
  'https:',
  '__proto__',
  'constructor',
  'llms.txt',
];

const fragment = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...fragments) },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(..."abcXYZ019-._~!$'()*+,;"), maxLength: 6 }) },
);

/** A request target that a client can put on the wire: it begins with a slash and has no spaces. */
export const target: fc.Arbitrary<string> = fc
  .array(fragment, { maxLength: 10 })
  .map((parts) => `/${parts.join('')}`);

const typeNames = [
  'text/html',
  'text/markdown',
  'text/*',
  '*/*',
  'application/json',
  'application/problem+json',
];
const acceptParts = [...typeNames, ...';, 01"\\=x/', ';q=', '.5', '0.3', 'charset=utf-8'];

/** Any field value: characters from space to ÿ without DEL, often almost an Accept. */
export const accept: fc.Arbitrary<string> = fc.oneof(
  fc.array(fc.constantFrom(...acceptParts), { maxLength: 14 }).map((parts) => parts.join('')),
  fc
    .string({
      unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
      maxLength: 60,
    })
    .map((text) => text.replaceAll('\x7f', '')),
  fc.constantFrom(
    'text/markdown,'.repeat(500),
    `text/html;${'a=b;'.repeat(500)}`,
    '"'.repeat(2_000),
    ','.repeat(2_000),
  ),
);

export const method = fc.constantFrom('GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE');
export const host = fc.constantFrom(
  'kinora.example',
  'www.kinora.example',
  'd1.cloudfront.net',
  'KINORA.example',
);

interface EventValue {
  value: string;
  multiValue?: { value: string }[];
}

export const requestEvent = fc
  .record({ target, accept: fc.array(accept, { maxLength: 2 }), method, host, coding: fc.option(accept) })
  .map(({ target, accept, method, host, coding }) => {
    const headers: Record<string, EventValue> = { host: { value: host } };
    if (accept.length === 1) headers.accept = { value: accept[0]! };
    if (accept.length === 2) {
      headers.accept = { value: accept[0]!, multiValue: accept.map((value) => ({ value })) };
    }
    if (coding !== null) headers['accept-encoding'] = { value: coding };
    return {
      version: '1.0',
      context: { eventType: 'viewer-request' },
      viewer: { ip: '127.0.0.1' },
      request: {
        method,
        uri: target.split('?')[0]!,
        querystring: { a: { value: '1', multiValue: [{ value: '1' }, { value: '2' }] }, b: { value: '' } },
        headers,
        cookies: {},
      },
    };
  });
