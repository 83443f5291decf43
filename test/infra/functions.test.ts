import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { resourceNames } from '../../contract/index.ts';
import { listeners, mediaSteps, schedules, steps } from '../../lib/jobs/steps.ts';
import { bundleFile } from '../../toolchain/bundle/paths.ts';
import { ofType, type Resource, synthesize, type Template, type Templates } from './assembly.ts';

let templates: Templates;
let functions: [id: string, resource: Resource, template: Template][];

beforeAll(() => {
  templates = synthesize('dev');
  functions = Object.values(templates).flatMap((template) =>
    ofType(template, 'AWS::Lambda::Function')
      .filter(([id]) => id !== 'MediaImageTrigger')
      .map(([id, resource]): [string, Resource, Template] => [id, resource, template]),
  );
});

describe('every function', () => {
  it('has a plain name and is a resource of the contract, the reference, the fallback, a step or a schedule', () => {
    const resources = resourceNames.map((name) => name[0]!.toUpperCase() + name.slice(1));
    const expected = [
      ...resources,
      'Reference',
      'Fallback',
      ...Object.keys(steps),
      ...Object.keys(schedules),
      ...Object.keys(listeners),
    ];
    expect(functions.map(([id]) => id).sort()).toEqual(expected.sort());
  });

  it('runs its own bundle on Node 24, except those with an image', () => {
    for (const [id, { Properties, Metadata }] of functions) {
      if (mediaSteps.includes(id)) continue;
      expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', Handler: 'index.handler' });
      expect(join(Metadata!['aws:asset:path']!, 'index.mjs')).toBe(bundleFile(id));
    }
  });

  it('has its logical id as the second-to-last part of its CDK path, so that sam local finds it', () => {
    for (const [id, { Metadata }] of functions) {
      expect(Metadata!['aws:cdk:path']!.split('/').slice(1)).toEqual([id, 'Resource']);
    }
  });

  it('counts unexpected errors in one metric for all functions, on which the alarm is defined', () => {
    const { Namespace, MetricName } = templates.Ops.Resources.FunctionErrorsAlarm!.Properties;
    for (const [id, , template] of functions) {
      const { LogGroupName, FilterPattern, MetricTransformations } =
        template.Resources[`${id}UnexpectedErrors`]!.Properties;
      expect(LogGroupName).toEqual({ Ref: `${id}Logs` });
      expect(FilterPattern).toContain('Task timed out');
      expect(MetricTransformations).toEqual([{ MetricNamespace: Namespace, MetricName, MetricValue: '1' }]);
    }
  });

  it('is traced with the id of the request that caused its run', () => {
    for (const [id, { Properties }] of functions) {
      expect(Properties.TracingConfig, id).toEqual({ Mode: 'Active' });
    }
  });

  it('has a role of its own', () => {
    const roles = functions.map(([, { Properties }]) => Properties.Role['Fn::GetAtt'][0]);
    expect(new Set(roles).size).toBe(functions.length);
  });

  it('has the variable of its environment, and no fixed name of a table or bucket', () => {
    for (const [, { Properties }] of functions) {
      const { Variables } = Properties.Environment;
      expect(Variables).toMatchObject({ ENVIRONMENT: 'dev', ENGINES: 'aws', LOG_LEVEL: 'debug' });
      for (const name of ['CORE_TABLE', 'AUTH_TABLE', 'EPHEMERAL_TABLE', 'MEDIA_BUCKET']) {
        expect(Variables[name]).toHaveProperty(['Fn::ImportValue']);
      }
    }
  });
});
