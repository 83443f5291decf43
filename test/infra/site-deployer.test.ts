import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ArchivedObject, digestOf, pack, unpack } from '../../lib/site/archive.ts';
import { siteBucket } from '../../lib/site/deployer/bucket.ts';
import {
  empty,
  prune,
  recordKey,
  type SiteBucket,
  uploadObjects,
} from '../../lib/site/deployer/deployment.ts';
import { startS3 } from '../../local/s3/server.ts';
import { forAny } from '../support/for-any.ts';

const page = (key: string, text: string, more: Partial<ArchivedObject> = {}): ArchivedObject => ({
  key,
  contentType: 'text/html; charset=utf-8',
  cacheControl: 'public, max-age=0',
  metadata: {},
  body: Buffer.from(text),
  ...more,
});

describe('the archive of a site', () => {
  const object = fc.record({
    key: fc.string({ minLength: 1 }),
    contentType: fc.constantFrom('text/html', 'image/png'),
    cacheControl: fc.constant('no-store'),
    metadata: fc.dictionary(fc.constantFrom('edge-status'), fc.string()),
    body: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  });
  const objects = fc.uniqueArray(object, { selector: ({ key }) => key, maxLength: 20 });

  test('returns the same objects when it is read', () => {
    forAny([objects], (list) => {
      const byKey = new Map(list.map((one) => [one.key, one]));
      const out = unpack(pack(list));
      expect(out).toHaveLength(list.length);
      for (const one of out) expect({ ...one, metadata: { ...one.metadata } }).toEqual(byKey.get(one.key));
    });
  });

  test('is the same for any order of the objects', () => {
    fc.assert(fc.property(objects, (list) => pack(list).equals(pack([...list].reverse()))));
  });
});

function memoryBucket() {
  const objects = new Map<string, ArchivedObject>();
  const log: string[] = [];
  let failsAt = '';
  const bucket: SiteBucket = {
    keys: async () => [...objects.keys()],
    read: async (key) => objects.get(key)?.body.toString(),
    put: async (object) => {
      if (object.key === failsAt) throw new Error(`${failsAt} fails`);
      log.push(`put ${object.key}`);
      objects.set(object.key, object);
    },
    remove: async (keys) => {
      for (const key of keys) {
        log.push(`remove ${key}`);
        objects.delete(key);
      }
    },
  };
  return { bucket, objects, log, failAt: (key: string) => (failsAt = key) };
}

describe('a deployment', () => {
  let memory: ReturnType<typeof memoryBucket>;
  beforeEach(() => {
    memory = memoryBucket();
  });

  const deploy = async (objects: ArchivedObject[]) => {
    const uploaded = await uploadObjects(memory.bucket, objects);
    const pruned = await prune(memory.bucket);
    return { uploaded, pruned };
  };
  const first = [page('pages/index.html', 'one'), page('assets/a.css', 'a')];
  const second = [page('pages/index.html', 'two'), page('assets/b.css', 'b')];
  const third = [page('pages/index.html', 'three'), page('assets/c.css', 'c')];

  test('uploads everything the first time, and nothing if nothing has changed', async () => {
    expect(await deploy(first)).toEqual({ uploaded: 2, pruned: 0 });
    expect(await deploy(first)).toEqual({ uploaded: 0, pruned: 0 });
  });

  test('keeps the assets of the previous deployment, and prunes older ones', async () => {
    await deploy(first);
    expect(await deploy(second)).toEqual({ uploaded: 2, pruned: 0 });
    expect(memory.objects.has('assets/a.css')).toBe(true);
    expect(await deploy(third)).toEqual({ uploaded: 2, pruned: 1 });
    expect([...memory.objects.keys()].sort()).toEqual(
      [recordKey, 'assets/b.css', 'assets/c.css', 'pages/index.html'].sort(),
    );
  });

  test('removes nothing before it has uploaded everything', async () => {
    await deploy(first);
    await deploy(second);
    memory.log.length = 0;
    await deploy(third);
    expect(memory.log.at(-1)).toBe('remove assets/a.css');
    expect(memory.log.filter((line) => line.startsWith('remove'))).toHaveLength(1);
  });

  test('uploads an object again if only its headers have changed', async () => {
    await deploy(first);
    const changed = first.map((object) => ({ ...object, cacheControl: 'no-store' }));
    expect((await deploy(changed)).uploaded).toBe(2);
    expect(memory.objects.get('assets/a.css')!.cacheControl).toBe('no-store');
  });

  test('uploads an object again if someone has removed it', async () => {
    await deploy(first);
    memory.objects.delete('assets/a.css');
    expect((await deploy(first)).uploaded).toBe(1);
  });

  test('restores the previous state in a rollback', async () => {
    await deploy(first);
    await uploadObjects(memory.bucket, second);
    expect(await uploadObjects(memory.bucket, first)).toBe(2);
    expect(memory.objects.get('pages/index.html')!.body.toString()).toBe('one');
  });

  test('restores the previous state even after an interrupted upload', async () => {
    await deploy(first);
    memory.failAt('assets/b.css');
    await expect(uploadObjects(memory.bucket, second)).rejects.toThrow('fails');
    expect(memory.objects.get('pages/index.html')!.body.toString()).toBe('two');
    await uploadObjects(memory.bucket, first);
    expect(memory.objects.get('pages/index.html')!.body.toString()).toBe('one');
  });

  test('keeps the assets of the previous deployment if an interrupted upload is repeated', async () => {
    await deploy(first);
    memory.failAt('assets/b.css');
    await expect(uploadObjects(memory.bucket, second)).rejects.toThrow('fails');
    memory.failAt('');
    await deploy(second);
    expect(memory.objects.has('assets/a.css')).toBe(true);
    await deploy(third);
    expect(memory.objects.has('assets/a.css')).toBe(false);
  });

  test('removes everything when the stack is deleted', async () => {
    await deploy(first);
    await empty(memory.bucket);
    expect(memory.objects.size).toBe(0);
  });
});

describe('the bucket in S3', () => {
  const credentials = { accessKeyId: 'site', secretAccessKey: 'secret' };
  let server: Awaited<ReturnType<typeof startS3>>;
  let client: S3Client;
  let bucket: SiteBucket;
  beforeAll(async () => {
    server = await startS3({
      dir: mkdtempSync(join(tmpdir(), 'kinora-site-s3-')),
      port: 0,
      region: 'us-east-1',
      credentials,
      buckets: [{ name: 'site' }],
    });
    client = new S3Client({ endpoint: server.url, region: 'us-east-1', credentials, forcePathStyle: true });
    bucket = siteBucket(client, 'site');
  });
  afterAll(async () => {
    client?.destroy();
    await server?.close();
  });

  test('keeps type, encoding, language, caching and metadata of each object', async () => {
    const twin = page('_errors/es/404.md.br', 'x', {
      contentType: 'text/markdown; charset=utf-8',
      contentEncoding: 'br',
      contentLanguage: 'es',
      cacheControl: 'no-store',
      metadata: { 'edge-status': '404' },
    });
    await uploadObjects(bucket, [twin, page('pages/index.html', 'home')]);
    const head = await client.send(new HeadObjectCommand({ Bucket: 'site', Key: twin.key }));
    expect(head).toMatchObject({
      ContentType: 'text/markdown; charset=utf-8',
      ContentEncoding: 'br',
      ContentLanguage: 'es',
      CacheControl: 'no-store',
      Metadata: { 'edge-status': '404' },
    });
  });

  test('is listed, read and pruned', async () => {
    await uploadObjects(bucket, [page('assets/a.css', 'a')]);
    await uploadObjects(bucket, [page('assets/b.css', 'b')]);
    expect(await prune(bucket)).toBeGreaterThan(0);
    expect((await bucket.keys()).sort()).toEqual([recordKey, 'assets/a.css', 'assets/b.css'].sort());
    expect(await bucket.read('assets/a.css')).toBe('a');
    expect(await bucket.read('assets/none.css')).toBeUndefined();
    await empty(bucket);
    expect(await bucket.keys()).toEqual([]);
  });
});

test('the digest of an object covers its headers and its body', () => {
  const one = page('a', 'text');
  const others = [
    page('b', 'text'),
    page('a', 'other'),
    page('a', 'text', { metadata: { 'edge-status': '404' } }),
  ];
  expect(digestOf(one)).toBe(digestOf(page('a', 'text')));
  for (const other of others) expect(digestOf(other)).not.toBe(digestOf(one));
});
