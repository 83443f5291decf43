import {
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  ListObjectVersionsCommand,
} from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { BUCKET, useS3 } from './harness.ts';

const s3 = useS3({ buckets: [{ name: BUCKET, isVersioned: true }] });

const put = async (key: string, body: string) => (await s3.put(key, body)).VersionId;
const remove = (Key: string, VersionId?: string) =>
  s3.client.send(new DeleteObjectCommand({ ...s3.at(Key), VersionId }));
const versionsOf = (Prefix: string, more: object = {}) =>
  s3.client.send(new ListObjectVersionsCommand({ Bucket: BUCKET, Prefix, ...more }));

describe('a bucket with versioning', () => {
  it('keeps overwritten and deleted objects as versions, the newest first', async () => {
    const [first, second] = [await put('a', 'one'), await put('a', 'two')];
    expect([await s3.text('a'), await s3.text('a', { VersionId: first })]).toEqual(['two', 'one']);
    const { DeleteMarker, VersionId } = await remove('a');
    expect(DeleteMarker).toBe(true);
    await expect(s3.text('a')).rejects.toMatchObject({ name: 'NoSuchKey' });
    expect(await s3.keys('a')).toEqual([]);
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
    await s3.restart();
    await remove('b', VersionId);
    expect([await s3.text('b'), await s3.keys('b')]).toEqual(['kept', ['b']]);
  });

  it('can copy an earlier version over the current one', async () => {
    const first = await put('c', 'before');
    await put('c', 'after');
    const CopySource = `${BUCKET}/c?versionId=${first}`;
    await s3.client.send(new CopyObjectCommand({ ...s3.at('c'), CopySource }));
    expect(await s3.text('c')).toBe('before');
    expect((await versionsOf('c')).Versions).toHaveLength(3);
  });

  it('deletes versions by id, with one request for each or for all', async () => {
    const first = await put('d', 'one');
    const second = await put('d', 'two');
    await remove('d', second);
    expect(await s3.text('d')).toBe('one');
    const Delete = { Objects: [{ Key: 'd', VersionId: first! }] };
    await s3.client.send(new DeleteObjectsCommand({ Bucket: BUCKET, Delete }));
    const { Versions, DeleteMarkers } = await versionsOf('d');
    expect([Versions, DeleteMarkers]).toEqual([undefined, undefined]);
  });

  it('lists versions in pages', async () => {
    for (const body of ['1', '2', '3']) await put('e', body);
    const page = await versionsOf('e', { MaxKeys: 2 });
    expect([page.Versions!.length, page.IsTruncated]).toEqual([2, true]);
    const { NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = page;
    const rest = await versionsOf('e', { KeyMarker, VersionIdMarker });
    expect([rest.Versions!.length, rest.IsTruncated]).toEqual([1, false]);
  });
});
