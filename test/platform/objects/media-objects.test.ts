import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  NotFound,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { expect, it } from 'vitest';
import { MediaObjects } from '../../../platform/objects/media-objects.ts';
import { asTenantId } from '../../../shared/ids.ts';

const PART = 16 << 20;

/** A stand-in for the S3 calls of a write. A crashed process has left an unfinished upload of the object. */
function bucket() {
  const service = mockClient(S3Client);
  service.on(ListMultipartUploadsCommand).resolves({ Uploads: [{ Key: 't/demo/video', UploadId: 'left' }] });
  service.on(CreateMultipartUploadCommand).resolves({ UploadId: 'upload' });
  service.on(UploadPartCommand).resolves({ ETag: '"part"' });
  const objects = new MediaObjects(new S3Client({ region: 'eu-central-1' }), 'media', asTenantId('demo'));
  const aborted = () =>
    service.commandCalls(AbortMultipartUploadCommand).map(({ args: [{ input }] }) => input.UploadId);
  return { service, objects, aborted };
}

async function* parts(count: number) {
  for (let at = 0; at < count; at += 1) yield Buffer.alloc(PART);
}

it('stops writing an object when it is aborted, and aborts its upload', async () => {
  const { service, objects, aborted } = bucket();
  const canceling = new AbortController();
  const reason = new Error('canceled');
  let pieces = 0;
  async function* bytes() {
    for (; pieces < 10; pieces += 1) {
      if (pieces === 2) canceling.abort(reason);
      yield Buffer.alloc(PART);
    }
  }
  const writing = objects.writeParts('t/demo/video', bytes(), 'video/mp4', canceling.signal);
  await expect(writing).rejects.toBe(reason);
  expect(pieces).toBe(2);
  const sent = service.commandCalls(UploadPartCommand);
  expect(sent.map(({ args }) => (args as readonly unknown[])[1])).toEqual(
    Array(2).fill({ abortSignal: canceling.signal }),
  );
  expect(aborted()).toEqual(['left', 'upload']);
  expect(service.commandCalls(CompleteMultipartUploadCommand)).toEqual([]);
});

it('aborts the upload of an object that a crashed process started', async () => {
  const { service, objects, aborted } = bucket();
  service.on(CompleteMultipartUploadCommand).resolves({});
  await expect(objects.writeParts('t/demo/video', parts(2), 'video/mp4')).resolves.toBe(2 * PART);
  expect(aborted()).toEqual(['left']);
});

it('writes data that fits into one part without an upload', async () => {
  const { service, objects, aborted } = bucket();
  service.on(PutObjectCommand).resolves({});
  async function* few() {
    yield Buffer.from('a few ');
    yield Buffer.from('bytes');
  }
  await expect(objects.writeParts('t/demo/video', few(), 'video/mp4')).resolves.toBe(11);
  const [written] = service.commandCalls(PutObjectCommand);
  expect(String(written!.args[0].input.Body)).toBe('a few bytes');
  expect(service.commandCalls(CreateMultipartUploadCommand)).toEqual([]);
  expect(aborted()).toEqual(['left']);
});

it('fails if another attempt aborted its upload', async () => {
  const { service, objects } = bucket();
  const gone = { $fault: 'client', $metadata: {}, message: '' } as const;
  service
    .on(CompleteMultipartUploadCommand)
    .rejects(new S3ServiceException({ ...gone, name: 'NoSuchUpload' }));
  service.on(HeadObjectCommand).rejects(new NotFound(gone));
  await expect(objects.writeParts('t/demo/video', parts(1), 'video/mp4')).rejects.toThrow('aborted');
});
