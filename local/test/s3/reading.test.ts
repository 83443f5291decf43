import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseRange } from '../../s3/range.ts';
import { useS3 } from './harness.ts';

const content = randomBytes(300_001);
const key = 'read me';
const s3 = useS3({ now: () => Math.floor(Date.now() / 1000) * 1000 + 900 });
let etag: string;

beforeAll(async () => {
  etag = (await s3.put(key, content)).ETag!;
});

describe('a request for a range', () => {
  it.each([
    ['bytes=0-0', 0, 1],
    ['bytes=0-99', 0, 100],
    ['bytes=100-', 100, 300_001],
    ['bytes=-5', 299_996, 300_001],
    ['bytes=-900000', 0, 300_001],
    ['bytes=300000-999999', 300_000, 300_001],
    ['bytes=131071-131073', 131_071, 131_074],
  ])('with %s has status 206 and exactly those bytes', async (Range, start, end) => {
    const answer = await s3.get(key, { Range });
    expect(answer.$metadata.httpStatusCode).toBe(206);
    expect(answer.ContentRange).toBe(`bytes ${start}-${end - 1}/300001`);
    const body = Buffer.from(await answer.Body!.transformToByteArray());
    expect(body.equals(content.subarray(start, end))).toBe(true);
    const head = await s3.head(key, { Range });
    expect(head.ContentLength).toBe(end - start);
  });

  it.each(['bytes=300001-', 'bytes=400000-500000', 'bytes=-0'])(
    'with %s is not satisfiable',
    async (Range) => {
      await expect(s3.get(key, { Range })).rejects.toMatchObject({
        name: 'InvalidRange',
        ActualObjectSize: '300001',
        $metadata: { httpStatusCode: 416 },
      });
    },
  );

  it.each(['bytes=5-2', 'bytes=0-1,4-5', 'lines=1-2', 'bytes=-', 'bytes=a-b'])(
    'with %s is answered with the whole object',
    async (Range) => {
      expect(await s3.bytes(key, { Range })).toHaveLength(content.length);
    },
  );

  it('returns exactly its bytes, for any range', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(content.length - 1), fc.nat(content.length), async (start, length) => {
        const end = Math.min(start + length, content.length - 1);
        const body = await s3.bytes(key, { Range: `bytes=${start}-${end}` });
        expect(body.equals(content.subarray(start, end + 1))).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('is limited to the object, or refused', () => {
    const number = fc.oneof(fc.constant(''), fc.nat().map(String));
    fc.assert(
      fc.property(number, number, fc.nat(2 ** 20), (first, last, size) => {
        const header = `bytes=${first}-${last}`;
        let range: ReturnType<typeof parseRange>;
        try {
          range = parseRange(header, size);
        } catch (error) {
          expect(error).toMatchObject({ code: 'InvalidRange' });
          return;
        }
        if (!range) return;
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.start).toBeLessThan(range.end);
        expect(range.end).toBeLessThanOrEqual(size);
        if (first !== '') expect(range.start).toBe(Number(first));
        else expect(range.end).toBe(size);
      }),
    );
  });
});

describe('a conditional read', () => {
  const earlier = () => new Date(Date.now() - 3_600_000);
  const later = () => new Date(Date.now() + 3_600_000);
  const cases: [string, () => object, number][] = [
    ['If-Match of its ETag', () => ({ IfMatch: etag }), 200],
    ['If-Match: *', () => ({ IfMatch: '*' }), 200],
    ['If-Match of several ETags', () => ({ IfMatch: `"other", ${etag}` }), 200],
    ['If-Match of another ETag', () => ({ IfMatch: '"other"' }), 412],
    ['If-None-Match of its ETag', () => ({ IfNoneMatch: etag }), 304],
    ['If-None-Match of its weak ETag', () => ({ IfNoneMatch: `W/${etag}` }), 304],
    ['If-None-Match of another ETag', () => ({ IfNoneMatch: '"other"' }), 200],
    ['If-Modified-Since of an earlier time', () => ({ IfModifiedSince: earlier() }), 200],
    ['If-Modified-Since of a later time', () => ({ IfModifiedSince: later() }), 304],
    ['If-Unmodified-Since of an earlier time', () => ({ IfUnmodifiedSince: earlier() }), 412],
    ['If-Unmodified-Since of a later time', () => ({ IfUnmodifiedSince: later() }), 200],
    [
      'If-Match that holds and a time that does not',
      () => ({ IfMatch: etag, IfUnmodifiedSince: earlier() }),
      200,
    ],
    [
      'If-None-Match that holds and a time that does not',
      () => ({ IfNoneMatch: '"x"', IfModifiedSince: later() }),
      200,
    ],
    [
      'If-None-Match that fails and a time that holds',
      () => ({ IfNoneMatch: etag, IfModifiedSince: earlier() }),
      304,
    ],
  ];
  it.each(cases)('with %s', async (_, condition, status) => {
    const outcome = await s3.bytes(key, condition()).then(
      () => 200,
      (error) => error.$metadata.httpStatusCode,
    );
    expect(outcome).toBe(status);
    const head = await s3.head(key, condition()).catch((error) => error);
    expect(head.$metadata.httpStatusCode).toBe(status);
  });

  it('ignores fractions of a second in the modification time', async () => {
    const { LastModified } = await s3.head(key);
    await expect(s3.get(key, { IfModifiedSince: LastModified! })).rejects.toMatchObject({
      $metadata: { httpStatusCode: 304 },
    });
  });
});

describe('a conditional write', () => {
  const write = (name: string, condition: object) => s3.put(name, 'new', condition);

  it('with If-None-Match: * creates an object only if it does not exist', async () => {
    await write('once', { IfNoneMatch: '*' });
    await expect(write('once', { IfNoneMatch: '*' })).rejects.toMatchObject({ name: 'PreconditionFailed' });
  });

  it('succeeds for only one of many concurrent requests', async () => {
    const attempts = Array.from({ length: 8 }, () => write('race', { IfNoneMatch: '*' }));
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('with If-Match replaces the object only if it has the given ETag', async () => {
    const { ETag } = await write('known', {});
    await write('known', { IfMatch: ETag });
    await expect(write('known', { IfMatch: '"other"' })).rejects.toMatchObject({
      name: 'PreconditionFailed',
    });
    await expect(write('unknown', { IfMatch: ETag })).rejects.toMatchObject({ name: 'NoSuchKey' });
  });
});
