import { App, Stack } from 'aws-cdk-lib';
import type { CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import { describe, expect, it } from 'vitest';
import { Tables } from '../../lib/data/tables.ts';
import { environmentOf } from '../../lib/environments.ts';
import { ofType, shipped, synthesize } from './assembly.ts';

// CloudFormation Template Reference, "DeletionPolicy attribute": RetainExceptOnCreate deletes a resource only if the
// operation that created it fails. Otherwise it behaves like Retain.
describe('a first deployment of production that fails', () => {
  it('leaves no key and no bucket', () => {
    for (const type of ['AWS::KMS::Key', 'AWS::S3::Bucket']) {
      for (const [id, { DeletionPolicy, UpdateReplacePolicy }] of ofType(synthesize('prod').Data, type)) {
        expect([DeletionPolicy, UpdateReplacePolicy], id).toEqual(['RetainExceptOnCreate', 'Retain']);
      }
    }
  });

  it('does not try to delete tables that DynamoDB protects', () => {
    const tables = ofType(synthesize('prod').Data, 'AWS::DynamoDB::Table');
    const undeletable = tables.filter(([, { Properties }]) => Properties.DeletionProtectionEnabled);
    expect(undeletable.map(([id, { DeletionPolicy }]) => [id, DeletionPolicy])).toEqual([
      ['Core', 'Retain'],
      ['Auth', 'Retain'],
    ]);
  });

  it('deletes tables that are not protected', () => {
    const environment = environmentOf('mine', { ...shipped.prod, deletionProtection: false });
    const { byName } = new Tables(new Stack(new App(), 'Alone'), 'Tables', { environment });
    const { cfnOptions } = byName.Core.node.defaultChild as CfnTable;
    expect(cfnOptions.deletionPolicy).toBe('RetainExceptOnCreate');
  });
});
