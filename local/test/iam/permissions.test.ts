import { describe, expect, it } from 'vitest';
import { permissionsOfDynamoDb } from '../../dynamodb/permissions.ts';
import { permissionsOfS3, type S3Operation } from '../../s3/auth/permissions.ts';
import { permissionsOfStepFunctions } from '../../stepfunctions/permissions.ts';

const at = {
  region: 'eu-west-1',
  account: '000000000000',
  tables: [
    {
      name: 'Core',
      keySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' as const },
        { AttributeName: 'sk', KeyType: 'RANGE' as const },
      ],
      globalIndexes: [
        {
          IndexName: 'by-owner',
          KeySchema: [{ AttributeName: 'owner', KeyType: 'HASH' as const }],
          Projection: { ProjectionType: 'ALL' as const },
        },
      ],
      localIndexes: [],
    },
  ],
};
const core = 'arn:aws:dynamodb:eu-west-1:000000000000:table/Core';
const key = (pk: string) => ({ pk: { S: pk }, sk: { S: 'x' } });
const needs = (action: string, ...keys: string[]) => ({
  action: `dynamodb:${action}`,
  resource: core,
  context: { 'dynamodb:leadingkeys': keys },
});

// Service Authorization Reference, "Actions, resources, and condition keys for Amazon DynamoDB".
it.each<[operation: string, input: object, expected: object[]]>([
  ['GetItem', { TableName: 'Core', Key: key('T#a') }, [needs('GetItem', 'T#a')]],
  ['PutItem', { TableName: core, Item: key('T#a') }, [{ ...needs('PutItem', 'T#a') }]],
  [
    'Query',
    {
      TableName: 'Core',
      KeyConditionExpression: 'begins_with(sk, :sk) AND #p = :pk',
      ExpressionAttributeNames: { '#p': 'pk' },
      ExpressionAttributeValues: { ':pk': { S: 'T#a' }, ':sk': { S: 'x' } },
    },
    [needs('Query', 'T#a')],
  ],
  [
    'Query',
    {
      TableName: 'Core',
      IndexName: 'by-owner',
      KeyConditionExpression: 'owner=:o',
      ExpressionAttributeValues: { ':o': { N: '7' } },
    },
    [{ ...needs('Query', '7'), resource: `${core}/index/by-owner` }],
  ],
  [
    'BatchGetItem',
    { RequestItems: { Core: { Keys: [key('T#a'), key('T#b')] } } },
    [needs('BatchGetItem', 'T#a', 'T#b')],
  ],
  [
    'BatchWriteItem',
    {
      RequestItems: { Core: [{ PutRequest: { Item: key('T#a') } }, { DeleteRequest: { Key: key('T#b') } }] },
    },
    [needs('BatchWriteItem', 'T#a', 'T#b')],
  ],
  [
    'TransactWriteItems',
    {
      TransactItems: [
        { Put: { TableName: 'Core', Item: key('a') } },
        { Update: { TableName: 'Core', Key: key('b') } },
        { Delete: { TableName: 'Core', Key: key('c') } },
        { ConditionCheck: { TableName: 'Core', Key: key('d') } },
      ],
    },
    [
      needs('PutItem', 'a'),
      needs('UpdateItem', 'b'),
      needs('DeleteItem', 'c'),
      needs('ConditionCheckItem', 'd'),
    ],
  ],
  [
    'TransactGetItems',
    { TransactItems: [{ Get: { TableName: 'Core', Key: key('a') } }] },
    [needs('GetItem', 'a')],
  ],
  ['Scan', { TableName: 'Core' }, [{ action: 'dynamodb:Scan', resource: core, context: {} }]],
  // The engine ignores members of other operations, so they change nothing.
  ['PutItem', { TableName: 'Core', Item: key('a'), RequestItems: {} }, [needs('PutItem', 'a')]],
  ['PutItem', { TableName: 'Core', Item: key('a'), Key: key('b') }, [needs('PutItem', 'a')]],
  ['GetItem', { TableName: 'Core', Key: key('a'), IndexName: 'by-owner' }, [needs('GetItem', 'a')]],
  ['DeleteItem', { TableName: 'Core', Key: key('a'), TransactItems: [] }, [needs('DeleteItem', 'a')]],
  [
    'Query',
    {
      TableName: 'Core',
      Key: key('b'),
      KeyConditionExpression: 'pk = :p',
      ExpressionAttributeValues: { ':p': { S: 'a' } },
    },
    [needs('Query', 'a')],
  ],
  ['Scan', { TableName: 'Core', Key: key('a') }, [{ ...needs('Scan'), context: {} }]],
  [
    'GetItem',
    { TableName: core.replace('000000000000', '111111111111'), Key: key('a') },
    [{ ...needs('GetItem', 'a'), resource: core.replace('000000000000', '111111111111') }],
  ],
  ['ListTables', {}, [{ action: 'dynamodb:ListTables', resource: '*', context: {} }]],
])('the permissions that DynamoDB requires for %s of %j', (operation, input, expected) => {
  expect(permissionsOfDynamoDb(operation, input, at)).toEqual(expected);
});

// Amazon S3 User Guide, "Required permissions for Amazon S3 API operations".
describe('the permissions that S3 requires', () => {
  const place = { bucket: 'media', key: 'a' };
  const source = { bucket: 'other', key: 'b' };
  it.each<[S3Operation, string[]]>([
    [{ name: 'ListBuckets' }, ['s3:ListAllMyBuckets *']],
    [{ name: 'ListObjectsV2', bucket: 'media' }, ['s3:ListBucket media']],
    [{ name: 'HeadBucket', bucket: 'media' }, ['s3:ListBucket media']],
    [{ name: 'ListMultipartUploads', bucket: 'media' }, ['s3:ListBucketMultipartUploads media']],
    [{ name: 'ListObjectVersions', bucket: 'media' }, ['s3:ListBucketVersions media']],
    [{ name: 'GetObject', ...place }, ['s3:GetObject media/a']],
    [{ name: 'GetObject', ...place, versionId: '1' }, ['s3:GetObjectVersion media/a']],
    [{ name: 'HeadObject', ...place }, ['s3:GetObject media/a']],
    [{ name: 'PutObject', ...place }, ['s3:PutObject media/a']],
    [
      { name: 'PutObject', ...place, tags: [{ key: 'k', value: 'v' }] },
      ['s3:PutObject media/a', 's3:PutObjectTagging media/a'],
    ],
    [{ name: 'CopyObject', ...place, source }, ['s3:GetObject other/b', 's3:PutObject media/a']],
    [
      { name: 'UploadPartCopy', ...place, source: { ...source, versionId: '1' } },
      ['s3:GetObjectVersion other/b', 's3:PutObject media/a'],
    ],
    [{ name: 'DeleteObject', ...place }, ['s3:DeleteObject media/a']],
    [{ name: 'DeleteObject', ...place, versionId: '1' }, ['s3:DeleteObjectVersion media/a']],
    [{ name: 'CreateMultipartUpload', ...place }, ['s3:PutObject media/a']],
    [{ name: 'UploadPart', ...place }, ['s3:PutObject media/a']],
    [{ name: 'CompleteMultipartUpload', ...place }, ['s3:PutObject media/a']],
    [{ name: 'ListParts', ...place }, ['s3:ListMultipartUploadParts media/a']],
    [{ name: 'AbortMultipartUpload', ...place }, ['s3:AbortMultipartUpload media/a']],
    [{ name: 'PutObjectTagging', ...place }, ['s3:PutObjectTagging media/a']],
  ])('for %j', (operation, expected) => {
    const needed = permissionsOfS3(operation).map(
      ({ action, resource }) => `${action} ${resource.replace('arn:aws:s3:::', '')}`,
    );
    expect(needed).toEqual(expected);
  });

  it('have the prefix, the delimiter and the tags of a request in their context', () => {
    const [list] = permissionsOfS3({ name: 'ListObjectsV2', bucket: 'media', prefix: 't/', delimiter: '/' });
    expect(list!.context).toEqual({ 's3:prefix': ['t/'], 's3:delimiter': ['/'] });
    expect(permissionsOfS3({ name: 'GetObject', ...place, prefix: 't/' })[0]!.context).toEqual({});
    const [put] = permissionsOfS3({ name: 'PutObject', ...place, tags: [{ key: 'Kind', value: 'v' }] });
    expect(put!.context).toEqual({ 's3:requestobjecttagkeys': ['Kind'], 's3:requestobjecttag/kind': ['v'] });
  });

  it('are an error for an operation that is not in the list', () => {
    expect(() => permissionsOfS3({ name: 'GetBucketPolicy', bucket: 'media' })).toThrow('GetBucketPolicy');
  });
});

const taskToken = Buffer.from(JSON.stringify(['arn:aws:states:r:1:execution:M:one', '', 's'])).toString(
  'base64url',
);
it.each([
  ['StartExecution', { stateMachineArn: 'arn:m' }, 'arn:m'],
  ['DescribeExecution', { executionArn: 'arn:e' }, 'arn:e'],
  ['ListStateMachines', {}, '*'],
  ['SendTaskSuccess', { taskToken: 'x' }, '*'],
  ['SendTaskSuccess', { taskToken }, 'arn:aws:states:r:1:stateMachine:M'],
  // Members of other operations change nothing.
  ['SendTaskSuccess', { taskToken, stateMachineArn: 'arn:m' }, 'arn:aws:states:r:1:stateMachine:M'],
  ['StopExecution', { executionArn: 'arn:e', stateMachineArn: 'arn:m' }, 'arn:e'],
  ['ListStateMachines', { stateMachineArn: 'arn:m', taskToken }, '*'],
])('the permissions that Step Functions requires for %s of %j', (operation, input, resource) => {
  expect(permissionsOfStepFunctions(operation, input)).toEqual([
    { action: `states:${operation}`, resource, context: {} },
  ]);
});
