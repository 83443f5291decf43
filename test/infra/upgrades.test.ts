import { beforeAll, describe, expect, it } from 'vitest';
import {
  addedTo,
  harmOf,
  type Released,
  readReleased,
  releasedEnvironments,
  releasedOf,
} from '../../toolchain/released.ts';
import { ofType, synthesize } from './assembly.ts';
import { everything } from './site-assembly.ts';

describe.each(releasedEnvironments)('an upgrade of %s', (environment) => {
  let now: Released;
  beforeAll(async () => {
    now = releasedOf(await everything(environment));
  });

  it('replaces nothing that holds data, or has an address, as `cdk diff` tells it', async () => {
    expect(await harmOf(readReleased(environment), now)).toEqual([]);
  });

  it('will be held against all that there is: `node scripts/released.ts` adds what is new', () => {
    expect(addedTo(readReleased(environment), now)).toEqual([]);
  });
});

describe('what an upgrade may do', () => {
  const now = releasedOf(synthesize('dev'));
  const { 'Data/Core': core, 'Data/Media': media, ...others } = now.Resources;
  const harm = (Resources: Released['Resources']) => harmOf(now, { Resources });

  it('is to change and to add', async () => {
    const logged = { ...media!, Properties: { ...media!.Properties, VersioningConfiguration: undefined } };
    expect(await harm({ ...now.Resources, 'Data/Media': logged, 'Data/More': core! })).toEqual([]);
  });

  it('is not to give a table another key, a bucket another name, or either another id', async () => {
    const KeySchema = [{ AttributeName: 'id', KeyType: 'HASH' }];
    const keyed = { ...core!, Properties: { ...core!.Properties, KeySchema } };
    const named = { ...media!, Properties: { ...media!.Properties, BucketName: 'kinora-media' } };
    expect(await harm({ ...others, 'Data/Core': keyed, 'Data/Media': named })).toEqual([
      { id: 'Data/Core', type: 'AWS::DynamoDB::Table', impact: 'replace', properties: ['KeySchema'] },
      { id: 'Data/Media', type: 'AWS::S3::Bucket', impact: 'replace', properties: ['BucketName'] },
    ]);
    expect(await harm({ ...others, 'Data/CoreTable': core!, 'Data/Media': media! })).toEqual([
      { id: 'Data/Core', type: 'AWS::DynamoDB::Table', impact: 'destroy', properties: [] },
    ]);
  });
});

it('what holds data in production stays where its stack is deleted', () => {
  const { Data } = synthesize('prod');
  const kept = ['AWS::DynamoDB::Table', 'AWS::S3::Bucket', 'AWS::KMS::Key'].flatMap((type) =>
    ofType(Data, type),
  );
  expect(kept.length).toBeGreaterThan(5);
  for (const [id, { DeletionPolicy }] of kept) {
    // What lies in Ephemeral expires within a day.
    expect(DeletionPolicy, id).toMatch(id === 'Ephemeral' ? /^Delete$/ : /^Retain/);
  }
});
