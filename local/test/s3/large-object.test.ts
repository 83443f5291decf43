import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { BUCKET } from './harness.ts';
import { useServerProcess } from './process.ts';

const MIB = 1024 * 1024;
const PART_BYTES = 16 * MIB;
const PARTS = 24;
const CONCURRENCY = 4;
const MAX_RSS_BYTES = 150_000_000;
const place = { Bucket: BUCKET, Key: 'larger than the memory' };

const s3 = useServerProcess();

/** Each word of a part has the number of the part, so that parts in another order are another object. */
function partBytes(number: number): Buffer {
  const part = Buffer.alloc(PART_BYTES);
  const words = new Uint32Array(part.buffer, part.byteOffset, PART_BYTES / 4);
  for (let at = 0; at < words.length; at += 1) words[at] = Math.imul(at + 1, 2_654_435_761) ^ number;
  return part;
}

async function upload(): Promise<string> {
  const { UploadId } = await s3.client.send(new CreateMultipartUploadCommand(place));
  const parts: CompletedPart[] = [];
  const numbers = Array.from({ length: PARTS }, (_, index) => index + 1).values();
  const worker = async () => {
    for (const PartNumber of numbers) {
      const part = new UploadPartCommand({ ...place, UploadId, PartNumber, Body: partBytes(PartNumber) });
      parts[PartNumber - 1] = { PartNumber, ETag: (await s3.client.send(part)).ETag };
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  const MultipartUpload = { Parts: parts };
  return (await s3.client.send(new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload })))
    .ETag!;
}

/** The most memory the process has ever had resident. Source: proc(5), VmHWM. */
async function peakRssBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)![1]) * 1024;
}

describe.runIf(process.platform === 'linux')('an object of 384 MiB', () => {
  it('is uploaded in parts and read back while the server stays below 150 MB', {
    timeout: 180_000,
  }, async () => {
    const etag = await upload();
    expect(await peakRssBytes(s3.pid)).toBeLessThan(MAX_RSS_BYTES);

    const whole = createHash('md5');
    for (let number = 1; number <= PARTS; number += 1) {
      whole.update(createHash('md5').update(partBytes(number)).digest());
    }
    expect(etag).toBe(`"${whole.digest('hex')}-${PARTS}"`);

    const { Body, ContentLength } = await s3.client.send(new GetObjectCommand(place));
    expect(ContentLength).toBe(PARTS * PART_BYTES);
    let size = 0;
    for await (const piece of Body as AsyncIterable<Buffer>) size += piece.length;
    expect(size).toBe(PARTS * PART_BYTES);
    const peak = await peakRssBytes(s3.pid);
    expect(peak).toBeLessThan(MAX_RSS_BYTES);
    await s3.client.send(new DeleteObjectCommand(place));
  });
});
