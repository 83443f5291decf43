import { createHmac } from 'node:crypto';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  BUCKET,
  basicDate,
  CREDENTIALS,
  clientOf,
  errorCode,
  sendRaw,
  sha256Hex,
  startTestServer,
  useS3,
} from './harness.ts';

let clock = 0;
const s3 = useS3({ now: () => Date.now() + clock });
beforeAll(async () => {
  await s3.put('secret.txt', 'the secret');
});

const MINUTE = 60_000;
const elapsed = async <T>(milliseconds: number, task: () => Promise<T>) => {
  clock = milliseconds;
  return task().finally(() => {
    clock = 0;
  });
};
const bodyAndStatus = async (url: string | URL, init?: RequestInit) => {
  const response = await fetch(url, init);
  return { status: response.status, headers: response.headers, body: await response.text() };
};
const presignGet = (options: { expiresIn?: number } = {}, input = {}) =>
  getSignedUrl(s3.client, new GetObjectCommand({ ...s3.at('secret.txt'), ...input }), options);

describe('a presigned URL', () => {
  it('lets anyone who has it read the object', async () => {
    expect(await bodyAndStatus(await presignGet())).toMatchObject({ status: 200, body: 'the secret' });
  });

  it('is refused after it has expired', async () => {
    const url = await presignGet({ expiresIn: 60 });
    const answer = await elapsed(62_000, () => bodyAndStatus(url));
    expect(answer).toMatchObject({ status: 403, body: expect.stringContaining('Request has expired') });
    expect(errorCode(answer)).toBe('AccessDenied');
  });

  it('is refused before its start time', async () => {
    const url = await presignGet();
    const answer = await elapsed(-20 * MINUTE, () => bodyAndStatus(url));
    expect(answer).toMatchObject({ status: 403, body: expect.stringContaining('not valid yet') });
  });

  const changes: [string, (url: URL) => unknown][] = [
    ['another key', (url) => Object.assign(url, { pathname: `/${BUCKET}/other.txt` })],
    ['a later expiry', (url) => url.searchParams.set('X-Amz-Expires', '604800')],
    ['another signature', (url) => url.searchParams.set('X-Amz-Signature', '0'.repeat(64))],
    ['a signature of another length', (url) => url.searchParams.set('X-Amz-Signature', 'ab')],
    ['an override of a header', (url) => url.searchParams.set('response-content-type', 'text/html')],
    ['two values of a parameter', (url) => url.searchParams.append('X-Amz-Expires', '3600')],
    ['fewer signed headers', (url) => url.searchParams.set('X-Amz-SignedHeaders', 'date')],
  ];
  it.each(changes)('is refused if changed to %s', async (_, change) => {
    const url = new URL(await presignGet());
    change(url);
    const answer = await bodyAndStatus(url);
    expect([answer.status, errorCode(answer)]).toEqual([403, 'SignatureDoesNotMatch']);
  });

  it('is refused for another method', async () => {
    const answer = await bodyAndStatus(await presignGet(), { method: 'DELETE' });
    expect(errorCode(answer)).toBe('SignatureDoesNotMatch');
  });

  it('is refused if the request has an x-amz header that is not signed', async () => {
    const answer = await bodyAndStatus(await presignGet(), { headers: { 'x-amz-checksum-mode': 'ENABLED' } });
    expect(answer).toMatchObject({
      status: 403,
      body: expect.stringContaining('<HeadersNotSigned>x-amz-checksum-mode<'),
    });
  });

  it('is refused if the access key is unknown', async () => {
    const url = new URL(await presignGet());
    url.searchParams.set(
      'X-Amz-Credential',
      url.searchParams.get('X-Amz-Credential')!.replace(CREDENTIALS.accessKeyId, 'AKIDOTHER'),
    );
    const answer = await bodyAndStatus(url);
    expect([answer.status, errorCode(answer)]).toEqual([403, 'InvalidAccessKeyId']);
  });

  it('is refused if it is signed with a wrong secret', async () => {
    const client = clientOf(s3.url, { credentials: { ...CREDENTIALS, secretAccessKey: 'guess' } });
    const url = await getSignedUrl(client, new GetObjectCommand(s3.at('secret.txt')));
    expect(errorCode(await bodyAndStatus(url))).toBe('SignatureDoesNotMatch');
  });

  it.each([
    ['X-Amz-Expires', '0'],
    ['X-Amz-Expires', '604801'],
    ['X-Amz-Expires', 'soon'],
    ['X-Amz-Algorithm', 'AWS4-HMAC-SHA512'],
    ['X-Amz-Date', 'yesterday'],
    ['X-Amz-Credential', 'short'],
  ])('is refused as malformed with %s=%s', async (name, value) => {
    const url = new URL(await presignGet());
    url.searchParams.set(name, value);
    const answer = await bodyAndStatus(url);
    expect([answer.status, errorCode(answer)]).toEqual([400, 'AuthorizationQueryParametersError']);
  });

  it('overrides headers of the response with its signed parameters', async () => {
    const url = await presignGet(
      {},
      {
        ResponseContentDisposition: `attachment; filename="été ☀.srt"`,
        ResponseContentType: 'application/x-subrip',
        ResponseCacheControl: 'no-store',
        ResponseContentLanguage: 'fr',
      },
    );
    const { headers } = await bodyAndStatus(url);
    expect(Buffer.from(headers.get('content-disposition')!, 'latin1').toString()).toBe(
      'attachment; filename="été ☀.srt"',
    );
    expect(headers.get('content-type')).toBe('application/x-subrip');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-language')).toBe('fr');
  });

  it('cannot add a line to the headers', async () => {
    const answer = await bodyAndStatus(await presignGet({}, { ResponseContentType: 'a\r\nSet-Cookie: b=c' }));
    expect(errorCode(answer)).toBe('InvalidArgument');
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  it('stores the uploaded body with the signed metadata of the URL', async () => {
    const client = clientOf(s3.url, { requestChecksumCalculation: 'WHEN_REQUIRED' });
    const command = new PutObjectCommand({ ...s3.at('up'), Metadata: { by: 'url' } });
    const url = await getSignedUrl(client, command);
    expect(await bodyAndStatus(url, { method: 'PUT', body: 'uploaded' })).toMatchObject({ status: 200 });
    expect((await s3.head('up')).Metadata).toEqual({ by: 'url' });
    expect(await s3.text('up')).toBe('uploaded');
  });

  it('refuses an upload whose body does not match the signed checksum', async () => {
    const command = new PutObjectCommand({ ...s3.at('up-sum'), ChecksumCRC32: 'AAAAAA==' });
    const url = await getSignedUrl(s3.client, command);
    const answer = await bodyAndStatus(url, { method: 'PUT', body: 'x' });
    expect(errorCode(answer)).toBe('BadDigest');
  });
});

describe('a request without a signature', () => {
  it.each([
    ['GET', `/${BUCKET}/secret.txt`],
    ['PUT', `/${BUCKET}/planted.txt`],
    ['GET', `/${BUCKET}?list-type=2`],
    ['GET', '/'],
    ['GET', '/no-such-bucket/key'],
  ])('is denied: %s %s', async (method, path) => {
    const answer = await sendRaw(s3.url, { method, path, ...(method === 'PUT' && { body: 'x' }) });
    expect([answer.status, errorCode(answer)]).toEqual([403, 'AccessDenied']);
    expect(answer.headers['content-type']).toBe('application/xml');
    expect(answer.body).not.toContain('the secret');
  });
});

describe('a request with a signature in its headers', () => {
  const path = `/${BUCKET}/secret.txt`;
  const signed = (options = {}) => s3.signed({ path, ...options }).headers;

  it('is accepted if it is signed without the SDK', async () => {
    expect(await sendRaw(s3.url, { path, headers: signed() })).toMatchObject({
      status: 200,
      body: 'the secret',
    });
  });

  it.each([
    ['20 minutes ago', { date: basicDate(Date.now() - 20 * MINUTE) }, 403, 'RequestTimeTooSkewed'],
    ['20 minutes in the future', { date: basicDate(Date.now() + 20 * MINUTE) }, 403, 'RequestTimeTooSkewed'],
    ['for another region', { region: 'us-east-1' }, 400, 'AuthorizationHeaderMalformed'],
    ['for another path', { path: `/${BUCKET}/other` }, 403, 'SignatureDoesNotMatch'],
    ['with an invalid payload hash', { payloadHash: 'none' }, 400, 'InvalidArgument'],
    [
      'with asymmetric chunks',
      { payloadHash: 'STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD' },
      501,
      'NotImplemented',
    ],
    ['with a session token', { headers: { 'x-amz-security-token': 't' } }, 400, 'InvalidToken'],
    [
      'with another key',
      { credentials: { ...CREDENTIALS, accessKeyId: 'AKIDOTHER' } },
      403,
      'InvalidAccessKeyId',
    ],
  ])('is refused if it is signed %s', async (_, options, status, code) => {
    const answer = await sendRaw(s3.url, { path, headers: signed(options) });
    expect([answer.status, errorCode(answer)]).toEqual([status, code]);
  });

  it.each([
    ['a tampered header', { 'x-amz-date': basicDate(Date.now() + 5 * MINUTE) }, 'SignatureDoesNotMatch'],
    ['an unsigned x-amz header', { 'x-amz-checksum-mode': 'ENABLED' }, 'AccessDenied'],
    ['a scheme that S3 does not support', { authorization: 'AWS AKID:c2ln' }, 'InvalidRequest'],
    [
      'an incomplete authorization',
      { authorization: 'AWS4-HMAC-SHA256 Credential=a' },
      'AuthorizationHeaderMalformed',
    ],
  ])('is refused with %s', async (_, headers, code) => {
    expect(errorCode(await sendRaw(s3.url, { path, headers: { ...signed(), ...headers } }))).toBe(code);
  });

  it('is refused if the query is signed too', async () => {
    const url = new URL(await presignGet());
    const answer = await sendRaw(s3.url, { path: `${url.pathname}${url.search}`, headers: signed() });
    expect(errorCode(answer)).toBe('InvalidArgument');
  });

  it('is refused if the payload hash does not match the body', async () => {
    const target = { method: 'PUT', path: `/${BUCKET}/hashed` };
    const headers = signed({ ...target, payloadHash: sha256Hex('meant') });
    const tampered = await sendRaw(s3.url, { ...target, headers, body: 'other' });
    expect([tampered.status, errorCode(tampered)]).toEqual([400, 'XAmzContentSHA256Mismatch']);
    expect(await sendRaw(s3.url, { ...target, headers, body: 'meant' })).toMatchObject({ status: 200 });
  });

  it('is accepted with any body if it is signed with UNSIGNED-PAYLOAD', async () => {
    const target = { method: 'PUT', path: `/${BUCKET}/unsigned` };
    const headers = signed({ ...target, payloadHash: 'UNSIGNED-PAYLOAD' });
    expect(await sendRaw(s3.url, { ...target, headers, body: 'anything' })).toMatchObject({
      status: 200,
    });
  });

  it('is verified with the path as it was sent, also with dots and double slashes', async () => {
    const target = { method: 'PUT', path: `/${BUCKET}/a//../b/./c` };
    const headers = signed({ ...target, payloadHash: 'UNSIGNED-PAYLOAD' });
    expect(await sendRaw(s3.url, { ...target, headers, body: 'x' })).toMatchObject({ status: 200 });
    expect(await s3.text('a//../b/./c')).toBe('x');
  });

  it.each([[`/${BUCKET}/%zz`], [`/${BUCKET}/%ff`]])(
    'is refused as an invalid URI with the path %s',
    async (odd) => {
      expect(errorCode(await sendRaw(s3.url, { path: odd, headers: signed() }))).toBe('InvalidURI');
    },
  );

  it('can name the bucket in the host name', async () => {
    for (const name of [
      `${BUCKET}.localhost`,
      `${BUCKET}.s3.localhost:9000`,
      `${BUCKET}.s3.eu-central-1.amazonaws.com`,
    ]) {
      const headers = signed({ host: name, path: '/secret.txt' });
      const answer = await sendRaw(s3.url, { path: '/secret.txt', headers });
      expect(answer).toMatchObject({ status: 200, body: 'the secret' });
    }
  });
});

describe('a body of signed chunks', () => {
  const CHUNKS = ['a'.repeat(70_000), 'b'.repeat(1000), ''];
  type Change = { chunk?: (text: string) => string; trailer?: string; signature?: string };

  const upload = ({ chunk = (text) => text, trailer, signature }: Change = {}) => {
    const date = basicDate(Date.now());
    const target = { method: 'PUT', path: `/${BUCKET}/chunked` };
    const {
      headers,
      signature: seed,
      key,
      scope,
    } = s3.signed({
      ...target,
      payloadHash: `STREAMING-AWS4-HMAC-SHA256-PAYLOAD${trailer === undefined ? '' : '-TRAILER'}`,
      date,
      headers: {
        'content-encoding': 'aws-chunked',
        'x-amz-decoded-content-length': String(CHUNKS.join('').length),
        ...(trailer !== undefined && { 'x-amz-trailer': 'x-amz-checksum-sha256' }),
      },
    });
    let previous = seed;
    const next = (kind: string, ...hashes: string[]) => {
      const text = [`AWS4-HMAC-SHA256-${kind}`, date, scope, previous, ...hashes].join('\n');
      previous = createHmac('sha256', key).update(text).digest('hex');
      return previous;
    };
    const framed = CHUNKS.map((text) => {
      const header = `${text.length.toString(16)};chunk-signature=${next('PAYLOAD', sha256Hex(''), sha256Hex(text))}\r\n`;
      return text === '' ? header : `${header}${chunk(text)}\r\n`;
    });
    const line = `x-amz-checksum-sha256:${trailer}`;
    const end =
      trailer === undefined
        ? ''
        : `${line}\r\nx-amz-trailer-signature:${signature ?? next('TRAILER', sha256Hex(`${line}\n`))}\r\n`;
    return sendRaw(s3.url, { ...target, headers, body: `${framed.join('')}${end}\r\n` });
  };
  const right = Buffer.from(sha256Hex(CHUNKS.join('')), 'hex').toString('base64');

  it('is stored without the signatures of its chunks', async () => {
    expect(await upload()).toMatchObject({ status: 200 });
    expect(await s3.text('chunked')).toBe(CHUNKS.join(''));
    expect((await s3.head('chunked')).ContentEncoding).toBeUndefined();
  });

  it('is refused if one chunk was changed', async () => {
    const answer = await upload({ chunk: (text) => text.replace('b', 'c') });
    expect(errorCode(answer)).toBe('SignatureDoesNotMatch');
  });

  it('can end with a signed checksum', async () => {
    expect(await upload({ trailer: right })).toMatchObject({ status: 200 });
  });

  it.each([
    ['is of other data', { trailer: Buffer.alloc(32).toString('base64') }, 'BadDigest'],
    ['has another signature', { trailer: right, signature: '0'.repeat(64) }, 'SignatureDoesNotMatch'],
  ])('is refused if that checksum %s', async (_, change, code) => {
    expect(errorCode(await upload(change))).toBe(code);
  });
});

// Source: "Signature calculations for the Authorization header", the published example with its own credentials.
describe('the examples of the Amazon S3 documentation', () => {
  it('of a chunked upload have the signatures that the documentation shows', async () => {
    const example = await startTestServer({
      region: 'us-east-1',
      now: () => Date.UTC(2013, 4, 24),
      credentials: {
        accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
        secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      },
      buckets: [{ name: 'examplebucket' }],
    });
    const signatures = [
      ['10000', 'ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648'],
      ['400', '0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497'],
      ['0', 'b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9'],
    ];
    const body = signatures.map(([size, signature]) => {
      return `${size};chunk-signature=${signature}\r\n${'a'.repeat(Number.parseInt(size!, 16))}\r\n`;
    });
    const answer = await sendRaw(example.url, {
      method: 'PUT',
      path: '/examplebucket/chunkObject.txt',
      headers: {
        host: 's3.amazonaws.com',
        'x-amz-date': '20130524T000000Z',
        'x-amz-storage-class': 'REDUCED_REDUNDANCY',
        'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
        'content-encoding': 'aws-chunked',
        'x-amz-decoded-content-length': '66560',
        'content-length': '66824',
        authorization:
          'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=content-encoding;content-length;host;x-amz-content-sha256;x-amz-date;x-amz-decoded-content-length;x-amz-storage-class,Signature=4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9',
      },
      body: body.join(''),
    });
    await example.close();
    expect([answer.status, errorCode(answer)]).toEqual([200, undefined]);
  });
});
