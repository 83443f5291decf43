import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { listOf } from '../../local/iam/policy.ts';
import { readTemplate } from '../../local/template/index.ts';
import { assemblyFolder } from '../../toolchain/bundle/paths.ts';
import { asFunction } from '../support/function-permissions.ts';
import { startTestApi } from '../support/test-api.ts';

const api = await startTestApi();

async function keysOfReaders(): Promise<[name: string, key: string][]> {
  const at = { region: 'us-east-1', account: '000000000000', apiUrl: 'http://localhost' };
  const { iam, functions } = await readTemplate(assemblyFolder, 'Kinora-dev-', at);
  return functions.flatMap(({ logicalId, roleArn }) => {
    const { policies = [] } = iam.roles.find(({ arn }) => arn === roleArn) ?? {};
    const resources = policies
      .flatMap(({ document }) => listOf(document.Statement))
      .filter(({ Action }) => listOf(Action).includes('s3:GetObject'))
      .flatMap(({ Resource }) => listOf(Resource));
    const key = resources[0]?.replace(/^[^/]+\//, '').replaceAll('*', 'missing');
    return key === undefined ? [] : [[logicalId, key]];
  });
}

// Without s3:ListBucket, S3 answers 403 for a missing object.
// https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html
it('each function that reads media has the permission to distinguish a missing object from a forbidden one', async () => {
  const s3 = new S3Client({ endpoint: api.s3.url, region: 'us-east-1', forcePathStyle: true });
  const readers = await keysOfReaders();
  expect(readers.length).toBeGreaterThan(20);
  for (const [name, Key] of readers) {
    const reading = asFunction(name, () => s3.send(new GetObjectCommand({ Bucket: 'media', Key })));
    await expect(reading, name).rejects.toMatchObject({ name: 'NoSuchKey' });
  }
});
