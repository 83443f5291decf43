/** The recorded decisions of a run tell which statements of the template's roles it needed. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { permissionUsage, type StatementUsage, unusedPermissions } from '../../iam/permission-usage.ts';
import { writeAssembly } from '../template/assembly.ts';

const table = 'arn:aws:dynamodb:us-east-1:000000000000:table/Core';
const allow = (Action: string | string[]) => ({ Effect: 'Allow', Action, Resource: table });

let assembly: string;
let usage: StatementUsage[];

beforeAll(async () => {
  const Statement = [
    allow(['dynamodb:GetItem', 'dynamodb:Query']),
    allow('dynamodb:PutItem'),
    allow('dynamodb:Put*'),
    allow('xray:PutTraceSegments'),
  ];
  const Policies = [{ PolicyName: 'Own', PolicyDocument: { Version: '2012-10-17', Statement } }];
  const Reader = { Type: 'AWS::IAM::Role', Properties: { RoleName: 'Reader', Policies } };
  const Read = {
    Type: 'AWS::Lambda::Function',
    Metadata: { 'aws:asset:path': 'asset.read' },
    Properties: { Handler: 'index.handler', Role: { 'Fn::GetAtt': ['Reader', 'Arn'] } },
  };
  assembly = writeAssembly({ 'App-dev-Api': { Resources: { Read, Reader } } });
  const decisions = join(assembly, 'decisions');
  mkdirSync(decisions);
  const decision = (action: string, statements = ['Own.1']) =>
    `${JSON.stringify({ role: 'Reader', action, resource: table, statements })}\n`;
  const denied = decision('dynamodb:Query', []);
  const recorded = decision('dynamodb:GetItem') + decision('dynamodb:PutItem') + denied;
  writeFileSync(join(decisions, 'test+api+read.test.ts.jsonl'), recorded);
  usage = await permissionUsage({ assembly, stackPrefix: 'App-dev-', decisions });
});

afterAll(() => rmSync(assembly, { recursive: true, force: true }));

it('names the tests that are allowed by only one statement', () => {
  expect(usage.map(({ neededBy }) => neededBy)).toEqual([['test/api/read.test.ts'], [], [], []]);
  expect(usage.map(({ used }) => used)).toEqual([['dynamodb:GetItem'], ['dynamodb:PutItem'], [], []]);
});

it('reports unused statements, and unused actions of the services in the local cloud', () => {
  expect(unusedPermissions(usage).map((line) => line.replace(/^Reader \S+: /, ''))).toEqual([
    'no test used: dynamodb:Query',
    'no test needs this statement: dynamodb:PutItem',
    'no test needs this statement: dynamodb:Put*',
  ]);
});
