import { createHash, randomBytes } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type CreateMultipartUploadCommandInput,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandInput,
  ListPartsCommand,
  UploadPartCommand,
  type UploadPartCommandInput,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { describe, expect, it } from 'vitest';
import { crc } from '../../s3/body/crc.ts';
import { BUCKET, clientOf, startTestServer, useS3 } from './harness.ts';

const MIB = 1024 * 1024;
const fiveMebibytes = randomBytes(5 * MIB);
const lastBytes = randomBytes(1000);
const DAY_MS = 86_400_000;

const s3 = useS3();

const create = async (key: string, options: Partial<CreateMultipartUploadCommandInput> = {}) => {
  const command = new CreateMultipartUploadCommand({ ...s3.at(key), ...options });
  const { UploadId } = await s3.client.send(command);
  return { ...s3.at(key), UploadId: UploadId! };
};
type Upload = Awaited<ReturnType<typeof create>>;
const sendPart = async (
  upload: Upload,
  PartNumber: number,
  Body: Buffer | string,
  more: Partial<UploadPartCommandInput> = {},
): Promise<CompletedPart> => {
  const part = new UploadPartCommand({ ...upload, PartNumber, Body, ...more });
  return { ...(await s3.client.send(part)), PartNumber };
};
const complete = (upload: Upload, Parts: CompletedPart[], condition = {}) =>
  s3.client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts }, ...condition }));
const abort = (upload: Upload) => s3.client.send(new AbortMultipartUploadCommand(upload));
const listParts = (upload: Upload, page: object = {}) =>
  s3.client.send(new ListPartsCommand({ ...upload, ...page }));
const md5 = (data: Buffer) => createHash('md5').update(data).digest();

describe('a multipart upload', () => {
  it('becomes one object of its parts, with the headers of its creation', async () => {
    const upload = await create('whole', {
      ContentType: 'video/mp4',
      Metadata: { a: 'b' },
      ServerSideEncryption: 'aws:kms',
    });
    const last = await sendPart(upload, 7, lastBytes);
    const first = await sendPart(upload, 2, fiveMebibytes);
    const done = await complete(upload, [first, last]);
    const etag = `"${md5(Buffer.concat([md5(fiveMebibytes), md5(lastBytes)])).toString('hex')}-2"`;
    expect(done).toMatchObject({ ...s3.at('whole'), ETag: etag, ServerSideEncryption: 'aws:kms' });
    expect(await s3.head('whole')).toMatchObject({
      ETag: etag,
      ContentType: 'video/mp4',
      Metadata: { a: 'b' },
    });
    expect((await s3.bytes('whole')).equals(Buffer.concat([fiveMebibytes, lastBytes]))).toBe(true);
    const across = `bytes=${fiveMebibytes.length - 10}-${fiveMebibytes.length + 9}`;
    const expected = Buffer.concat([fiveMebibytes.subarray(-10), lastBytes.subarray(0, 10)]);
    expect(await s3.bytes('whole', { Range: across })).toEqual(expected);
  });

  it('is not visible as an object before it is completed', async () => {
    const upload = await create('unfinished');
    await sendPart(upload, 1, lastBytes);
    await expect(s3.text('unfinished')).rejects.toMatchObject({ name: 'NoSuchKey' });
    await abort(upload);
  });

  it('accepts parts through presigned URLs, as a browser sends them', async () => {
    const upload = await create('presigned');
    const client = clientOf(s3.url, { requestChecksumCalculation: 'WHEN_REQUIRED' });
    const url = await getSignedUrl(client, new UploadPartCommand({ ...upload, PartNumber: 1 }));
    const answer = await fetch(url, { method: 'PUT', body: 'one part' });
    expect(answer.status).toBe(200);
    await complete(upload, [{ PartNumber: 1, ETag: answer.headers.get('etag')! }]);
    expect(await s3.text('presigned')).toBe('one part');
  });

  it('uses the last upload of a part that was sent twice', async () => {
    const upload = await create('resent');
    await sendPart(upload, 1, 'former');
    const part = await sendPart(upload, 1, 'latter');
    await complete(upload, [part]);
    expect(await s3.text('resent')).toBe('latter');
  });

  it('leaves out parts that completion does not list', async () => {
    const upload = await create('chosen');
    await sendPart(upload, 1, 'no');
    await complete(upload, [await sendPart(upload, 2, 'yes')]);
    expect(await s3.text('chosen')).toBe('yes');
  });

  it('may be completed again, with the same result', async () => {
    const upload = await create('again');
    const parts = [await sendPart(upload, 1, lastBytes)];
    const { ETag } = await complete(upload, parts);
    expect(await complete(upload, parts)).toMatchObject({ ETag });
    await s3.put('again', 'replaced');
    await expect(complete(upload, parts)).rejects.toMatchObject({ name: 'NoSuchUpload' });
  });

  it('is completed only once by concurrent requests', async () => {
    const upload = await create('at once');
    const parts = [await sendPart(upload, 1, lastBytes)];
    const results = await Promise.all([1, 2, 3, 4].map(() => complete(upload, parts)));
    expect(new Set(results.map(({ ETag }) => ETag)).size).toBe(1);
    expect((await s3.bytes('at once')).equals(lastBytes)).toBe(true);
  });

  it('obeys the conditions of a write', async () => {
    const upload = await create('guarded');
    const parts = [await sendPart(upload, 1, lastBytes)];
    const { ETag } = await s3.put('guarded', 'mine');
    for (const condition of [{ IfNoneMatch: '*' }, { IfMatch: '"x"' }]) {
      const write = complete(upload, parts, condition);
      await expect(write).rejects.toMatchObject({ name: 'PreconditionFailed' });
    }
    await complete(upload, parts, { IfMatch: ETag });
    expect((await s3.bytes('guarded')).equals(lastBytes)).toBe(true);
  });

  it('ends when it is aborted, and its data is removed', async () => {
    const before = await s3.files('data');
    const upload = await create('aborted');
    const part = await sendPart(upload, 1, lastBytes);
    await abort(upload);
    expect(await s3.files('data')).toEqual(before);
    for (const attempt of [
      () => complete(upload, [part]),
      () => sendPart(upload, 2, lastBytes),
      () => listParts(upload),
      () => abort(upload),
    ]) {
      const refusal = { name: 'NoSuchUpload', $metadata: { httpStatusCode: 404 } };
      await expect(attempt()).rejects.toMatchObject(refusal);
    }
  });

  it('is refused under another key', async () => {
    const upload = await create('owner');
    const stolen = sendPart({ ...upload, Key: 'thief' }, 1, lastBytes);
    await expect(stolen).rejects.toMatchObject({ name: 'NoSuchUpload' });
  });

  it.each([0, 10_001])('refuses the part number %i', async (number) => {
    const upload = await create('numbers');
    await expect(sendPart(upload, number, lastBytes)).rejects.toMatchObject({ name: 'InvalidArgument' });
    await abort(upload);
  });
});

describe('completion is refused, without loss of parts,', () => {
  const cases: [string, (parts: CompletedPart[]) => CompletedPart[], string][] = [
    ['with a part that was never sent', ([one]) => [one!, { PartNumber: 9, ETag: '"00"' }], 'InvalidPart'],
    ['with the ETag of another part', ([one, two]) => [{ ...one!, ETag: two!.ETag }], 'InvalidPart'],
    [
      'with a checksum the part does not have',
      ([one]) => [{ ...one!, ChecksumCRC32: 'AAAAAA==' }],
      'InvalidPart',
    ],
    ['with parts out of order', ([one, two]) => [two!, one!], 'InvalidPartOrder'],
    ['with a part twice', ([one]) => [one!, one!], 'InvalidPartOrder'],
    ['with a small part that is not the last', (parts) => parts, 'EntityTooSmall'],
    ['without parts', () => [], 'MalformedXML'],
  ];
  it.each(cases)('%s', async (_, choose, name) => {
    const upload = await create('refused');
    const parts = [await sendPart(upload, 1, lastBytes), await sendPart(upload, 2, 'the last')];
    await expect(complete(upload, choose(parts))).rejects.toMatchObject({ name });
    const { Parts } = await listParts(upload);
    expect(Parts?.map(({ ETag }) => ETag)).toEqual(parts.map(({ ETag }) => ETag));
    await abort(upload);
  });
});

describe('checksums of a multipart upload', () => {
  it.each(['CRC32', 'CRC32C', 'CRC64NVME'] as const)(
    '%s of the whole object are computed from those of the parts',
    async (algorithm) => {
      const options = { ChecksumAlgorithm: algorithm, ChecksumType: 'FULL_OBJECT' } as const;
      const upload = await create('full', options);
      const bodies = [fiveMebibytes, fiveMebibytes, lastBytes];
      const parts = [];
      for (const [index, body] of bodies.entries())
        parts.push(await sendPart(upload, index + 1, body, { ChecksumAlgorithm: algorithm }));
      const whole = crc(algorithm);
      whole.update(Buffer.concat(bodies));
      const digest = whole.digest();
      const expected = digest.toString('base64');
      const member = `Checksum${algorithm}` as const;
      const wrong = complete(upload, parts, { [member]: Buffer.alloc(digest.length).toString('base64') });
      await expect(wrong).rejects.toMatchObject({ name: 'BadDigest' });
      const done = await complete(upload, parts, { [member]: expected });
      expect(done).toMatchObject({ [member]: expected, ChecksumType: 'FULL_OBJECT' });
      expect((await s3.head('full', { ChecksumMode: 'ENABLED' }))[member]).toBe(expected);
      expect(await s3.bytes('full')).toHaveLength(2 * fiveMebibytes.length + lastBytes.length);
    },
  );

  it('can be a checksum of the checksums', async () => {
    const upload = await create('composite', { ChecksumAlgorithm: 'SHA256' });
    const parts = [await sendPart(upload, 1, fiveMebibytes), await sendPart(upload, 2, lastBytes)];
    const digests = [fiveMebibytes, lastBytes].map((data) => createHash('sha256').update(data).digest());
    const composite = createHash('sha256').update(Buffer.concat(digests)).digest('base64');
    const ofParts = digests.map((digest) => digest.toString('base64'));
    const withChecksums = parts.map((part, index) => ({ ...part, ChecksumSHA256: ofParts[index] }));
    expect(await complete(upload, withChecksums)).toMatchObject({
      ChecksumSHA256: `${composite}-2`,
      ChecksumType: 'COMPOSITE',
    });
  });

  it.each([
    ['SHA256', 'FULL_OBJECT'],
    ['CRC64NVME', 'COMPOSITE'],
  ] as const)('refuse the combination of %s and %s', async (ChecksumAlgorithm, ChecksumType) => {
    const start = create('never', { ChecksumAlgorithm, ChecksumType });
    await expect(start).rejects.toMatchObject({ name: 'InvalidRequest' });
  });
});

describe('UploadPartCopy', () => {
  it('makes parts from ranges of an object', async () => {
    await s3.put('source ü', fiveMebibytes);
    const upload = await create('pieces');
    const CopySource = `${BUCKET}/${encodeURIComponent('source ü')}`;
    const copyPart = async (to: Upload, PartNumber: number, CopySourceRange?: string) => {
      const command = new UploadPartCopyCommand({ ...to, PartNumber, CopySource, CopySourceRange });
      return { PartNumber, ETag: (await s3.client.send(command)).CopyPartResult!.ETag };
    };
    const parts = [await copyPart(upload, 1), await copyPart(upload, 2, 'bytes=10-19')];
    const piece = fiveMebibytes.subarray(10, 20);
    expect(parts[1]!.ETag).toBe(`"${md5(piece).toString('hex')}"`);
    await complete(upload, parts);
    expect((await s3.bytes('pieces')).equals(Buffer.concat([fiveMebibytes, piece]))).toBe(true);

    const beyond = `bytes=0-${fiveMebibytes.length}`;
    await expect(copyPart(upload, 1, beyond)).rejects.toMatchObject({ name: 'NoSuchUpload' });
    const another = await create('beyond');
    await expect(copyPart(another, 1, beyond)).rejects.toMatchObject({ name: 'InvalidRequest' });
    await abort(another);
  });
});

describe('ListParts', () => {
  it('lists parts by number, page by page', async () => {
    const upload = await create('many parts');
    for (const number of [30, 4, 10, 200, 3]) await sendPart(upload, number, `part ${number}`);
    const pages = [];
    let PartNumberMarker: string | undefined;
    do {
      const page = await listParts(upload, { MaxParts: 2, PartNumberMarker });
      pages.push(page.Parts?.map(({ PartNumber }) => PartNumber));
      PartNumberMarker = page.IsTruncated ? page.NextPartNumberMarker : undefined;
    } while (PartNumberMarker);
    expect(pages).toEqual([[3, 4], [10, 30], [200]]);
    const { Parts } = await listParts(upload);
    expect(Parts![0]).toMatchObject({ Size: 6, ETag: `"${md5(Buffer.from('part 3')).toString('hex')}"` });
    await abort(upload);
  });
});

describe('ListMultipartUploads', () => {
  it('lists unfinished uploads by key, page by page', async () => {
    const uploads = [];
    for (const key of ['lmu/b', 'lmu/a', 'lmu/c/1', 'lmu/c/2', 'lmu/a']) uploads.push(await create(key));
    const list = (more: Partial<ListMultipartUploadsCommandInput>) =>
      s3.client.send(new ListMultipartUploadsCommand({ Bucket: BUCKET, Prefix: 'lmu/', ...more }));
    const seen: (string | undefined)[] = [];
    let page = await list({ MaxUploads: 1 });
    for (;;) {
      seen.push(...page.Uploads!.map(({ UploadId }) => UploadId));
      if (!page.IsTruncated) break;
      const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page;
      page = await list({ MaxUploads: 1, KeyMarker, UploadIdMarker });
    }
    expect([...seen].sort()).toEqual(uploads.map(({ UploadId }) => UploadId).sort());

    const grouped = await list({ Delimiter: '/' });
    expect(grouped.Uploads?.map(({ Key }) => Key)).toEqual(['lmu/a', 'lmu/a', 'lmu/b']);
    expect(grouped.CommonPrefixes).toEqual([{ Prefix: 'lmu/c/' }]);
  });
});

describe('the lifecycle rule of unfinished uploads', () => {
  it('aborts those that are too old when the server starts', async () => {
    let now = Date.now() - DAY_MS - 60_000;
    const rule = { name: BUCKET, abortIncompleteUploadsAfterDays: 1 };
    const own = await startTestServer({ now: () => now, buckets: [rule] });
    const former = clientOf(own.url, { systemClockOffset: -DAY_MS - 60_000 });
    await former.send(new CreateMultipartUploadCommand(s3.at('old')));
    now = Date.now();
    const { UploadId } = await own.client.send(new CreateMultipartUploadCommand(s3.at('young')));
    const restarted = await own.restart();
    const { Uploads } = await restarted.client.send(new ListMultipartUploadsCommand({ Bucket: BUCKET }));
    expect(Uploads?.map((upload) => upload.UploadId)).toEqual([UploadId]);
    await restarted.close();
  });
});
