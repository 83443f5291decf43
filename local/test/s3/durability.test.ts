import { createHash, randomBytes, randomInt } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { BUCKET, md5Hex } from './harness.ts';
import { spawnServer, useServerProcess } from './process.ts';

const s3 = useServerProcess();

async function killAndRestart(): Promise<void> {
  await s3.end('SIGKILL');
  await s3.start();
}

type Write = { key: string; etag: string };

/** Puts until the server dies; tells what it has answered for and what it was asked for. */
async function putUntilDeath(worker: number, acknowledged: Write[], attempted: Write[]): Promise<void> {
  for (let count = 0; ; count += 1) {
    const key = `worker ${worker}/${count % 5}`;
    const body = randomBytes(randomInt(1, 400_000));
    const write = { key, etag: `"${md5Hex(body)}"` };
    attempted.push(write);
    try {
      if (count % 7 === 6)
        await s3.client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: `${key} gone` }));
      await s3.client.send(new PutObjectCommand({ Bucket: BUCKET, Key: key, Body: body }));
    } catch {
      return;
    }
    acknowledged.push(write);
  }
}

describe('after kill -9 in the middle of writes, the server', () => {
  it('has only complete objects, all acknowledged ones, and no unused files', async () => {
    for (const delay of [120, 250, 400]) {
      const acknowledged: Write[] = [];
      const attempted: Write[] = [];
      const workers = [0, 1, 2, 3].map((worker) => putUntilDeath(worker, acknowledged, attempted));
      await sleep(delay);
      await killAndRestart();
      await Promise.all(workers);

      const latest = new Map(acknowledged.map(({ key, etag }) => [key, etag]));
      const { Contents = [] } = await s3.client.send(new ListObjectsV2Command({ Bucket: BUCKET }));
      const listed = new Map(Contents.map(({ Key, ETag }) => [Key!, ETag!]));
      for (const [key, etag] of listed) {
        const { Body, ETag } = await s3.client.send(new GetObjectCommand({ Bucket: BUCKET, Key: key }));
        const content = Buffer.from(await Body!.transformToByteArray());
        expect([key, `"${md5Hex(content)}"`]).toEqual([key, etag]);
        expect(ETag).toBe(etag);
      }
      for (const [key, etag] of latest) {
        // The write after the last acknowledged one may or may not have happened.
        const last = attempted.findLast((write) => write.key === key)!;
        expect([etag, last.etag]).toContain(listed.get(key));
      }
      expect(await readdir(join(s3.dir, 's3/data'))).toHaveLength(listed.size);
      expect(await readdir(join(s3.dir, 's3/scratch'))).toEqual([]);
    }
  });

  it('keeps the parts of an upload, so that the upload can be completed', async () => {
    const at = { Bucket: BUCKET, Key: 'resumed' };
    const { UploadId } = await s3.client.send(new CreateMultipartUploadCommand(at));
    const part = randomBytes(5 * 1024 * 1024);
    await s3.client.send(new UploadPartCommand({ ...at, UploadId, PartNumber: 1, Body: part }));
    const second = s3.client
      .send(new UploadPartCommand({ ...at, UploadId, PartNumber: 2, Body: part }))
      .catch(() => {});
    await killAndRestart();
    await second;

    const { ETag } = await s3.client.send(
      new UploadPartCommand({ ...at, UploadId, PartNumber: 2, Body: 'the end' }),
    );
    const { Parts } = await s3.client.send(new ListPartsCommand({ ...at, UploadId }));
    expect(Parts?.map(({ Size }) => Size)).toEqual([part.length, 7]);
    const MultipartUpload = {
      Parts: Parts!.map(({ PartNumber, ETag: etag }) => ({ PartNumber, ETag: etag })),
    };
    expect(MultipartUpload.Parts[1]!.ETag).toBe(ETag);
    const done = await s3.client.send(
      new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload }),
    );

    await killAndRestart();
    const repeated = await s3.client.send(
      new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload }),
    );
    expect(repeated.ETag).toBe(done.ETag);
    const { Body } = await s3.client.send(new GetObjectCommand(at));
    const hash = createHash('md5').update(await Body!.transformToByteArray());
    expect(hash.digest('hex')).toBe(createHash('md5').update(part).update('the end').digest('hex'));
  });

  it('keeps an object and its data if the kill was between completion and cleanup', async () => {
    const at = { Bucket: BUCKET, Key: 'just completed' };
    const { UploadId } = await s3.client.send(new CreateMultipartUploadCommand(at));
    const { ETag } = await s3.client.send(
      new UploadPartCommand({ ...at, UploadId, PartNumber: 1, Body: 'content' }),
    );
    const uploadDirectory = join(s3.dir, 's3/buckets', BUCKET, 'uploads', UploadId!);
    const files = await Promise.all(
      (await readdir(uploadDirectory)).map(async (name) => ({
        name,
        text: await readFile(join(uploadDirectory, name)),
      })),
    );
    const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
    await s3.client.send(new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload }));
    await s3.end('SIGKILL');
    await mkdir(uploadDirectory);
    for (const { name, text } of files) await writeFile(join(uploadDirectory, name), text);
    await s3.start();

    await expect(s3.client.send(new ListPartsCommand({ ...at, UploadId }))).rejects.toMatchObject({
      name: 'NoSuchUpload',
    });
    const { Body } = await s3.client.send(new GetObjectCommand(at));
    expect(await Body!.transformToString()).toBe('content');
  });
});

describe('the server process', () => {
  it('exits without an error on SIGTERM', async () => {
    expect(await s3.end('SIGTERM')).toBe(0);
  });

  it('refuses a directory that another process uses', async () => {
    await expect(spawnServer(s3.dir)).rejects.toThrow('Another S3 server is using');
    await s3.client.send(new ListObjectsV2Command({ Bucket: BUCKET }));
  });

  it('deletes unreferenced data at its start', async () => {
    await s3.client.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'kept', Body: 'kept' }));
    await s3.end('SIGKILL');
    await writeFile(join(s3.dir, 's3/data/orphan'), 'half a file');
    await writeFile(join(s3.dir, 's3/scratch/draft.json'), '{');
    await s3.start();
    expect(await readdir(join(s3.dir, 's3/data'))).toHaveLength(1);
    expect(await readdir(join(s3.dir, 's3/scratch'))).toEqual([]);
  });
});
