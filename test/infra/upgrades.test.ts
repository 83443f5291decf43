import { beforeAll, describe, expect, it } from 'vitest';
import {
  added,
  readStateful,
  replaced,
  type StatefulResources,
  statefulIn,
} from '../../toolchain/stateful.ts';
import { ofType, synthesize } from './assembly.ts';

let now: StatefulResources;
beforeAll(() => {
  now = statefulIn(synthesize('dev'));
});

describe('an upgrade', () => {
  it('puts nothing in the place of what holds data, or of what has an address', () => {
    expect(replaced(readStateful(), now)).toEqual([]);
  });

  it('will be held against all that there is: `npm run build && node toolchain/stateful.ts` adds what is new', () => {
    expect(added(readStateful(), now)).toEqual([]);
    expect(Object.keys(now.Data!).sort()).toEqual(
      ['AccessLogs', 'Api', 'Auth', 'AuthKey', 'Core', 'Ephemeral', 'Media', 'SecretsKey'].sort(),
    );
  });

  it('is refused where a table has another id, another key or another type', () => {
    const { Core, ...others } = now.Data!;
    const renamed = { ...now, Data: { ...others, CoreTable: Core! } };
    expect(replaced(now, renamed)).toEqual(['Data has no Core any more, a AWS::DynamoDB::Table']);
    const fixed = { KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }] };
    const keyed = { ...now, Data: { ...others, Core: { ...Core!, fixed } } };
    expect(replaced(now, keyed)).toEqual([
      'KeySchema of Core in Data changes, which puts another in its place',
    ]);
    const typed = { ...now, Data: { ...others, Core: { ...Core!, type: 'AWS::DynamoDB::GlobalTable' } } };
    expect(replaced(now, typed)).toHaveLength(1);
  });

  it('of production leaves what holds data where its stack is deleted', () => {
    const { Data } = synthesize('prod');
    const kept = ['AWS::DynamoDB::Table', 'AWS::S3::Bucket', 'AWS::KMS::Key'].flatMap((type) =>
      ofType(Data, type),
    );
    expect(kept.length).toBeGreaterThan(5);
    for (const [id, { DeletionPolicy }] of kept) {
      // What lies in Ephemeral expires within a day.
      expect(DeletionPolicy, id).toBe(id === 'Ephemeral' ? 'Delete' : 'Retain');
    }
  });
});
