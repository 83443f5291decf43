import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type CreateMultipartUploadCommandInput,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crc } from '../../s3/body/crc.ts';
import { BUCKET, clientOf, startTestServer, type TestServer } from './harness.ts';

const MIB = 1024 * 1024;
const fiveMebibytes = randomBytes(5 * MIB);
const lastBytes = randomBytes(1000);
const DAY_MS = 86_400_000;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const at = (Key: string) => ({ Bucket: BUCKET, Key });
const create = async (key: string, options: Partial<CreateMultipartUploadCommandInput> = {}) => {
  const { UploadId } = await server.client.send(new CreateMultipartUploadCommand({ ...at(key), ...options }));
  return { ...at(key), UploadId: UploadId! };
};
type Upload = Awaited<ReturnType<typeof create>>;
const sendPart = async (upload: Upload, PartNumber: number, Body: Buffer): Promise<CompletedPart> => {
  const { ETag } = await server.client.send(new UploadPartCommand({ ...upload, PartNumber, Body }));
  return { PartNumber, ETag };
};
const complete = (upload: Upload, Parts: CompletedPart[], condition = {}) =>
  server.client.send(
    new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts }, ...condition }),
  );
const read = async (key: string) => {
  const { Body } = await server.client.send(new GetObjectCommand(at(key)));
  return Buffer.from(await Body!.transformToByteArray());
};
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
    expect(done).toMatchObject({ ...at('whole'), ETag: etag, ServerSideEncryption: 'aws:kms' });
    const head = await server.client.send(new HeadObjectCommand(at('whole')));
    expect(head).toMatchObject({ ETag: etag, ContentType: 'video/mp4', Metadata: { a: 'b' } });
    expect((await read('whole')).equals(Buffer.concat([fiveMebibytes, lastBytes]))).toBe(true);
    const across = new GetObjectCommand({
      ...at('whole'),
      Range: `bytes=${fiveMebibytes.length - 10}-${fiveMebibytes.length + 9}`,
    });
    const { Body } = await server.client.send(across);
    const expected = Buffer.concat([fiveMebibytes.subarray(-10), lastBytes.subarray(0, 10)]);
    expect(Buffer.from(await Body!.transformToByteArray()).equals(expected)).toBe(true);
  });

  it('is not visible as an object before it is completed', async () => {
    const upload = await create('unfinished');
    await sendPart(upload, 1, lastBytes);
    await expect(read('unfinished')).rejects.toMatchObject({ name: 'NoSuchKey' });
    await server.client.send(new AbortMultipartUploadCommand(upload));
  });

  it('accepts parts through presigned URLs, as a browser sends them', async () => {
    const upload = await create('presigned');
    const client = clientOf(server.url, { requestChecksumCalculation: 'WHEN_REQUIRED' });
    const url = await getSignedUrl(client, new UploadPartCommand({ ...upload, PartNumber: 1 }));
    const answer = await fetch(url, { method: 'PUT', body: 'one part' });
    expect(answer.status).toBe(200);
    await complete(upload, [{ PartNumber: 1, ETag: answer.headers.get('etag')! }]);
    expect((await read('presigned')).toString()).toBe('one part');
  });

  it('uses the last upload of a part that was sent twice', async () => {
    const upload = await create('resent');
    await sendPart(upload, 1, Buffer.from('former'));
    const part = await sendPart(upload, 1, Buffer.from('latter'));
    await complete(upload, [part]);
    expect((await read('resent')).toString()).toBe('latter');
  });

  it('leaves out parts that completion does not list', async () => {
    const upload = await create('chosen');
    const parts = [
      await sendPart(upload, 1, Buffer.from('no')),
      await sendPart(upload, 2, Buffer.from('yes')),
    ];
    await complete(upload, parts.slice(1));
    expect((await read('chosen')).toString()).toBe('yes');
  });

  it('may be completed again, with the same result', async () => {
    const upload = await create('again');
    const parts = [await sendPart(upload, 1, lastBytes)];
    const { ETag } = await complete(upload, parts);
    expect(await complete(upload, parts)).toMatchObject({ ETag });
    await server.client.send(new PutObjectCommand({ ...at('again'), Body: 'replaced' }));
    await expect(complete(upload, parts)).rejects.toMatchObject({ name: 'NoSuchUpload' });
  });

  it('is completed only once by concurrent requests', async () => {
    const upload = await create('at once');
    const parts = [await sendPart(upload, 1, lastBytes)];
    const results = await Promise.all([1, 2, 3, 4].map(() => complete(upload, parts)));
    expect(new Set(results.map(({ ETag }) => ETag)).size).toBe(1);
    expect((await read('at once')).equals(lastBytes)).toBe(true);
  });

  it('obeys the conditions of a write', async () => {
    const upload = await create('guarded');
    const parts = [await sendPart(upload, 1, lastBytes)];
    const { ETag } = await server.client.send(new PutObjectCommand({ ...at('guarded'), Body: 'mine' }));
    await expect(complete(upload, parts, { IfNoneMatch: '*' })).rejects.toMatchObject({
      name: 'PreconditionFailed',
    });
    await expect(complete(upload, parts, { IfMatch: '"x"' })).rejects.toMatchObject({
      name: 'PreconditionFailed',
    });
    await complete(upload, parts, { IfMatch: ETag });
    expect((await read('guarded')).equals(lastBytes)).toBe(true);
  });

  it('ends when it is aborted, and its data is removed', async () => {
    const before = await readdir(join(server.dir, 'data'));
    const upload = await create('aborted');
    const part = await sendPart(upload, 1, lastBytes);
    await server.client.send(new AbortMultipartUploadCommand(upload));
    expect(await readdir(join(server.dir, 'data'))).toEqual(before);
    for (const attempt of [
      () => complete(upload, [part]),
      () => sendPart(upload, 2, lastBytes),
      () => server.client.send(new ListPartsCommand(upload)),
      () => server.client.send(new AbortMultipartUploadCommand(upload)),
    ]) {
      await expect(attempt()).rejects.toMatchObject({
        name: 'NoSuchUpload',
        $metadata: { httpStatusCode: 404 },
      });
    }
  });

  it('is refused under another key', async () => {
    const upload = await create('owner');
    await expect(sendPart({ ...upload, Key: 'thief' }, 1, lastBytes)).rejects.toMatchObject({
      name: 'NoSuchUpload',
    });
  });

  it.each([0, 10_001])('refuses the part number %i', async (number) => {
    const upload = await create('numbers');
    await expect(sendPart(upload, number, lastBytes)).rejects.toMatchObject({ name: 'InvalidArgument' });
    await server.client.send(new AbortMultipartUploadCommand(upload));
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
    const parts = [await sendPart(upload, 1, lastBytes), await sendPart(upload, 2, Buffer.from('the last'))];
    await expect(complete(upload, choose(parts))).rejects.toMatchObject({ name });
    const { Parts } = await server.client.send(new ListPartsCommand(upload));
    expect(Parts?.map(({ ETag }) => ETag)).toEqual(parts.map(({ ETag }) => ETag));
    await server.client.send(new AbortMultipartUploadCommand(upload));
  });
});

describe('checksums of a multipart upload', () => {
  it.each(['CRC32', 'CRC32C', 'CRC64NVME'] as const)(
    '%s of the whole object are computed from those of the parts',
    async (algorithm) => {
      const upload = await create(`full-${algorithm}`, {
        ChecksumAlgorithm: algorithm,
        ChecksumType: 'FULL_OBJECT',
      });
      const parts = [];
      for (const [index, Body] of [fiveMebibytes, fiveMebibytes, lastBytes].entries()) {
        const part = new UploadPartCommand({
          ...upload,
          PartNumber: index + 1,
          Body,
          ChecksumAlgorithm: algorithm,
        });
        parts.push({ ...(await server.client.send(part)), PartNumber: index + 1 });
      }
      const whole = crc(algorithm);
      whole.update(Buffer.concat([fiveMebibytes, fiveMebibytes, lastBytes]));
      const expected = whole.digest().toString('base64');
      const member = `Checksum${algorithm}` as const;
      await expect(
        complete(upload, parts, {
          [member]: Buffer.alloc(expected.length === 12 ? 8 : 4).toString('base64'),
        }),
      ).rejects.toMatchObject({ name: 'BadDigest' });
      const done = await complete(upload, parts, { [member]: expected });
      expect(done).toMatchObject({ [member]: expected, ChecksumType: 'FULL_OBJECT' });
      const back = await server.client.send(
        new GetObjectCommand({ ...at(upload.Key), ChecksumMode: 'ENABLED' }),
      );
      expect(back[member]).toBe(expected);
      expect(await back.Body!.transformToByteArray()).toHaveLength(
        2 * fiveMebibytes.length + lastBytes.length,
      );
    },
  );

  it('can be a checksum of the checksums', async () => {
    const upload = await create('composite', { ChecksumAlgorithm: 'SHA256' });
    const parts = [await sendPart(upload, 1, fiveMebibytes), await sendPart(upload, 2, lastBytes)].map(
      (part) => part,
    );
    const digests = [fiveMebibytes, lastBytes].map((data) => createHash('sha256').update(data).digest());
    const composite = createHash('sha256').update(Buffer.concat(digests)).digest('base64');
    const withChecksums = parts.map((part, index) => ({
      ...part,
      ChecksumSHA256: digests[index]!.toString('base64'),
    }));
    expect(await complete(upload, withChecksums)).toMatchObject({
      ChecksumSHA256: `${composite}-2`,
      ChecksumType: 'COMPOSITE',
    });
  });

  it.each([
    ['SHA256', 'FULL_OBJECT'],
    ['CRC64NVME', 'COMPOSITE'],
  ] as const)('refuse the combination of %s and %s', async (ChecksumAlgorithm, ChecksumType) => {
    await expect(create('never', { ChecksumAlgorithm, ChecksumType })).rejects.toMatchObject({
      name: 'InvalidRequest',
    });
  });
});

describe('UploadPartCopy', () => {
  it('makes parts from ranges of an object', async () => {
    await server.client.send(new PutObjectCommand({ ...at('source ü'), Body: fiveMebibytes }));
    const upload = await create('pieces');
    const CopySource = `${BUCKET}/${encodeURIComponent('source ü')}`;
    const parts: CompletedPart[] = [];
    for (const [PartNumber, range] of [
      [1, undefined],
      [2, 'bytes=10-19'],
    ] as const) {
      const command = new UploadPartCopyCommand({
        ...upload,
        PartNumber,
        CopySource,
        CopySourceRange: range,
      });
      parts.push({ PartNumber, ETag: (await server.client.send(command)).CopyPartResult!.ETag });
    }
    expect(parts[1]!.ETag).toBe(`"${md5(fiveMebibytes.subarray(10, 20)).toString('hex')}"`);
    await complete(upload, parts);
    expect(
      (await read('pieces')).equals(Buffer.concat([fiveMebibytes, fiveMebibytes.subarray(10, 20)])),
    ).toBe(true);

    const beyond = new UploadPartCopyCommand({
      ...upload,
      PartNumber: 1,
      CopySource,
      CopySourceRange: `bytes=0-${fiveMebibytes.length}`,
    });
    await expect(server.client.send(beyond)).rejects.toMatchObject({ name: 'NoSuchUpload' });
    const another = await create('beyond');
    await expect(
      server.client.send(new UploadPartCopyCommand({ ...beyond.input, ...another })),
    ).rejects.toMatchObject({
      name: 'InvalidRequest',
    });
    await server.client.send(new AbortMultipartUploadCommand(another));
  });
});

describe('ListParts', () => {
  it('lists parts by number, page by page', async () => {
    const upload = await create('many parts');
    for (const number of [30, 4, 10, 200, 3]) await sendPart(upload, number, Buffer.from(`part ${number}`));
    const pages: number[][] = [];
    let marker: string | undefined;
    do {
      const page = await server.client.send(
        new ListPartsCommand({ ...upload, MaxParts: 2, PartNumberMarker: marker }),
      );
      pages.push(page.Parts!.map(({ PartNumber }) => PartNumber!));
      marker = page.IsTruncated ? page.NextPartNumberMarker : undefined;
    } while (marker);
    expect(pages).toEqual([[3, 4], [10, 30], [200]]);
    const { Parts } = await server.client.send(new ListPartsCommand(upload));
    expect(Parts![0]).toMatchObject({ Size: 6, ETag: `"${md5(Buffer.from('part 3')).toString('hex')}"` });
    await server.client.send(new AbortMultipartUploadCommand(upload));
  });
});

describe('ListMultipartUploads', () => {
  it('lists unfinished uploads by key, page by page', async () => {
    const uploads = [];
    for (const key of ['lmu/b', 'lmu/a', 'lmu/c/1', 'lmu/c/2', 'lmu/a']) uploads.push(await create(key));
    const listing = { Bucket: BUCKET, Prefix: 'lmu/' };
    const seen: (string | undefined)[] = [];
    let markers: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined = {};
    while (markers) {
      const page: {
        Uploads?: { Key?: string | undefined; UploadId?: string | undefined }[] | undefined;
        IsTruncated?: boolean | undefined;
        NextKeyMarker?: string | undefined;
        NextUploadIdMarker?: string | undefined;
      } = await server.client.send(
        new ListMultipartUploadsCommand({ ...listing, ...markers, MaxUploads: 1 }),
      );
      seen.push(...page.Uploads!.map(({ UploadId }) => UploadId));
      markers = page.IsTruncated
        ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
        : undefined;
    }
    expect([...seen].sort()).toEqual(uploads.map(({ UploadId }) => UploadId).sort());

    const grouped = await server.client.send(new ListMultipartUploadsCommand({ ...listing, Delimiter: '/' }));
    expect(grouped.Uploads?.map(({ Key }) => Key)).toEqual(['lmu/a', 'lmu/a', 'lmu/b']);
    expect(grouped.CommonPrefixes).toEqual([{ Prefix: 'lmu/c/' }]);
  });
});

describe('the lifecycle rule of unfinished uploads', () => {
  it('aborts those that are too old when the server starts', async () => {
    let now = Date.now() - DAY_MS - 60_000;
    const rule = { name: BUCKET, abortIncompleteUploadsAfterDays: 1 };
    const own = await startTestServer({ now: () => now, buckets: [rule] });
    const start = (client = clientOf(own.url, { systemClockOffset: -DAY_MS - 60_000 })) =>
      client.send(new CreateMultipartUploadCommand(at('old')));
    await start();
    now = Date.now();
    const { UploadId } = await own.client.send(new CreateMultipartUploadCommand(at('young')));
    const restarted = await own.restart();
    const { Uploads } = await restarted.client.send(new ListMultipartUploadsCommand({ Bucket: BUCKET }));
    expect(Uploads?.map((upload) => upload.UploadId)).toEqual([UploadId]);
    await restarted.close();
  });
});
