// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the notation of Fn::Sub and of substitutions
import { describe, expect, it, test } from 'vitest';
import type { Stack, Template } from '../../template/assembly.ts';
import { createResolver, UnresolvableIntrinsic } from '../../template/intrinsics.ts';
import { here } from './assembly.ts';

const template: Template = {
  Parameters: { Size: { Type: 'String', Default: 'small' }, Secret: { Type: 'String' } },
  Mappings: { Sizes: { eu: { small: '8' } } },
  Conditions: {
    Small: { 'Fn::Equals': [{ Ref: 'Size' }, 'small'] },
    Large: { 'Fn::Not': [{ Condition: 'Small' }] },
    Both: { 'Fn::And': [{ Condition: 'Small' }, { Condition: 'Large' }] },
    Either: { 'Fn::Or': [{ Condition: 'Small' }, { Condition: 'Large' }] },
  },
  Resources: {
    Core: { Type: 'AWS::DynamoDB::Table', Properties: {} },
    Media: { Type: 'AWS::S3::Bucket', Properties: {} },
    Named: { Type: 'AWS::S3::Bucket', Properties: { BucketName: { 'Fn::Sub': 'media-${AWS::AccountId}' } } },
    Assets: { Type: 'AWS::Lambda::Function', Properties: {} },
    Live: { Type: 'AWS::Lambda::Alias', Properties: { FunctionName: { Ref: 'Assets' }, Name: 'live' } },
    Ingest: { Type: 'AWS::StepFunctions::StateMachine', Properties: {} },
    Api: { Type: 'AWS::ApiGatewayV2::Api', Properties: {} },
    Odd: { Type: 'AWS::Odd::Thing', Properties: {} },
  },
};
const other: Template = {
  Resources: { Auth: { Type: 'AWS::DynamoDB::Table', Properties: {} } },
  Outputs: {
    AuthName: { Value: { Ref: 'Auth' }, Export: { Name: 'Data:AuthName' } },
    AuthArn: { Value: { 'Fn::GetAtt': ['Auth', 'Arn'] } },
  },
};
const stack: Stack = { name: 'Main', directory: '/none', template };
const { resolve, exists } = createResolver(
  [stack, { name: 'Data', directory: '/none', template: other }],
  here,
);
const resolved = (value: unknown) => resolve(value, stack, 'Place');

describe('the local value of an intrinsic function', () => {
  test.each<[string, unknown, unknown]>([
    ['Ref of a table', { Ref: 'Core' }, 'Main-Core'],
    ['Ref of a bucket, in lower case', { Ref: 'Media' }, 'main-media'],
    ['Ref of a bucket with a name', { Ref: 'Named' }, 'media-123456789012'],
    ['Ref of a function: its logical id', { Ref: 'Assets' }, 'Assets'],
    [
      'Ref of a state machine: its ARN',
      { Ref: 'Ingest' },
      'arn:aws:states:eu-west-1:123456789012:stateMachine:Ingest',
    ],
    ['Ref of a parameter', { Ref: 'Size' }, 'small'],
    ['AWS::Region', { Ref: 'AWS::Region' }, 'eu-west-1'],
    ['AWS::AccountId', { Ref: 'AWS::AccountId' }, '123456789012'],
    ['AWS::Partition', { Ref: 'AWS::Partition' }, 'aws'],
    ['AWS::URLSuffix', { Ref: 'AWS::URLSuffix' }, 'amazonaws.com'],
    ['AWS::StackName', { Ref: 'AWS::StackName' }, 'Main'],
    ['AWS::NoValue as a member', { a: 1, b: { Ref: 'AWS::NoValue' } }, { a: 1 }],
    ['AWS::NoValue as an element', [1, { Ref: 'AWS::NoValue' }, 2], [1, 2]],
    [
      'Fn::GetAtt',
      { 'Fn::GetAtt': ['Core', 'Arn'] },
      'arn:aws:dynamodb:eu-west-1:123456789012:table/Main-Core',
    ],
    ['Fn::GetAtt with a dot', { 'Fn::GetAtt': 'Ingest.Name' }, 'Ingest'],
    ['Fn::GetAtt of the API', { 'Fn::GetAtt': ['Api', 'ApiEndpoint'] }, 'http://127.0.0.1:8787'],
    ['Fn::Join', { 'Fn::Join': ['-', ['a', { Ref: 'Size' }]] }, 'a-small'],
    ['Fn::Join of a list that is made', { 'Fn::Join': ['+', { 'Fn::Split': [',', 'a,b'] }] }, 'a+b'],
    [
      'Fn::Sub',
      { 'Fn::Sub': '${Size}/${Core}/${Core.Arn}' },
      'small/Main-Core/arn:aws:dynamodb:eu-west-1:123456789012:table/Main-Core',
    ],
    ['Fn::Sub with variables', { 'Fn::Sub': ['${x} ${Size}', { x: { Ref: 'Core' } }] }, 'Main-Core small'],
    ['Fn::Sub with a literal', { 'Fn::Sub': '${!Size}' }, '${Size}'],
    ['Fn::Select', { 'Fn::Select': ['1', ['a', 'b']] }, 'b'],
    ['Fn::Select of Fn::Split', { 'Fn::Select': [2, { 'Fn::Split': [':', 'a:b:c'] }] }, 'c'],
    ['Fn::ImportValue', { 'Fn::ImportValue': 'Data:AuthName' }, 'Data-Auth'],
    [
      'Fn::GetStackOutput',
      { 'Fn::GetStackOutput': { StackName: 'Data', OutputName: 'AuthArn' } },
      'arn:aws:dynamodb:eu-west-1:123456789012:table/Data-Auth',
    ],
    ['Fn::If, held', { 'Fn::If': ['Small', 'yes', { Ref: 'Nothing' }] }, 'yes'],
    ['Fn::If, not held', { 'Fn::If': ['Large', { Ref: 'Nothing' }, 'no'] }, 'no'],
    ['Fn::If with no value', { a: { 'Fn::If': ['Both', 1, { Ref: 'AWS::NoValue' }] } }, {}],
    ['Fn::Or', { 'Fn::If': ['Either', 'yes', 'no'] }, 'yes'],
    ['Fn::FindInMap', { 'Fn::FindInMap': ['Sizes', 'eu', { Ref: 'Size' }] }, '8'],
    ['Fn::Base64', { 'Fn::Base64': 'hi' }, 'aGk='],
    ['Fn::ToJsonString', { 'Fn::ToJsonString': { a: { Ref: 'Size' } } }, '{"a":"small"}'],
    [
      'a policy’s Condition, which is data',
      { Condition: { Bool: { x: 'true' } } },
      { Condition: { Bool: { x: 'true' } } },
    ],
  ])('%s', (_name, value, expected) => {
    expect(resolved(value)).toEqual(expected);
  });
});

describe('resolving fails with the path of', () => {
  test.each<[string, unknown, string]>([
    ['an unknown resource', { a: [{ Ref: 'Nothing' }] }, 'Main.Place.a.0: there is no resource Nothing'],
    ['an unknown attribute', { 'Fn::GetAtt': ['Odd', 'Arn'] }, 'Main.Place: Odd.Arn has no local value'],
    ['a parameter without default', { Ref: 'Secret' }, 'parameter Secret has no default'],
    ['an unknown export', { 'Fn::ImportValue': 'Data:Nothing' }, 'no stack exports Data:Nothing'],
    [
      'an unknown output',
      { 'Fn::GetStackOutput': { StackName: 'Data', OutputName: 'X' } },
      'Data has no output X',
    ],
    ['an unknown condition', { 'Fn::If': ['Nothing', 1, 2] }, 'there is no condition Nothing'],
    [
      'an unknown mapping',
      { 'Fn::FindInMap': ['Sizes', 'us', 'small'] },
      'there is no mapping Sizes.us.small',
    ],
    ['an Fn::Select past the end', { 'Fn::Select': [2, ['a', 'b']] }, 'past the end'],
    ['an unknown function', { 'Fn::Transform': {} }, 'Fn::Transform is not known here'],
  ])('%s', (_name, value, message) => {
    expect(() => resolved(value)).toThrow(UnresolvableIntrinsic);
    expect(() => resolved(value)).toThrow(message);
  });
});

it('creates a resource only if its condition holds', () => {
  expect(exists({ Type: 'X' }, stack, 'R')).toBe(true);
  expect(exists({ Type: 'X', Condition: 'Small' }, stack, 'R')).toBe(true);
  expect(exists({ Type: 'X', Condition: 'Large' }, stack, 'R')).toBe(false);
});
