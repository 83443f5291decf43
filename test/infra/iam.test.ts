import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ResourceName } from '../../contract/index.ts';
import { jobMachines } from '../../contract/kit/job-kinds.ts';
import { declarations } from '../../engines/declarations.ts';
import { choose } from '../../engines/selection.ts';
import { logicalIdOf } from '../../lib/api/api-stack.ts';
import { apiSettings } from '../../lib/api/functions.ts';
import { steps } from '../../lib/jobs/steps.ts';
import type { EngineUses } from '../../platform/steps/permissions.ts';
import { metaFile } from '../../toolchain/bundle/paths.ts';
import { ofType, synthesize, type Template, type Templates } from './assembly.ts';

interface Statement {
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

/** Actions that IAM cannot restrict to a resource, each with the only function that may have it. */
const unbounded: Readonly<Record<string, RegExp>> = {
  'comprehend:BatchDetectEntities': /^AnalyzeTextRole$/,
  'comprehend:BatchDetectKeyPhrases': /^AnalyzeTextRole$/,
  'comprehend:BatchDetectSentiment': /^AnalyzeTextRole$/,
  'comprehend:DetectDominantLanguage': /^AnalyzeTextRole$/,
  'ecr:GetAuthorizationToken': /^ContainerImageBuild/,
  'logs:CreateLogDelivery': /MachineRole/,
  'logs:DeleteLogDelivery': /MachineRole/,
  'logs:DescribeLogGroups': /MachineRole/,
  'logs:DescribeResourcePolicies': /MachineRole/,
  'logs:GetLogDelivery': /MachineRole/,
  'logs:ListLogDeliveries': /MachineRole/,
  'logs:PutResourcePolicy': /MachineRole/,
  'logs:UpdateLogDelivery': /MachineRole/,
  'polly:SynthesizeSpeech': /^(MixDub|SpeakSegments)Role$/,
  'rekognition:CompareFaces': /^MergePicturesRole$/,
  'rekognition:DetectFaces': /^LookAtPicturesRole$/,
  'rekognition:DetectText': /^LookAtPicturesRole$/,
  'transcribe:StartTranscriptionJob': /^TranscribePieceRole$/,
  'transcribe:CreateVocabulary': /^TranscribePieceRole$/,
  'translate:TranslateText': /^Translate(Ingest|Language)Role$/,
  'xray:GetSamplingRules': /MachineRole/,
  'xray:GetSamplingTargets': /MachineRole/,
  'xray:PutTelemetryRecords': /Role/,
  'xray:PutTraceSegments': /Role/,
};

/** The library that builds the image may read its sources from the asset bucket of the CDK, and nothing else. */
const wild = /^ContainerImageBuild\w+ s3:(GetObject|GetBucket|List)\*$/;

/** The service that assumes a role without a function, by the end of the role's id. */
const assumers: Readonly<Record<string, string>> = {
  Machine: 'states.amazonaws.com',
  MediaImageProject: 'codebuild.amazonaws.com',
  Schedule: 'scheduler.amazonaws.com',
};

let templates: Templates;

beforeAll(() => {
  templates = synthesize('dev');
});

const list = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);

function statementsIn(template: Template): [id: string, statement: Statement][] {
  const roles = ofType(template, 'AWS::IAM::Role').flatMap(([id, { Properties }]) =>
    (Properties.Policies ?? []).map((policy: { PolicyDocument: object }) => [id, policy.PolicyDocument]),
  );
  const policies = ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy'].flatMap((type) =>
    ofType(template, type).map(([id, { Properties }]) => [id, Properties.PolicyDocument]),
  );
  return [...roles, ...policies].flatMap(([id, { Statement }]) =>
    list(Statement as Statement[]).map((statement): [string, Statement] => [id, statement]),
  );
}

const everyStatement = () => Object.values(templates).flatMap(statementsIn);

function actionsOf(template: Template, id: string): string[] {
  const { Policies = [] } = template.Resources[`${id}Role`]!.Properties as {
    Policies?: { PolicyDocument: { Statement: Statement[] } }[];
  };
  const actions = Policies.flatMap(({ PolicyDocument }) =>
    PolicyDocument.Statement.flatMap(({ Action }) => list(Action)),
  );
  return [...new Set(actions)].sort();
}

/** The source files of each function's bundle. */
const bundles = (): Readonly<Record<string, readonly string[]>> => {
  const { outputs } = JSON.parse(readFileSync(metaFile, 'utf8')) as {
    outputs: Record<string, { inputs: object }>;
  };
  return Object.fromEntries(
    Object.entries(outputs).map(([path, { inputs }]) => [path.split('/').at(-2)!, Object.keys(inputs)]),
  );
};

const inputsOf = (id: string): readonly string[] => bundles()[id]!;

describe('permissions', () => {
  it('name every action without a wildcard', () => {
    for (const [id, { Action }] of everyStatement()) {
      expect(
        list(Action).filter((action) => action.includes('*') && !wild.test(`${id} ${action}`)),
        id,
      ).toEqual([]);
    }
  });

  it('name the resource, except for actions that do not support it', () => {
    for (const [id, { Action, Resource }] of everyStatement()) {
      if (!list(Resource).includes('*')) continue;
      for (const action of list(Action)) expect(id, action).toMatch(unbounded[action] ?? /^$/);
    }
  });

  it('let only the service of a role assume it', () => {
    for (const template of Object.values(templates)) {
      for (const [id, { Properties }] of ofType(template, 'AWS::IAM::Role')) {
        const [{ Principal }] = Properties.AssumeRolePolicyDocument.Statement;
        const [, part = ''] = /(Machine|MediaImageProject|Schedule)Role$/.exec(id) ?? [];
        expect(Principal.Service, id).toBe(assumers[part] ?? 'lambda.amazonaws.com');
      }
    }
  });
});

describe('the permissions of engines', () => {
  const uses: Readonly<Record<string, EngineUses>> = Object.fromEntries([
    ...Object.entries(apiSettings).map(([name, { engines = {} }]) => [
      logicalIdOf(name as ResourceName),
      engines,
    ]),
    ...Object.entries(steps).map(([name, { permissions }]) => [name, permissions.engines ?? {}]),
  ]);
  const declaredActions = new Set(
    Object.values(declarations)
      .flat()
      .flatMap(({ permissions }) => Object.values(permissions))
      .flatMap((permissions) => permissions!.flatMap(({ actions }) => actions)),
  );

  function declaredFor(id: string): string[] {
    const actions = Object.entries(uses[id] ?? {}).flatMap(([capability, methods]) => {
      const engines = declarations[capability as keyof typeof declarations];
      const choice = choose(capability, engines, { ENGINES: 'aws' });
      if (choice.status === 'unavailable') return [];
      return methods
        .flatMap((method) => choice.engine.permissions[method] ?? [])
        .flatMap((one) => one.actions);
    });
    return [...new Set(actions)].sort();
  }

  it('are exactly those that the engines of each function declare', () => {
    for (const template of [templates.Api, templates.Jobs]) {
      for (const [id] of ofType(template, 'AWS::Lambda::Function')) {
        const given = statementsIn(template)
          .filter(
            ([role, { Resource }]) => role === `${id}Role` && !JSON.stringify(Resource).includes('AuthKey'),
          )
          .flatMap(([, { Action }]) => list(Action))
          .filter((action) => declaredActions.has(action));
        expect([...new Set(given)].sort(), id).toEqual(declaredFor(id));
      }
    }
    expect(declaredFor('TranscribePiece')).toContain('transcribe:StartTranscriptionJob');
  });
});

describe('an API function', () => {
  const logging = ['logs:CreateLogStream', 'logs:PutLogEvents'];
  const tracing = ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'];

  it.each(['Fallback', 'Reference'])('can only log if it has no authentication: %s', (id) => {
    expect(actionsOf(templates.Api, id)).toEqual([...logging, ...tracing]);
  });

  it('can write media only if it starts uploads', () => {
    expect(actionsOf(templates.Api, 'Uploads')).toEqual(expect.arrayContaining(['s3:PutObject']));
    for (const id of ['Assets', 'Transcriptions', 'Languages']) {
      expect(actionsOf(templates.Api, id).filter((action) => /^s3:(Put|Delete)/.test(action))).toEqual([]);
    }
  });

  it('can only read API keys', () => {
    const auth = statementsIn(templates.Api).filter(([, { Resource }]) =>
      /Table|Auth/.test(JSON.stringify(Resource)),
    );
    const onKeys = auth.filter(
      ([, { Resource }]) =>
        JSON.stringify(Resource).includes('GetAttAuth') && !JSON.stringify(Resource).includes('AuthKey'),
    );
    expect(onKeys.length).toBeGreaterThan(0);
    for (const [id, { Action, Condition }] of onKeys) {
      expect(list(Action), id).toEqual(['dynamodb:GetItem']);
      expect(Condition, id).toEqual({ 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['KEY#*'] } });
    }
  });

  it('encrypts secrets that tenants send or receive, bound to their tenant', () => {
    const seal = 'kms:GenerateDataKey';
    const open = 'kms:Decrypt';
    const onSecrets = everyStatement().filter(([, { Resource }]) =>
      JSON.stringify(Resource).includes('SecretsKey'),
    );
    const actions: Record<string, string[]> = {};
    for (const [id, { Action, Condition }] of onSecrets) {
      actions[id] = [...(actions[id] ?? []), ...list(Action)];
      expect(Condition).toMatchObject({
        Null: { 'kms:EncryptionContext:tenant': 'false', 'kms:EncryptionContext:resource': 'false' },
        'ForAllValues:StringEquals': { 'kms:EncryptionContextKeys': ['tenant', 'resource'] },
      });
    }
    // The function that writes to tenants' storages decrypts their credentials. The functions that show or use signing
    // secrets decrypt those.
    expect(actions).toEqual({
      ChannelsRole: [seal],
      ClearExportRole: [open],
      DeliverEventRole: [open],
      ExternalStoragesRole: [seal],
      FailExportRole: [open],
      WebhooksRole: [open, seal],
      WriteExportRole: [open],
    });
  });

  it('can start only the machines that its code names', () => {
    for (const [id] of ofType(templates.Api, 'AWS::Lambda::Function')) {
      const started = statementsIn(templates.Api)
        .filter(
          ([role, { Action }]) => role === `${id}Role` && list(Action).includes('states:StartExecution'),
        )
        .flatMap(([, { Resource }]) => JSON.stringify(Resource).match(/(?<=Ref)[A-Za-z]+(?=Machine)/g));
      const own = inputsOf(id).filter((file) => /^(lambdas|platform|shared)\//.test(file));
      const source = own.map((file) => readFileSync(file, 'utf8')).join('');
      const named = [...source.matchAll(/\b(?:machine: |executionsOf\()'(\w+)'/g)].map(([, name]) => name!);
      // It starts jobs of any kind, which its code does not name.
      if (id === 'Jobs') named.push(...jobMachines);
      expect(started.sort(), id).toEqual([...new Set(named)].sort());
    }
  });
});

describe('a step', () => {
  it('cannot read API keys, except the canary, which creates its own', () => {
    for (const [id, { Resource }] of statementsIn(templates.Jobs)) {
      if (id === 'CanaryRole') continue;
      expect(JSON.stringify(Resource), id).not.toContain('Auth');
    }
  });

  it('can remove media only if it ends a job, or deletes or replaces them', () => {
    const removing = ofType(templates.Jobs, 'AWS::Lambda::Function')
      .map(([id]) => id)
      .filter((id) => actionsOf(templates.Jobs, id).includes('s3:DeleteObject'));
    const ending = /^(Clear|Fail|Finish)/;
    expect(removing.filter((id) => !ending.test(id)).sort()).toEqual([
      'CheckBrandingFile',
      'MergeTranscription',
      'PrepareAudio',
      'RemoveMedia',
      'RenderExport',
      'TranslateIngest',
      'TranslateLanguage',
      'WriteExport',
    ]);
  });

  it('can assume roles of tenants only if it writes to their storages', () => {
    const assuming = statementsIn(templates.Jobs).filter(([, { Action }]) =>
      list(Action).includes('sts:AssumeRole'),
    );
    const steps = assuming.map(([id]) => id).filter((id) => !id.includes('Machine'));
    expect(steps.sort()).toEqual(['ClearExportRole', 'FailExportRole', 'WriteExportRole']);
    for (const [, { Resource }] of assuming) expect(JSON.stringify(Resource)).toContain(':iam::*:role/*');
  });
});

describe('every function that publishes events', () => {
  it('may start deliveries', () => {
    const publishers = Object.keys(bundles()).filter((id) =>
      inputsOf(id).includes('platform/runtime/publishing.ts'),
    );
    expect(publishers.length).toBeGreaterThan(5);
    for (const id of publishers) {
      const template = templates.Api.Resources[id] === undefined ? templates.Jobs : templates.Api;
      expect(actionsOf(template, id), id).toContain('states:StartExecution');
      const { Variables } = template.Resources[id]!.Properties.Environment;
      expect(Object.keys(Variables), id).toContain('DELIVER_EVENT_MACHINE_ARN');
    }
  });
});
