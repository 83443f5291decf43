import { createRequire } from 'node:module';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type EnvironmentSettings,
  environmentNamed,
  environmentNames,
  environmentOf,
} from '../../lib/environments.ts';
import { tagsOf, targetOf } from '../../scripts/deployment/targets.ts';
import {
  cdkJson,
  ofType,
  shipped,
  stackTagsOf,
  synthesize,
  type Template,
  type Templates,
} from './assembly.ts';
import { apart, certificateArn, everything, protectedSettings } from './site-assembly.ts';

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
  it('can restore Core and Auth to any second, but not Ephemeral, which is worthless after a restore', () => {
    expect(pointInTime(prod)).toEqual({ Core: true, Auth: true, Ephemeral: false });
    expect(pointInTime(dev)).toEqual({ Core: false, Auth: false, Ephemeral: false });
  });

  it('keeps its data when its stacks are deleted', () => {
    for (const id of ['Core', 'Auth', 'AuthKey', 'Media']) {
      expect(prod.Data.Resources[id]!.DeletionPolicy, id).toMatch(/^Retain/);
      expect(dev.Data.Resources[id]!.DeletionPolicy, id).toBe('Delete');
    }
  });
});

describe('every environment', () => {
  it('has the same resources in dev and prod, except those of gradual rollouts, the canary and the alarm on refusals', () => {
    const steady = (template: Template) =>
      Object.entries(template.Resources)
        .filter(([, { Type }]) => !/^AWS::(CodeDeploy|Lambda::(Alias|Version))/.test(Type))
        .map(([id]) => id)
        .filter(
          (id) =>
            !/Rollout|AllowEventRule|^ApiRefusalsAlarm|^Canary(Schedule|Alarm|EventInvokeConfig)/.test(id),
        );
    for (const part of ['Data', 'Jobs', 'Api', 'Ops'] as const) {
      expect(steady(prod[part])).toEqual(steady(dev[part]));
    }
  });

  // CodeDeploy throttles a stack with 15 deployment groups: https://github.com/aws/aws-cdk/issues/21516
  it('creates only a few CodeDeploy deployment groups at the same time', () => {
    const groups = ofType(prod.Api, 'AWS::CodeDeploy::DeploymentGroup');
    expect(groups.length).toBeGreaterThan(25);
    expect(groups.filter(([, { DependsOn = [] }]) => DependsOn.length === 0)).toHaveLength(4);
  });

  it('leaves room in the API stack for 135 routes and 30 functions', () => {
    const count = (type: string) => ofType(dev.Api, type).length;
    const functions = count('AWS::Lambda::Function');
    const routes = count('AWS::ApiGatewayV2::Route');
    const others = Object.keys(dev.Api.Resources).length - routes;
    const perFunction = others / functions;
    expect(136 + 30 * perFunction).toBeLessThan(450);
  });

  it('tags every stack and thereby its resources; the check after destroy searches for these tags', async () => {
    const all = { dev: await everything('dev', protectedSettings), prod: await apart('prod') };
    for (const [name, templates] of Object.entries(all)) {
      const tags = tagsOf(targetOf(environmentOf(name, shipped[name as keyof typeof all])));
      expect(tags).toEqual({ product: 'kinora', environment: name });
      for (const [part, template] of Object.entries(templates)) {
        expect(stackTagsOf(template), part).toEqual(tags);
        for (const [id, { Properties = {} }] of Object.entries(template.Resources)) {
          // The tag of a resource would override the tag of its stack.
          const own = JSON.stringify(Properties.Tags ?? []);
          expect(own, `${part} ${id}`).not.toMatch(/"(product|environment)"/);
        }
      }
    }
    expect(Object.keys(all.dev)).toEqual(expect.arrayContaining(['Firewall-eu-central-1', 'Site']));
  });
});

describe('the settings of an environment', () => {
  const faultsOf = (settings: Partial<EnvironmentSettings>) => {
    try {
      environmentOf('mine', { ...shipped.dev, ...settings });
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('are in one file each, with the same name', async () => {
    expect(environmentNames()).toEqual(['dev', 'preview', 'prod']);
    for (const name of environmentNames()) expect((await environmentNamed(name)).name).toBe(name);
  });

  it.each(['staging', 'Dev', '../dev', 'a-name-that-is-too-long', ''])(
    'are not found under the name %j',
    async (name) => {
      await expect(environmentNamed(name)).rejects.toThrow(
        /there are dev, preview, prod.+Copy environments\/dev/s,
      );
    },
  );

  it('have the quotas of a new account if they set no others', async () => {
    const { quotas } = await environmentNamed('dev');
    expect(quotas).toMatchObject({ lambdaMemory: 3008, lambdaConcurrency: 10 });
    // For providers, the quotas of the region with the lowest ones.
    expect(quotas).toMatchObject({ transcribeJobs: 250, rekognitionTextPerSecond: 5, pollyPerSecond: 8 });
  });

  it.each<[string, Partial<EnvironmentSettings>]>([
    ['region', { region: 'Frankfurt' }],
    ['canary.everyMinutes', { canary: { everyMinutes: 5 } }],
    ['canary.everyMinutes', { canary: { everyMinutes: 720 } }],
    ['account', { account: '123' }],
    ['quotas.lambdaMemory', { quotas: { lambdaMemory: 1024 } }],
    ['quotas.lambdaConcurrency', { quotas: { lambdaConcurrency: 5 } }],
    ['quotas.pollyPerSecond', { quotas: { pollyPerSecond: 0 } }],
    ['apiMemory', { apiMemory: 4096 }],
    ['stepMemory.RenderChunk', { stepMemory: { RenderChunk: 5307 } }],
    ['logRetentionDays', { logRetentionDays: 8 }],
    [
      'alerts.topicArn: it lies in us-east-1',
      { alerts: { topicArn: 'arn:aws:sns:us-east-1:123456789012:x' } },
    ],
    ['alerts.siteTopicArn', { alerts: { siteTopicArn: 'arn:aws:sns:eu-central-1:123456789012:x' } }],
    ['alerts.email', { alerts: { email: 'nobody' } }],
    ['monthlyBudget', { monthlyBudget: 0 }],
    ['api.domain.name', { api: { domain: { name: 'https://x.example', certificateArn } } }],
    ['api.domain.certificateArn: it lies', { api: { domain: { name: 'x.example', certificateArn } } }],
    ['site.domain.certificateArn', { site: { domain: { name: 'x.example', certificateArn: 'mine' } } }],
    ['site.elsewhere: an origin', { site: { elsewhere: 'kinora.example/' } }],
    ['site.elsewhere: CloudFront in cn-north-1', { region: 'cn-north-1' }],
  ])('are refused with the error and a solution: %s', (fault, settings) => {
    expect(faultsOf(settings)).toContain(`environments/mine.ts:\n- ${fault}`);
  });

  it('cannot search for unusual costs without a budget, because a tenth of the budget is the threshold', () => {
    const { monthlyBudget: _, ...others } = shipped.dev;
    expect(() => environmentOf('mine', { ...others, costAnomalies: true })).toThrow('- costAnomalies');
  });

  it("can name a certificate in the region that AWS requires: the API's in its region, the site's in us-east-1", () => {
    const own = certificateArn.replace('us-east-1', 'eu-central-1');
    expect(faultsOf({ api: { domain: { name: 'x.example', certificateArn: own } } })).toBe('');
    expect(faultsOf({ site: { domain: { name: 'x.example', certificateArn } } })).toBe('');
  });
});

describe('cdk.json', () => {
  it('sets every feature flag to the value that this CDK version recommends', () => {
    const recommended = createRequire(import.meta.url)('aws-cdk-lib/recommended-feature-flags.json');
    const ours = {
      ...recommended,
      // The metadata serves only the usage report, which is off.
      '@aws-cdk/core:enableAdditionalMetadataCollection': false,
      // docs/decisions/0007-stack-references.md
      '@aws-cdk/core:defaultCrossStackReferences': 'strong',
    };
    expect(cdkJson.context).toMatchObject(ours);
  });

  it('fails the synthesis if CloudFormation would refuse a template, and sends no usage report', () => {
    expect(cdkJson.context['@aws-cdk/core:validateAgainstDefaultRules']).toBe(true);
    expect(cdkJson).toMatchObject({ versionReporting: false, notices: false });
  });
});
