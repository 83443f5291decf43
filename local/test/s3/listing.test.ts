import {
  ListObjectsV2Command,
  type ListObjectsV2CommandInput,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { compareUtf8, SortedKeys } from '../../s3/store/sorted-keys.ts';
import { BUCKET, useS3 } from './harness.ts';

const allKeys = ['a', 'a/1', 'a/2', 'a/b/3', 'a0', 'b/', 'b/x', 'c d+e', 'é', '\uffee', '🎬'];

const s3 = useS3();
beforeAll(async () => {
  for (const key of allKeys.toReversed()) await s3.put(key, key);
});

const list = async (input: Partial<ListObjectsV2CommandInput> = {}) => {
  const page = await s3.client.send(new ListObjectsV2Command({ Bucket: BUCKET, ...input }));
  const keys = page.Contents?.map(({ Key }) => Key!) ?? [];
  const prefixes = page.CommonPrefixes?.map(({ Prefix }) => Prefix!) ?? [];
  return { ...page, keys, prefixes };
};

const listAll = async (input: Partial<ListObjectsV2CommandInput>) => {
  const found: (string | undefined)[] = [];
  for await (const page of paginateListObjectsV2({ client: s3.client }, { Bucket: BUCKET, ...input })) {
    expect(page.KeyCount).toBeLessThanOrEqual(input.MaxKeys ?? 1000);
    const { Contents = [], CommonPrefixes = [] } = page;
    found.push(...Contents.map(({ Key }) => Key), ...CommonPrefixes.map(({ Prefix }) => Prefix));
  }
  return found;
};

describe('ListObjectsV2', () => {
  it('lists keys in the order of their UTF-8 bytes', async () => {
    const { keys, IsTruncated, KeyCount } = await list();
    expect(keys).toEqual(allKeys);
    expect([IsTruncated, KeyCount]).toEqual([false, allKeys.length]);
  });

  it('shows the size, ETag, time and class of each object', async () => {
    const { Contents } = await list({ Prefix: 'a/b/', FetchOwner: true });
    expect(Contents).toEqual([
      expect.objectContaining({
        Key: 'a/b/3',
        Size: 5,
        ETag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
        LastModified: expect.any(Date),
        StorageClass: 'STANDARD',
        Owner: { ID: 'local' },
      }),
    ]);
  });

  it('lists only keys with the given prefix', async () => {
    expect((await list({ Prefix: 'a/' })).keys).toEqual(['a/1', 'a/2', 'a/b/3']);
    expect((await list({ Prefix: 'none' })).keys).toEqual([]);
  });

  it('groups keys by a delimiter into common prefixes', async () => {
    const top = await list({ Delimiter: '/' });
    expect([top.keys, top.prefixes]).toEqual([
      ['a', 'a0', 'c d+e', 'é', '\uffee', '🎬'],
      ['a/', 'b/'],
    ]);
    const below = await list({ Delimiter: '/', Prefix: 'a/' });
    expect([below.keys, below.prefixes]).toEqual([['a/1', 'a/2'], ['a/b/']]);
    const marker = await list({ Delimiter: '/', Prefix: 'b/' });
    expect([marker.keys, marker.prefixes]).toEqual([['b/', 'b/x'], []]);
  });

  it('starts after the given key', async () => {
    expect((await list({ StartAfter: 'c d+e' })).keys).toEqual(['é', '\uffee', '🎬']);
    expect((await list({ StartAfter: 'a/1', Prefix: 'a/' })).keys).toEqual(['a/2', 'a/b/3']);
    expect((await list({ StartAfter: 'A', Prefix: 'a/' })).keys).toEqual(['a/1', 'a/2', 'a/b/3']);
    expect((await list({ StartAfter: 'z', Prefix: 'a/' })).keys).toEqual([]);
  });

  it('encodes keys as URLs if requested', async () => {
    const { keys } = await list({ Prefix: 'c', EncodingType: 'url' });
    expect(keys).toEqual(['c%20d%2Be']);
  });

  it.each([1, 2, 3, 100])('returns every result exactly once in pages of %i', async (MaxKeys) => {
    expect(await listAll({ MaxKeys })).toEqual(allKeys);
    const rolled = await listAll({ MaxKeys, Delimiter: '/' });
    expect(rolled.sort()).toEqual(['a', 'a/', 'a0', 'b/', 'c d+e', 'é', '\uffee', '🎬'].sort());
  });

  it('returns no keys if zero are requested', async () => {
    expect(await list({ MaxKeys: 0 })).toMatchObject({ keys: [], IsTruncated: false });
  });

  it.each([{ ContinuationToken: 'invented' }, { MaxKeys: -1 }])('refuses %o', async (input) => {
    await expect(list(input)).rejects.toMatchObject({ name: 'InvalidArgument' });
  });

  it('returns the same after a restart', async () => {
    await s3.restart();
    expect((await list()).keys).toEqual(allKeys);
  });
});

describe('the index of keys', () => {
  const key = fc.string({ unit: 'grapheme', maxLength: 6 });

  it('has the order of UTF-8 bytes', () => {
    fc.assert(
      fc.property(key, key, (a, b) => {
        expect(Math.sign(compareUtf8(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });

  it('equals a sorted list after any additions and removals', () => {
    const change = fc.record({
      key: fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 4 }),
      adds: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(change),
        fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 3 }),
        (changes, probe) => {
          const index = new SortedKeys<string>();
          const model = new Set<string>();
          for (const { key: name, adds } of changes) {
            if (adds) index.set(name, name);
            else index.delete(name);
            if (adds) model.add(name);
            else model.delete(name);
          }
          const sorted = [...model].sort();
          expect(index.size).toBe(sorted.length);
          expect(index.atOrAfter(probe)).toBe(sorted.find((each) => each >= probe));
          expect(index.after(probe)).toBe(sorted.find((each) => each > probe));
          expect(index.afterPrefix(probe)).toBe(
            sorted.find((each) => each > probe && !each.startsWith(probe)),
          );
        },
      ),
    );
  });
});
