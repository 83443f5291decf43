import {
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUCKET, startTestServer, type TestServer } from './harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ buckets: [{ name: BUCKET, isVersioned: true }] });
});
afterAll(() => server.close());

const put = async (Key: string, Body: string) =>
  (await server.client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body }))).VersionId;
const remove = (Key: string, VersionId?: string) =>
  server.client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key, VersionId }));
const text = async (Key: string, VersionId?: string) => {
  const { Body } = await server.client.send(new GetObjectCommand({ Bucket: BUCKET, Key, VersionId }));
  return Body!.transformToString();
};
const versionsOf = async (Prefix: string, MaxKeys?: number) =>
  server.client.send(new ListObjectVersionsCommand({ Bucket: BUCKET, Prefix, MaxKeys }));
const names = async (Prefix: string) => {
  const { Contents = [] } = await server.client.send(new ListObjectsV2Command({ Bucket: BUCKET, Prefix }));
  return Contents.map(({ Key }) => Key);
};

describe('a bucket with versioning', () => {
  it('keeps overwritten and deleted objects as versions, the newest first', async () => {
    const [first, second] = [await put('a', 'one'), await put('a', 'two')];
    expect([await text('a'), await text('a', first)]).toEqual(['two', 'one']);
    const { DeleteMarker, VersionId } = await remove('a');
    expect(DeleteMarker).toBe(true);
    await expect(text('a')).rejects.toMatchObject({ name: 'NoSuchKey' });
    expect(await names('a')).toEqual([]);
    const { Versions, DeleteMarkers } = await versionsOf('a');
    expect(Versions!.map((one) => [one.VersionId, one.IsLatest])).toEqual([
      [second, false],
      [first, false],
    ]);
    expect(DeleteMarkers).toMatchObject([{ Key: 'a', VersionId, IsLatest: true }]);
  });

  it('has the object again after its delete marker is removed, also after a restart', async () => {
    await put('b', 'kept');
    const { VersionId } = await remove('b');
    server = await server.restart();
    await remove('b', VersionId);
    expect([await text('b'), await names('b')]).toEqual(['kept', ['b']]);
  });

  it('can copy an earlier version over the current one', async () => {
    const first = await put('c', 'before');
    await put('c', 'after');
    const CopySource = `${BUCKET}/c?versionId=${first}`;
    await server.client.send(new CopyObjectCommand({ Bucket: BUCKET, Key: 'c', CopySource }));
    expect(await text('c')).toBe('before');
    expect((await versionsOf('c')).Versions).toHaveLength(3);
  });

  it('deletes versions by id, with one request for each or for all', async () => {
    const first = await put('d', 'one');
    const second = await put('d', 'two');
    await remove('d', second);
    expect(await text('d')).toBe('one');
    const Delete = { Objects: [{ Key: 'd', VersionId: first! }] };
    await server.client.send(new DeleteObjectsCommand({ Bucket: BUCKET, Delete }));
    const { Versions, DeleteMarkers } = await versionsOf('d');
    expect([Versions, DeleteMarkers]).toEqual([undefined, undefined]);
  });

  it('lists versions in pages', async () => {
    for (const body of ['1', '2', '3']) await put('e', body);
    const page = await versionsOf('e', 2);
    expect([page.Versions!.length, page.IsTruncated]).toEqual([2, true]);
    const { NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = page;
    const rest = await server.client.send(
      new ListObjectVersionsCommand({ Bucket: BUCKET, Prefix: 'e', KeyMarker, VersionIdMarker }),
    );
    expect([rest.Versions!.length, rest.IsTruncated]).toEqual([1, false]);
  });
});
