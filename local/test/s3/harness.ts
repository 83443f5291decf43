/** A started server in a directory of its own, an unmodified SDK client for it, and requests by hand. */
import { createHash, createHmac } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll } from 'vitest';
import { type RunningS3, type S3Options, startS3 } from '../../s3/server.ts';

export const REGION = 'eu-central-1';
export const CREDENTIALS = { accessKeyId: 'AKIDLOCALEXAMPLE', secretAccessKey: 'a/secret+of=this/test' };
export const BUCKET = 'media-files';

export type TestServer = RunningS3 & { dir: string; client: S3Client; restart(): Promise<TestServer> };

/** Listens on a free port until `close`, which removes its directory too. */
export async function startTestServer(options: Partial<S3Options> = {}): Promise<TestServer> {
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), 's3-test-')));
  const server = await startS3({
    port: 0,
    region: REGION,
    credentials: CREDENTIALS,
    buckets: [{ name: BUCKET }],
    ...options,
    dir,
  });
  const client = clientOf(server.url);
  const stop = async () => {
    client.destroy();
    await server.close();
  };
  return {
    ...server,
    dir,
    client,
    async close() {
      await stop();
      await rm(dir, { recursive: true });
    },
    async restart() {
      await stop();
      return startTestServer({ ...options, dir });
    },
  };
}

/** One server for all tests of a file, with short names for the usual requests to its bucket. */
export function useS3(options: Partial<S3Options> = {}) {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer(options);
  });
  afterAll(() => server.close());
  const at = (Key: string) => ({ Bucket: BUCKET, Key });
  const get = (key: string, more: object = {}) =>
    server.client.send(new GetObjectCommand({ ...at(key), ...more }));
  const signed = (request: Omit<SignOptions, 'host'> & { host?: string }) =>
    signByHand({ host: new URL(server.url).host, ...request });
  return {
    at,
    get,
    signed,
    get url() {
      return server.url;
    },
    get client() {
      return server.client;
    },
    async restart() {
      server = await server.restart();
    },
    files: (folder: string) => readdir(join(server.dir, folder)),
    path: (...names: string[]) => join(server.dir, ...names),
    put: (
      key: string,
      Body: NonNullable<PutObjectCommandInput['Body']>,
      more: Partial<PutObjectCommandInput> = {},
    ) => server.client.send(new PutObjectCommand({ ...at(key), Body, ...more })),
    head: (key: string, more: object = {}) =>
      server.client.send(new HeadObjectCommand({ ...at(key), ...more })),
    bytes: async (key: string, more: object = {}) =>
      Buffer.from(await (await get(key, more)).Body!.transformToByteArray()),
    text: async (key: string, more: object = {}) => (await get(key, more)).Body!.transformToString(),
    keys: async (Prefix: string) => {
      const { Contents = [] } = await server.client.send(
        new ListObjectsV2Command({ Bucket: BUCKET, Prefix }),
      );
      return Contents.map(({ Key }) => Key);
    },
    sendSigned: (request: Omit<SignOptions, 'host' | 'payloadHash'> & { path: string; body: string }) => {
      const { path, query, body, method = 'GET' } = request;
      const { headers } = signed({ ...request, payloadHash: sha256Hex(body) });
      return sendRaw(server.url, { method, path: query ? `${path}?${query}` : path, headers, body });
    },
  };
}

export function clientOf(endpoint: string, options: S3ClientConfig = {}): S3Client {
  return new S3Client({
    endpoint,
    region: REGION,
    credentials: CREDENTIALS,
    forcePathStyle: true,
    maxAttempts: 1,
    ...options,
  });
}

export type RawAnswer = { status: number; headers: IncomingHttpHeaders; body: string };

/** Sends a request exactly as given, dots and slashes of the path included. */
export function sendRaw(
  url: string,
  {
    method = 'GET',
    path,
    headers = {},
    body,
  }: { method?: string; path: string; headers?: Record<string, string>; body?: Buffer | string },
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const outgoing = request({ hostname, port, method, path, headers, agent: false }, (incoming) => {
      const pieces: Buffer[] = [];
      incoming.on('data', (piece) => pieces.push(piece));
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode!,
          headers: incoming.headers,
          body: Buffer.concat(pieces).toString(),
        }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** The code in an S3 error document. */
export function errorCode({ body }: { body: string }): string | undefined {
  return /<Code>(\w+)<\/Code>/.exec(body)?.[1];
}

export type SignOptions = {
  method?: string;
  host: string;
  path: string;
  /** The query as it is sent: encoded, and in canonical order. */
  query?: string;
  headers?: Record<string, string>;
  payloadHash?: string;
  date?: string;
  region?: string;
  service?: string;
  credentials?: { accessKeyId: string; secretAccessKey: string };
};

export type Signed = { headers: Record<string, string>; signature: string; key: Buffer; scope: string };

/** Signature Version 4 written again from its description, so that the server is not judged by its own code. */
export function signByHand(options: SignOptions): Signed {
  const {
    method = 'GET',
    host,
    path,
    query = '',
    payloadHash = sha256Hex(''),
    date = basicDate(Date.now()),
    region = REGION,
    service = 's3',
    credentials = CREDENTIALS,
  } = options;
  const headers: Record<string, string> = {
    ...options.headers,
    host,
    'x-amz-content-sha256': payloadHash,
    'x-amz-date': date,
  };
  const names = Object.keys(headers).sort();
  const canonical = [
    method,
    path,
    query,
    ...names.map((name) => `${name}:${headers[name]}`),
    '',
    names.join(';'),
    payloadHash,
  ].join('\n');
  const day = date.slice(0, 8);
  const scope = `${day}/${region}/${service}/aws4_request`;
  const key = [day, region, service, 'aws4_request'].reduce<Buffer>(
    (secret, text) => createHmac('sha256', secret).update(text).digest(),
    Buffer.from(`AWS4${credentials.secretAccessKey}`),
  );
  const text = `AWS4-HMAC-SHA256\n${date}\n${scope}\n${sha256Hex(canonical)}`;
  const signature = createHmac('sha256', key).update(text).digest('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope},SignedHeaders=${names.join(';')},Signature=${signature}`;
  return { headers: { ...headers, authorization }, signature, key, scope };
}

export function sha256Hex(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

export function md5Hex(data: Buffer): string {
  return createHash('md5').update(data).digest('hex');
}

export function basicDate(time: number): string {
  return new Date(time).toISOString().replace(/[-:]|\.\d{3}/g, '');
}
