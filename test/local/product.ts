/** A product of two functions, a state machine, two schedules and the storage they use, as an assembly that the cloud can serve. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Resource } from '../../local/template/assembly.ts';
import { resource, writeAssembly } from '../../local/test/template/assembly.ts';

const sources = {
  Hello: `const { SITE_URL, ENGINES, AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL_SFN, AWS_ENDPOINT_URL_STS } = process.env;
    export const handler = async (event) => ({
      path: event.rawPath,
      authorization: event.headers?.authorization ?? null,
      ...{ SITE_URL, ENGINES, AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL_SFN, AWS_ENDPOINT_URL_STS },
    });`,
  // Slow on purpose, and it leaves a line for each time it was run to its end.
  Slow: `import { appendFileSync } from 'node:fs';
    export const handler = async ({ file }, context) => {
      appendFileSync(file, 'begun ' + context.awsRequestId + '\\n');
      await new Promise((resolve) => setTimeout(resolve, 1500));
      appendFileSync(file, 'done ' + context.awsRequestId + '\\n');
      return { file };
    };`,
};

export function writeProduct(): string {
  const directory = writeAssembly({
    'Kinora-dev-Data': { Resources: { Auth: table(), Media: { Type: 'AWS::S3::Bucket' } } },
    'Kinora-dev-Api': {
      Resources: {
        Hello: lambda('Hello', { SITE_URL: 'https://dev.example', ENGINES: 'aws' }),
        Slow: lambda('Slow', {}),
        ...route('HelloRoute', 'GET /hello', 'Hello'),
        EveryMinute: resource('AWS::Scheduler::Schedule', {
          ScheduleExpression: 'rate(1 minute)',
          Target: { Arn: { 'Fn::GetAtt': ['Hello', 'Arn'] } },
        }),
        AtNight: resource('AWS::Events::Rule', {
          ScheduleExpression: 'cron(0 3 * * ? *)',
          Targets: [{ Id: 'Hello', Arn: { 'Fn::GetAtt': ['Hello', 'Arn'] } }],
        }),
        MachineRole: resource('AWS::IAM::Role', {
          AssumeRolePolicyDocument: { Statement: [] },
          Policies: [
            {
              PolicyName: 'Own',
              PolicyDocument: {
                Statement: {
                  Effect: 'Allow',
                  Action: 'lambda:InvokeFunction',
                  Resource: { 'Fn::GetAtt': ['Slow', 'Arn'] },
                },
              },
            },
          ],
        }),
        Machine: resource('AWS::StepFunctions::StateMachine', {
          DefinitionString: JSON.stringify(definition),
          DefinitionSubstitutions: { Slow: { 'Fn::GetAtt': ['Slow', 'Arn'] } },
          RoleArn: { 'Fn::GetAtt': ['MachineRole', 'Arn'] },
        }),
      },
    },
  });
  for (const [name, source] of Object.entries(sources)) {
    mkdirSync(join(directory, `asset.${name}`));
    writeFileSync(join(directory, `asset.${name}`, 'index.mjs'), source);
  }
  return directory;
}

const definition = {
  QueryLanguage: 'JSONata',
  StartAt: 'Work',
  States: {
    Work: {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a DefinitionSubstitution
      Arguments: { FunctionName: '${Slow}', Payload: '{% $states.input %}' },
      Retry: [{ ErrorEquals: ['Runtime.ExitError'], IntervalSeconds: 1, MaxAttempts: 5 }],
      Output: '{% $states.result.Payload %}',
      End: true,
    },
  },
};

function table(): Resource {
  return {
    Type: 'AWS::DynamoDB::Table',
    Properties: {
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
    },
  };
}

function lambda(name: string, Variables: Record<string, unknown>): Resource {
  return {
    Type: 'AWS::Lambda::Function',
    Metadata: { 'aws:asset:path': `asset.${name}` },
    Properties: { Handler: 'index.handler', Timeout: 20, MemorySize: 128, Environment: { Variables } },
  };
}

function route(id: string, RouteKey: string, fn: string): Record<string, Resource> {
  return {
    [id]: {
      Type: 'AWS::ApiGatewayV2::Route',
      Properties: { RouteKey, Target: { 'Fn::Sub': `integrations/\${${id}Integration}` } },
    },
    [`${id}Integration`]: {
      Type: 'AWS::ApiGatewayV2::Integration',
      Properties: { IntegrationUri: { 'Fn::GetAtt': [fn, 'Arn'] }, PayloadFormatVersion: '2.0' },
    },
  };
}
