import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUCKET, clientOf, startTestServer, type TestServer } from './harness.ts';

let pages: Server;
let server: TestServer;
let client: S3Client;
let browser: Browser;
let allowed: Page;
let other: Page;

beforeAll(async () => {
  pages = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end('<p>a page'));
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  const { port } = pages.address() as AddressInfo;
  const cors = [
    {
      allowedOrigins: [`http://127.0.0.1:${port}`],
      allowedMethods: ['PUT', 'GET'],
      allowedHeaders: ['content-type'],
      exposedHeaders: ['ETag'],
      maxAge: 60,
    },
  ];
  server = await startTestServer({ buckets: [{ name: BUCKET, cors }] });
  client = clientOf(server.url, { requestChecksumCalculation: 'WHEN_REQUIRED' });
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
  allowed = await browser.newPage();
  await allowed.goto(`http://127.0.0.1:${port}/`);
  other = await browser.newPage();
  await other.goto(`http://localhost:${port}/`);
});
afterAll(async () => {
  await browser?.close();
  client?.destroy();
  await server?.close();
  await new Promise((resolve) => pages.close(resolve));
});

const at = { Bucket: BUCKET, Key: 'from a browser' };
const addresses = {
  PUT: () => getSignedUrl(client, new PutObjectCommand(at)),
  GET: () => getSignedUrl(client, new GetObjectCommand(at)),
  DELETE: () => getSignedUrl(client, new DeleteObjectCommand(at)),
};

/** The answer that the script of the page gets; undefined if the browser hides it. */
async function fetchIn(
  page: Page,
  method: keyof typeof addresses,
  init: { headers?: Record<string, string>; body?: string } = {},
) {
  const url = await addresses[method]();
  return page.evaluate(
    async ({ url, init }) => {
      try {
        const answer = await fetch(url, init);
        const { status, headers } = answer;
        const [etag, id] = ['etag', 'x-amz-request-id'].map((name) => headers.get(name));
        return { status, etag, id, body: await answer.text() };
      } catch {
        return undefined;
      }
    },
    { url, init: { method, ...init } },
  );
}

const upload = { headers: { 'content-type': 'text/x-kinora' }, body: 'a film' };
const stored = () => client.send(new HeadObjectCommand(at));

describe('a page from an origin that the bucket allows', () => {
  it('can upload to a presigned URL, read the ETag and read the object', async () => {
    const written = await fetchIn(allowed, 'PUT', upload);
    expect(written).toMatchObject({ status: 200, etag: (await stored()).ETag, id: null });
    expect(await fetchIn(allowed, 'GET')).toMatchObject({ status: 200, body: 'a film' });
  });

  it.each([
    ['a method', 'DELETE', {}],
    ['a header', 'PUT', { headers: { 'x-other': '1' }, body: 'never' }],
  ] as const)('cannot use %s that no rule allows', async (_, method, init) => {
    await fetchIn(allowed, 'PUT', upload);
    expect(await fetchIn(allowed, method, init)).toBeUndefined();
    expect(await stored()).toMatchObject({ ContentLength: 6, ContentType: 'text/x-kinora' });
  });
});

describe('a page from another origin', () => {
  it('can neither upload nor read, even with the presigned URLs', async () => {
    await fetchIn(allowed, 'PUT', upload);
    expect(await fetchIn(other, 'PUT', { ...upload, body: 'replaced' })).toBeUndefined();
    expect(await stored()).toMatchObject({ ContentLength: 6 });
    expect(await fetchIn(other, 'GET')).toBeUndefined();
  });
});
