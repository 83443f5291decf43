import { S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import * as signer from '@aws-sdk/s3-request-presigner';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Presigner } from '../../../platform/objects/presigner.ts';

vi.mock('@aws-sdk/s3-request-presigner', { spy: true });

const keys = ['one', 'two'].map((id) => ({
  accessKeyId: id,
  secretAccessKey: `${id}/+ ü`,
  sessionToken: 'a/b+c==',
}));
const settings = { region: 'eu-central-1', requestChecksumCalculation: 'WHEN_REQUIRED' } as const;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-26T22:00:00Z'), toFake: ['Date'] });
  vi.mocked(signer.getSignedUrl).mockClear();
});
afterEach(() => {
  vi.useRealTimers();
});

const byTheSdk = (client: S3Client, parts: number) =>
  Promise.all(
    Array.from({ length: parts }, (_, at) =>
      signer.getSignedUrl(
        client,
        new UploadPartCommand({
          ...{ Bucket: 'media', Key: 'acme/ü x/(1)', UploadId: 'u+/=' },
          PartNumber: at + 1,
        }),
        { expiresIn: 3600 },
      ),
    ),
  );

it.each([
  ['in AWS', {}],
  ['of the local cloud', { endpoint: 'http://127.0.0.1:4566', forcePathStyle: true }],
  ['without a session', { credentials: { accessKeyId: 'a', secretAccessKey: 'b' } }],
])('1,000 upload URLs %s are those of the SDK, which signs only the first', async (_, place) => {
  const client = new S3Client({ ...settings, credentials: keys[0]!, ...place });
  const urls = await new Presigner(client, 'media').uploadParts('acme/ü x/(1)', 'u+/=', 1000);
  expect(signer.getSignedUrl).toHaveBeenCalledTimes(1);
  expect(new Set(urls).size).toBe(1000);
  expect(urls.slice(0, 12)).toEqual(await byTheSdk(client, 12));
});

it('upload URLs are signed by the SDK if the credentials change meanwhile', async () => {
  const client = new S3Client({ ...settings, credentials: keys[1]! });
  vi.spyOn(client.config, 'credentials').mockResolvedValueOnce(keys[0]!);
  const urls = await new Presigner(client, 'media').uploadParts('acme/ü x/(1)', 'u+/=', 3);
  expect(urls).toEqual(await byTheSdk(client, 3));
});
