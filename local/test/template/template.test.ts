// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the notation of Fn::Sub and of substitutions
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Template } from '../../template/assembly.ts';
import { readTemplate } from '../../template/index.ts';
import { here, resource, writeAssembly } from './assembly.ts';

const allow = (Action: string, Resource: unknown) => ({ Effect: 'Allow', Action, Resource });

const data: Template = {
  Resources: {
    Ephemeral: resource('AWS::DynamoDB::Table', {
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      TimeToLiveSpecification: { AttributeName: 'expires_at', Enabled: true },
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by-owner',
          KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
          ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
        },
      ],
    }),
    Media: resource('AWS::S3::Bucket', {
      CorsConfiguration: { CorsRules: [{ AllowedMethods: ['PUT'], AllowedOrigins: ['*'], MaxAge: 60 }] },
      LifecycleConfiguration: {
        Rules: [
          { Status: 'Enabled', AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 } },
          { Status: 'Disabled', AbortIncompleteMultipartUpload: { DaysAfterInitiation: 0 } },
        ],
      },
    }),
  },
};

const api: Template = {
  Resources: {
    Assets: {
      Type: 'AWS::Lambda::Function',
      Metadata: { 'aws:asset:path': 'asset.abc' },
      Properties: {
        Handler: 'index.handler',
        Role: { 'Fn::GetAtt': ['AssetsRole', 'Arn'] },
        Timeout: 10,
        MemorySize: 512,
        Environment: {
          Variables: {
            TABLE: { 'Fn::GetStackOutput': { StackName: 'App-dev-Data', OutputName: 'T' } },
            N: 1,
          },
        },
      },
    },
    AssetsRole: resource('AWS::IAM::Role', {
      AssumeRolePolicyDocument: { Statement: [] },
      ManagedPolicyArns: [{ Ref: 'Managed' }],
      Policies: [
        {
          PolicyName: 'Own',
          PolicyDocument: {
            Statement: [allow('lambda:InvokeFunction', { 'Fn::GetAtt': ['Assets', 'Arn'] })],
          },
        },
      ],
    }),
    Managed: resource('AWS::IAM::ManagedPolicy', {
      PolicyDocument: { Statement: [allow('s3:GetObject', '*'), allow('s3:PutObject', '*')] },
    }),
    Attached: resource('AWS::IAM::Policy', {
      Roles: [{ Ref: 'AssetsRole' }],
      PolicyDocument: { Statement: allow('s3:ListBucket', '*') },
    }),
    RoleOfDeployments: resource('AWS::IAM::Role', {
      Policies: [{ PolicyName: 'x', PolicyDocument: { 'Fn::GetAtt': ['Nowhere', 'Arn'] } }],
    }),
    ProbeMedia: {
      Type: 'AWS::Lambda::Function',
      Metadata: { 'aws:asset:path': 'asset.def' },
      Properties: {
        PackageType: 'Image',
        Code: { ImageUri: { 'Fn::GetAtt': ['Image', 'ImageTag'] } },
        ImageConfig: { Command: ['functions/ProbeMedia/index.handler'] },
      },
    },
    Image: resource('Custom::CDKContainerImageBuild', {
      ServiceToken: { 'Fn::GetAtt': ['ImageTrigger', 'Arn'] },
    }),
    ImageTrigger: {
      Type: 'AWS::Lambda::Function',
      Metadata: { 'aws:asset:path': 'asset.ghi' },
      Properties: { Handler: 'index.handler' },
    },
    Inline: resource('AWS::Lambda::Function', { Code: { ZipFile: 'x' }, Handler: 'index.handler' }),
    Api: resource('AWS::ApiGatewayV2::Api', {
      CorsConfiguration: { AllowOrigins: ['https://a.example'], AllowMethods: ['GET'] },
    }),
    Integration: resource('AWS::ApiGatewayV2::Integration', {
      IntegrationUri: { 'Fn::GetAtt': ['Assets', 'Arn'] },
      PayloadFormatVersion: '2.0',
      TimeoutInMillis: 5000,
    }),
    Route: resource('AWS::ApiGatewayV2::Route', {
      RouteKey: 'GET /v1/assets/{asset_id}',
      Target: { 'Fn::Join': ['', ['integrations/', { Ref: 'Integration' }]] },
    }),
    Ingest: resource('AWS::StepFunctions::StateMachine', {
      DefinitionString: '{"Probe":"${Probe}","kept":"${Unknown}"}',
      DefinitionSubstitutions: { Probe: { 'Fn::GetAtt': ['Assets', 'Arn'] } },
    }),
    Nightly: resource('AWS::Scheduler::Schedule', {
      ScheduleExpression: 'rate(1 day)',
      Target: { Arn: { 'Fn::GetAtt': ['Assets', 'Arn'] }, Input: '{}' },
    }),
    Hourly: resource('AWS::Events::Rule', {
      Name: 'hourly',
      ScheduleExpression: 'cron(0 * * * ? *)',
      Targets: [{ Id: 'Target0', Arn: { 'Fn::GetAtt': ['Assets', 'Arn'] } }],
    }),
    Off: resource('AWS::Events::Rule', {
      State: 'DISABLED',
      ScheduleExpression: 'rate(1 minute)',
      Targets: [{ Arn: 'a' }],
    }),
    Failed: resource('AWS::Events::Rule', {
      EventPattern: { source: ['aws.states'], detail: { status: ['FAILED'] } },
      Targets: [
        {
          Arn: { 'Fn::GetAtt': ['Assets', 'Arn'] },
          DeadLetterConfig: { Arn: { 'Fn::GetAtt': ['Letters', 'Arn'] } },
        },
      ],
    }),
    Letters: { Type: 'AWS::SQS::Queue' },
    Absent: { Type: 'AWS::SQS::Queue', Condition: 'Never' },
    Queue: { Type: 'AWS::SQS::Queue' },
    Key: { Type: 'AWS::KMS::Key' },
  },
  Conditions: { Never: { 'Fn::Equals': ['a', 'b'] } },
};

const withOutput: Template = { ...data, Outputs: { T: { Value: { Ref: 'Ephemeral' } } } };
const directory = writeAssembly({
  'App-dev-Data': withOutput,
  'App-dev-Api': api,
  'App-prod-Api': {},
});
const template = await readTemplate(directory, 'App-dev-', here);
const assetsArn = 'arn:aws:lambda:eu-west-1:123456789012:function:Assets';

it('reads the key, the time to live and the indexes of a table, without throughput', () => {
  expect(template.tables).toEqual([
    {
      logicalId: 'Ephemeral',
      name: 'App-dev-Data-Ephemeral',
      keySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      attributes: [{ AttributeName: 'pk', AttributeType: 'S' }],
      globalIndexes: [
        {
          IndexName: 'by-owner',
          KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
      localIndexes: [],
      ttlAttribute: 'expires_at',
    },
  ]);
});

it('reads the CORS rules of a bucket, and after how many days its unfinished uploads end', () => {
  expect(template.buckets).toEqual([
    {
      logicalId: 'Media',
      name: 'app-dev-data-media',
      cors: [
        {
          allowedMethods: ['PUT'],
          allowedOrigins: ['*'],
          allowedHeaders: [],
          exposedHeaders: [],
          maxAge: 60,
        },
      ],
      abortIncompleteUploadsAfterDays: 1,
    },
  ]);
});

it.each([
  [{ AllowedMethods: ['PATCH'] }, 'App-dev-Data.Media: S3 has no CORS for the method PATCH'],
  [{ AllowedOrigins: ['https://*.a.*'] }, 'one * in a CORS pattern at most, not https://*.a.*'],
  [{ AllowedHeaders: ['x-*-*'] }, 'one * in a CORS pattern at most, not x-*-*'],
  [{ ExposedHeaders: ['*'] }, 'no * in the exposed headers'],
])('refuses CORS rules that AWS would refuse: %j', async (rule, message) => {
  const CorsRules = [{ AllowedMethods: ['PUT'], AllowedOrigins: ['*'], ...rule }];
  const Media = { Type: 'AWS::S3::Bucket', Properties: { CorsConfiguration: { CorsRules } } };
  const assembly = writeAssembly({ 'App-dev-Data': { Resources: { Media } } });
  await expect(readTemplate(assembly, 'App-dev-', here)).rejects.toThrow(message);
});

it('reads a function with its asset, but no inline code and no functions of the deployment', () => {
  expect(template.functions.map(({ logicalId }) => logicalId)).toEqual(['Assets', 'ProbeMedia']);
  expect(template.functions.slice(0, 1)).toEqual([
    {
      logicalId: 'Assets',
      name: 'Assets',
      arn: assetsArn,
      codePath: join(directory, 'asset.abc'),
      handler: 'index.handler',
      timeoutSeconds: 10,
      memoryMegabytes: 512,
      environment: { TABLE: 'App-dev-Data-Ephemeral', N: '1' },
      roleArn: 'arn:aws:iam::123456789012:role/App-dev-Api-AssetsRole',
    },
  ]);
});

it('reads a function in an image: its handler is the image command, its bundle is in the build folder', () => {
  expect(template.functions[1]).toMatchObject({
    codePath: join(directory, 'asset.def'),
    handler: 'functions/ProbeMedia/index.handler',
  });
});

it('reads the routes of the API with their functions, and its CORS settings', () => {
  expect(template.api.routes).toEqual([
    { routeKey: 'GET /v1/assets/{asset_id}', functionName: 'Assets', timeoutMs: 5000 },
  ]);
  expect(template.api.cors).toMatchObject({ allowOrigins: ['https://a.example'], allowMethods: ['GET'] });
});

it('reads a state machine, and replaces only the placeholders of its substitutions', () => {
  expect(template.stateMachines).toEqual([
    {
      logicalId: 'Ingest',
      name: 'Ingest',
      arn: 'arn:aws:states:eu-west-1:123456789012:stateMachine:Ingest',
      definition: `{"Probe":"${assetsArn}","kept":"\${Unknown}"}`,
      roleArn: '',
    },
  ]);
});

it('reads the roles of functions with inline, attached and managed policies, but no other roles', () => {
  expect(template.iam.roles).toEqual([
    {
      logicalId: 'AssetsRole',
      arn: 'arn:aws:iam::123456789012:role/App-dev-Api-AssetsRole',
      trustPolicy: { Statement: [] },
      policies: [
        { id: 'Own', document: { Statement: [allow('lambda:InvokeFunction', assetsArn)] } },
        { id: 'Attached', document: { Statement: allow('s3:ListBucket', '*') } },
        { id: 'Managed', document: { Statement: [allow('s3:GetObject', '*'), allow('s3:PutObject', '*')] } },
      ],
    },
  ]);
  expect(template.iam.resourcePolicies).toMatchObject([
    { resource: expect.stringMatching(/^arn:aws:s3:::/) },
  ]);
});

it('reads enabled schedules of EventBridge Scheduler and of rules', () => {
  const all = { timezone: 'UTC', targetArn: assetsArn };
  expect(template.schedules).toEqual([
    {
      ...all,
      logicalId: 'Nightly',
      arn: 'arn:aws:scheduler:eu-west-1:123456789012:schedule/default/App-dev-Api-Nightly',
      source: 'aws.scheduler',
      expression: 'rate(1 day)',
      input: '{}',
    },
    {
      ...all,
      logicalId: 'Hourly',
      arn: 'arn:aws:events:eu-west-1:123456789012:rule/hourly',
      source: 'aws.events',
      expression: 'cron(0 * * * ? *)',
    },
  ]);
});

it('reads rules that match events, with their targets', () => {
  expect(template.eventRules).toEqual([
    {
      logicalId: 'Failed',
      pattern: { source: ['aws.states'], detail: { status: ['FAILED'] } },
      targetArns: [assetsArn],
    },
  ]);
});

it('lists unsupported resources, except keys, dead-letter queues and those that a condition excludes', () => {
  expect(template.unserved).toEqual([{ stack: 'App-dev-Api', logicalId: 'Queue', type: 'AWS::SQS::Queue' }]);
});

it('names the command that builds a missing assembly', async () => {
  await expect(readTemplate('/nowhere', '', here)).rejects.toThrow('npm run build');
  await expect(readTemplate(directory, 'Other-', here)).rejects.toThrow('npm run build');
});

it('refuses a route with an authorizer, because the gateway would serve it without authorization', async () => {
  const Route = api.Resources?.Route;
  const guarded = {
    ...api,
    Resources: {
      ...api.Resources,
      Route: { Type: Route?.Type ?? '', Properties: { ...Route?.Properties, AuthorizationType: 'JWT' } },
    },
  };
  const assembly = writeAssembly({ 'App-dev-Data': withOutput, 'App-dev-Api': guarded });
  await expect(readTemplate(assembly, '', here)).rejects.toThrow('App-dev-Api.Route');
});
