import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  protectedResources,
  type Resources,
  readRelease,
  releasedEnvironments,
} from '../../toolchain/release.ts';
import { harmOf } from '../support/upgrade-harm.ts';
import { synthesize } from './assembly.ts';
import { everything } from './site-assembly.ts';

it.each(releasedEnvironments)(
  'an upgrade of %s replaces no resource that has data or an address',
  async (environment) => {
    const now = protectedResources(await everything(environment));
    const harm = await harmOf(readRelease().templates[environment], now);
    // A resource may be removed if the changelog names it and says what happens to its data.
    const changelog = readFileSync('CHANGELOG.md', 'utf8');
    expect(harm.filter(({ id }) => !changelog.includes(`\`${id}\``))).toEqual([]);
  },
);

describe('a harmful change in an upgrade', () => {
  const now = protectedResources(synthesize('dev'));
  const { 'Data/Core': core, 'Data/Media': media, ...others } = now;
  const harm = (resources: Resources) => harmOf(now, resources);

  it('is not a change in place, or a new resource', async () => {
    const logged = { ...media!, Properties: { ...media!.Properties, VersioningConfiguration: undefined } };
    expect(await harm({ ...now, 'Data/Media': logged, 'Data/More': core! })).toEqual([]);
  });

  it('is another key of a table, another name of a bucket, or another logical id', async () => {
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
