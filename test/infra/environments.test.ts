import { createRequire } from 'node:module';
import { beforeAll, describe, expect, it } from 'vitest';
import { cdkJson, ofType, synthesize, type Templates } from './assembly.ts';

let dev: Templates;
let prod: Templates;

beforeAll(() => {
  dev = synthesize('dev');
  prod = synthesize('prod');
});

const pointInTime = ({ Data }: Templates) =>
  Object.fromEntries(
    ofType(Data, 'AWS::DynamoDB::Table').map(([id, { Properties }]) => [
      id,
      Properties.PointInTimeRecoverySpecification?.PointInTimeRecoveryEnabled ?? false,
    ]),
  );

describe('production', () => {
  it('can restore Core and Auth to any second; Ephemeral is worthless after a restore', () => {
    expect(pointInTime(prod)).toEqual({ Core: true, Auth: true, Ephemeral: false });
    expect(pointInTime(dev)).toEqual({ Core: false, Auth: false, Ephemeral: false });
  });

  it('keeps its data when its stacks are deleted', () => {
    for (const id of ['Core', 'Auth', 'AuthKey', 'Media']) {
      expect(prod.Data.Resources[id]!.DeletionPolicy, id).toBe('Retain');
      expect(dev.Data.Resources[id]!.DeletionPolicy, id).toBe('Delete');
    }
    expect(prod.Data.Resources.Core!.Properties.DeletionProtectionEnabled).toBe(true);
  });

  it('lets more requests in and remembers its logs for longer', () => {
    expect(prod.Api.Resources.ApiStage!.Properties.DefaultRouteSettings.ThrottlingRateLimit).toBe(500);
    expect(prod.Api.Resources.AssetsLogs!.Properties.RetentionInDays).toBe(90);
    expect(prod.Api.Resources.Assets!.Properties.Environment.Variables.LOG_LEVEL).toBe('info');
  });
});

describe('every environment', () => {
  it.each(['dev', 'preview', 'prod'] as const)('%s synthesizes without an account or a region', (env) => {
    const templates = synthesize(env);
    // AWS's public registry, from which the media image's base comes, has its login in one region.
    const text = JSON.stringify(templates).replace('ecr-public get-login-password --region us-east-1', '');
    expect(text).not.toMatch(/\b\d{12}\b.*aws-cdk|us-east-1/);
  });

  it('consists of the same resources', () => {
    for (const part of ['Data', 'Jobs', 'Api', 'Ops'] as const) {
      expect(Object.keys(prod[part].Resources)).toEqual(Object.keys(dev[part].Resources));
    }
  });

  it('stays far below the 500 resources that a stack may have', () => {
    for (const [part, { Resources }] of Object.entries(dev)) {
      expect(Object.keys(Resources).length, part).toBeLessThan(450);
    }
  });

  it('leaves room in the API stack for 135 routes and 30 functions', () => {
    const count = (type: string) => ofType(dev.Api, type).length;
    const functions = count('AWS::Lambda::Function');
    const routes = count('AWS::ApiGatewayV2::Route');
    const others = Object.keys(dev.Api.Resources).length - routes;
    const perFunction = others / functions;
    expect(136 + 30 * perFunction).toBeLessThan(450);
  });

  it('runs its functions on the processor that the context names', () => {
    const { Api } = synthesize('dev', { architecture: 'x86_64' });
    expect(Api.Resources.Assets!.Properties.Architectures).toEqual(['x86_64']);
    expect(dev.Api.Resources.Assets!.Properties.Architectures).toEqual(['arm64']);
  });

  it('is refused under a name that it does not have', () => {
    expect(() => synthesize('staging' as never)).toThrow('there are dev, preview, prod');
  });
});

describe('cdk.json', () => {
  it('sets every feature flag as this version of the CDK recommends', () => {
    const recommended = createRequire(import.meta.url)('aws-cdk-lib/recommended-feature-flags.json');
    // This one only adds to the usage report, which is off.
    const ours = { ...recommended, '@aws-cdk/core:enableAdditionalMetadataCollection': false };
    expect(cdkJson.context).toMatchObject(ours);
  });

  it('fails the synthesis on what CloudFormation would refuse, and reports to nobody', () => {
    expect(cdkJson.context['@aws-cdk/core:validateAgainstDefaultRules']).toBe(true);
    expect(cdkJson).toMatchObject({ versionReporting: false, notices: false });
  });
});
