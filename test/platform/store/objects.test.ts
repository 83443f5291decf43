import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { expect, it } from 'vitest';
import { asTenantId } from '../../../platform/shared/tenant.ts';
import { MediaObjects } from '../../../platform/store/objects.ts';

it('stops to write an object where that is not wanted any more, and takes back what was begun', async () => {
  const service = mockClient(S3Client);
  service.on(CreateMultipartUploadCommand).resolves({ UploadId: 'upload' });
  service.on(UploadPartCommand).resolves({ ETag: '"part"' });
  const tenant = asTenantId('demo');
  const objects = new MediaObjects(new S3Client({ region: 'eu-central-1' }), 'media', tenant);
  const canceling = new AbortController();
  const reason = new Error('canceled');
  let pieces = 0;
  async function* bytes() {
    for (; pieces < 10; pieces += 1) {
      if (pieces === 2) canceling.abort(reason);
      yield Buffer.alloc(16 << 20);
    }
  }
  const writing = objects.writeParts('t/demo/video', bytes(), 'video/mp4', canceling.signal);
  await expect(writing).rejects.toBe(reason);
  expect(pieces).toBe(2);
  const parts = service.commandCalls(UploadPartCommand);
  expect(parts.map(({ args }) => (args as readonly unknown[])[1])).toEqual(
    Array(2).fill({ abortSignal: canceling.signal }),
  );
  expect(service.commandCalls(AbortMultipartUploadCommand)).toHaveLength(1);
  expect(service.commandCalls(CompleteMultipartUploadCommand)).toEqual([]);
});
