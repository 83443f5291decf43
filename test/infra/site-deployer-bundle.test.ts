/** The deployer as it ships: its bundle in a separate process, with S3, and with a stand-in for CloudFront's client. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ArchivedObject, pack } from '../../lib/site/archive.ts';
import { readBytes, siteBucket } from '../../lib/site/deployer/bucket.ts';
import type { DeploymentEvent, DeploymentProperties } from '../../lib/site/deployer/handler.ts';
import { siteNamedByCloudFront } from '../../lib/site/placeholders.ts';
import { startS3 } from '../../local/s3/server.ts';
import { root } from '../../toolchain/bundle/paths.ts';
import { bundleDeployer } from '../../toolchain/edge/bundle.ts';

const credentials = { accessKeyId: 'site', secretAccessKey: 'secret' };
const region = 'us-east-1';

let s3: Awaited<ReturnType<typeof startS3>>;
let client: S3Client;
let folder: string;
/** The responses to CloudFormation. */
const replies: {
  Status: string;
  Reason: string;
  PhysicalResourceId: string;
  LogicalResourceId: string;
  Data: object;
}[] = [];
const cloudFormation = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    replies.push(JSON.parse(Buffer.concat(chunks).toString()));
    response.end();
  });
});

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kinora-deployer-'));
  const buckets = [{ name: 'site' }, { name: 'assets' }];
  s3 = await startS3({ dir: join(folder, 's3'), port: 0, region, credentials, buckets });
  client = new S3Client({ endpoint: s3.url, region, credentials, forcePathStyle: true });
  await new Promise<void>((resolve) => cloudFormation.listen(0, '127.0.0.1', resolve));
  writeFileSync(join(folder, 'index.mjs'), await bundleDeployer());
  for (const name of ['client-cloudfront', 'client-secrets-manager']) {
    mkdirSync(join(folder, 'node_modules', '@aws-sdk', name), { recursive: true });
    writeFileSync(join(folder, `node_modules/@aws-sdk/${name}/package.json`), '{"main":"index.cjs"}');
  }
  symlinkSync(join(root, 'node_modules/@aws-sdk/client-s3'), join(folder, 'node_modules/@aws-sdk/client-s3'));
  writeFileSync(
    join(folder, 'node_modules/@aws-sdk/client-secrets-manager/index.cjs'),
    `exports.GetSecretValueCommand = class { constructor(input) { this.input = input; } };
exports.SecretsManagerClient = class { async send({ input }) { return { SecretString: 'token of ' + input.SecretId }; } };`,
  );
  writeFileSync(
    join(folder, 'node_modules/@aws-sdk/client-cloudfront/index.cjs'),
    `exports.CreateInvalidationCommand = class { constructor(input) { this.input = input; } };
exports.CloudFrontClient = class {
  async send({ input }) { require('node:fs').appendFileSync(${JSON.stringify(join(folder, 'invalidations'))}, JSON.stringify(input) + '\\n'); }
};`,
  );
});
afterAll(async () => {
  client?.destroy();
  cloudFormation.close();
  await s3?.close();
});

/** Calls the bundle's handler as Lambda does. Returns the response to CloudFormation. */
async function invoke(requestType: DeploymentEvent['RequestType'], properties: DeploymentProperties) {
  const { port } = cloudFormation.address() as AddressInfo;
  const event: DeploymentEvent = {
    RequestType: requestType,
    ResponseURL: `http://127.0.0.1:${port}/reply?signature=x`,
    StackId: 'stack',
    RequestId: `request-${replies.length}`,
    LogicalResourceId: 'SiteObjects',
    ResourceProperties: properties,
  };
  await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', `await (await import('./index.mjs')).handler(${JSON.stringify(event)})`],
    {
      cwd: folder,
      env: {
        AWS_ENDPOINT_URL_S3: s3.url,
        AWS_REGION: region,
        AWS_ACCESS_KEY_ID: credentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      },
    },
  );
  return replies.at(-1)!;
}

async function archive(name: string, objects: ArchivedObject[]): Promise<DeploymentProperties> {
  await client.send(new PutObjectCommand({ Bucket: 'assets', Key: name, Body: pack(objects) }));
  const common = { Step: 'objects', SiteBucket: 'site', ArchiveBucket: 'assets' } as const;
  const Filling = [{ Placeholder: siteNamedByCloudFront, Value: 'https://d1.cloudfront.net' }];
  return { ...common, ArchiveKey: name, Filling, EmptyOnDelete: 'true' };
}

const asset = (key: string): ArchivedObject => ({
  ...{ key, contentType: 'text/css', cacheControl: 'no-store', metadata: {}, body: Buffer.from(key) },
});
const release = { Step: 'release', SiteBucket: 'site', DistributionId: 'E1', Release: 'r' } as const;

test('uploads, invalidates, prunes and empties, and reports each result to CloudFormation', async () => {
  const bucket = siteBucket(client, 'site');
  for (const name of ['a.css', 'b.css', 'c.css']) {
    const reply = await invoke('Update', await archive(`${name}.bin`, [asset(`assets/${name}`)]));
    expect(reply).toMatchObject({ Status: 'SUCCESS', LogicalResourceId: 'SiteObjects' });
    expect(reply.PhysicalResourceId).toBe('SiteObjects');
    expect((await invoke('Update', release)).Status).toBe('SUCCESS');
  }
  const assets = (await bucket.keys()).filter((key) => key.startsWith('assets/'));
  expect(assets.sort()).toEqual(['assets/b.css', 'assets/c.css']);

  const invalidations = readFileSync(join(folder, 'invalidations'), 'utf8').trim().split('\n');
  const inputs = invalidations.map((line) => JSON.parse(line));
  expect(inputs).toHaveLength(3);
  expect(inputs[0]).toMatchObject({ DistributionId: 'E1', InvalidationBatch: { Paths: { Items: ['/*'] } } });
  expect(new Set(inputs.map(({ InvalidationBatch }) => InvalidationBatch.CallerReference)).size).toBe(3);

  expect((await invoke('Delete', release)).Status).toBe('SUCCESS');
  expect(await bucket.keys()).not.toEqual([]);
  expect((await invoke('Delete', await archive('c.css.bin', []))).Status).toBe('SUCCESS');
  expect(await bucket.keys()).toEqual([]);
});

test('fills in the domain that CloudFront assigned, also in compressed objects', async () => {
  const text = `# Kinora\n\nSee ${siteNamedByCloudFront}/docs.\n`;
  const page = { contentType: 'text/markdown', cacheControl: 'no-store', metadata: {} };
  const objects = [
    { ...page, key: 'pages/index.md', body: Buffer.from(text) },
    { ...page, key: 'pages/index.md.br', contentEncoding: 'br', body: brotliCompressSync(text) },
    { ...page, key: 'pages/index.md.gz', contentEncoding: 'gzip', body: gzipSync(text) },
    { ...page, key: 'assets/picture.png', contentType: 'image/png', body: Buffer.from([0x89, 0xff, 0xfe]) },
  ];
  expect((await invoke('Create', await archive('filled.bin', objects))).Status).toBe('SUCCESS');
  const read = async (key: string) => (await readBytes(client, 'site', key))!;
  const expected = '# Kinora\n\nSee https://d1.cloudfront.net/docs.\n';
  expect(String(await read('pages/index.md'))).toBe(expected);
  expect(String(brotliDecompressSync(await read('pages/index.md.br')))).toBe(expected);
  expect(String(gunzipSync(await read('pages/index.md.gz')))).toBe(expected);
  expect([...(await read('assets/picture.png'))]).toEqual([0x89, 0xff, 0xfe]);
});

test('returns the digest of the token that opens the site, and not the token', async () => {
  const reply = await invoke('Create', { Step: 'access', Secret: 'arn:of:secret' });
  const digest = createHash('sha256').update('token of arn:of:secret').digest('hex');
  expect(reply).toMatchObject({ Status: 'SUCCESS', Data: { Sha256: digest } });
  expect(JSON.stringify(reply)).not.toContain('token of');
});

test('reports a failure to CloudFormation, so that the stack does not wait', async () => {
  const reply = await invoke('Create', {
    ...{ Step: 'objects', SiteBucket: 'site', ArchiveBucket: 'assets', ArchiveKey: 'none.bin' },
    Filling: [],
    EmptyOnDelete: 'false',
  });
  expect(reply).toMatchObject({ Status: 'FAILED', Reason: expect.stringContaining('none.bin') });
});
