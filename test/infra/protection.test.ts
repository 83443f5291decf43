import { App, Stack } from 'aws-cdk-lib';
import { beforeAll, describe, expect, it } from 'vitest';
import { apiAddress } from '../../lib/data/api-address.ts';
import { FirewallStack } from '../../lib/data/firewall-stack.ts';
import { filledIn } from '../../lib/data/protection.ts';
import { type Environment, environmentOf } from '../../lib/environments.ts';
import { EDGE_HEADER } from '../../platform/kernel/edge-only.ts';
import { cdkJson, ofType, type Part, shipped, synthesize, type Template } from './assembly.ts';

const settings = { requestsPerFiveMinutes: 2000 };
const domain = {
  name: 'api.kinora.example',
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0a1b2c3d',
};
const certificateArn = domain.certificateArn.replace('eu-central-1', 'us-east-1');
let edge: Template;
let firewall: Template;
let secret: unknown;
let url: unknown;

beforeAll(() => {
  const app = new App({ analyticsReporting: false, context: cdkJson.context });
  const environment = environmentOf('dev', { ...shipped.dev, protection: settings });
  const env = { account: '123456789012', region: environment.region };
  const firewallStack = new FirewallStack(app, 'Firewall', { environment, protection: settings, env });
  const stack = new Stack(app, 'Edge', { env });
  const address = apiAddress(stack, environment, firewallStack.webAcl.attrArn);
  [secret, url] = [stack.resolve(filledIn(address.edgeSecretArn!)), stack.resolve(address.url)];
  const assembly = app.synth();
  expect(assembly.getStackByName('Firewall').environment.region).toBe('us-east-1');
  [edge, firewall] = [assembly.getStackByName('Edge').template, assembly.getStackByName('Firewall').template];
});

function addressOf(environment: Environment) {
  const stack = new Stack(new App(), 'Alone');
  return stack.resolve(
    apiAddress(stack, environment, 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/a/b'),
  );
}

const distribution = () => edge.Resources.EdgeDistribution!.Properties.DistributionConfig;

describe('CloudFront before the API', () => {
  it('caches nothing, and forwards everything except Host, for every method', () => {
    const { DefaultCacheBehavior } = distribution();
    expect(DefaultCacheBehavior).toMatchObject({
      // Managed policies CachingDisabled and AllViewerExceptHostHeader (CloudFront Developer Guide).
      CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
      OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
      ViewerProtocolPolicy: 'https-only',
    });
    expect(DefaultCacheBehavior.AllowedMethods).toHaveLength(7);
  });

  it('sends the functions a secret that is not in the template', () => {
    const [origin] = distribution().Origins;
    expect(origin.OriginCustomHeaders).toEqual([{ HeaderName: 'X-Kinora-Edge', HeaderValue: secret }]);
    expect(origin.OriginCustomHeaders[0].HeaderName.toLowerCase()).toBe(EDGE_HEADER);
    expect(JSON.stringify(secret)).toContain('{{resolve:secretsmanager:');
    const [, made] = ofType(edge, 'AWS::SecretsManager::Secret')[0]!;
    expect(made.Properties).toMatchObject({
      GenerateSecretString: { PasswordLength: 43, ExcludePunctuation: true },
    });
    expect(made.Properties).not.toHaveProperty('SecretString');
  });

  it('is rotated without interruption: CloudFront sends both secrets, and every function gets a new version', () => {
    const stacks = [0, 1, 2].map((generation) =>
      synthesize('dev', { rollout: 'gradual', protection: { ...settings, generation } }),
    );
    const idsOf = (type: string, part: Part) =>
      stacks.map((templates) => ofType(templates[part], type).map(([id]) => id));
    expect(idsOf('AWS::SecretsManager::Secret', 'Data')).toEqual([
      ['EdgeSecret'],
      ['EdgeSecret1', 'EdgeSecret'],
      ['EdgeSecret2', 'EdgeSecret1'],
    ]);
    const headers = stacks.map(({ Data }) => JSON.stringify(Data.Resources.EdgeDistribution!.Properties));
    expect(headers.map((text) => text.match(/\{\{resolve:secretsmanager:/g)!.length)).toEqual([1, 2, 2]);
    const versions = idsOf('AWS::Lambda::Version', 'Api');
    expect(versions[0]!.length).toBeGreaterThan(20);
    expect(new Set(versions.flat()).size).toBe(3 * versions[0]!.length);
    // Only the newest secret is compared, so a leaked one has no effect after the deployment.
    const variables = stacks[2]!.Api.Resources.Assets!.Properties.Environment.Variables;
    expect(JSON.stringify(variables.EDGE_SECRET)).toContain('{"Fn::GetAtt":["EdgeSecretArn2","Value"]}');
  });

  it('is protected by the firewall', () => {
    expect(JSON.stringify(distribution().WebACLId)).toMatch(/ApiFirewall|Firewall/);
  });
});

describe('the firewall', () => {
  const acl = () => firewall.Resources.ApiFirewall!.Properties;

  it('answers 429 to an address with too many requests, and 413 to bodies that the gateway would refuse, as problems', () => {
    expect(acl().Scope).toBe('CLOUDFRONT');
    const rules = acl().Rules as { Name: string; Statement: object; Action: object }[];
    expect(rules.map(({ Name }) => Name)).toEqual(['Rate', 'Length']);
    expect(rules[0]).toMatchObject({
      Statement: { RateBasedStatement: { AggregateKeyType: 'IP', Limit: 2000, EvaluationWindowSec: 300 } },
      Action: { Block: { CustomResponse: { ResponseCode: 429, CustomResponseBodyKey: 'tooMany' } } },
    });
    const problem = JSON.parse(acl().CustomResponseBodies.tooLarge.Content);
    expect(problem).toMatchObject({
      status: 413,
      code: 'payload_too_large',
      type: expect.stringMatching(/problems#|about:blank/),
    });
    expect(acl().CustomResponseBodies.tooMany.ContentType).toBe('APPLICATION_JSON');
  });

  it('accepts a Content-Length below 6,000,000 bytes', () => {
    const { RegexString } = acl().Rules[1].Statement.RegexMatchStatement;
    const refused = (bytes: number) => new RegExp(RegexString).test(String(bytes));
    expect([0, 5_999_999, 6_000_000, 9_999_999, 10_000_000, 10_485_761].map(refused)).toEqual([
      ...[false, false, true, true, true, true],
    ]);
  });

  it('stores no samples of requests, because they contain API keys', () => {
    const visible = [acl(), ...acl().Rules].map(
      ({ VisibilityConfig }) => VisibilityConfig.SampledRequestsEnabled,
    );
    expect(visible).toEqual([false, false, false]);
  });
});

describe('the address of the API', () => {
  it('is that of CloudFront if the API is protected; the gateway stays reachable for CloudFront', () => {
    expect(JSON.stringify(url)).toContain('"EdgeDistribution","DomainName"');
    expect(edge.Resources.Api!.Properties.DisableExecuteApiEndpoint).toBe(false);
  });

  it('has another name behind CloudFront if the settings name an origin, and no execute-api address', () => {
    const origin = { ...domain, name: 'origin.api.kinora.example', hostedZoneId: 'Z1' };
    const { Data, Api } = synthesize('dev', { protection: { ...settings, origin } });
    expect(Data.Resources.Api!.Properties.DisableExecuteApiEndpoint).toBe(true);
    const [behind] = Data.Resources.EdgeDistribution!.Properties.DistributionConfig.Origins;
    expect(behind.DomainName).toBe(origin.name);
    expect(Api.Resources.ApiDomain!.Properties.DomainName).toBe(origin.name);
    expect(ofType(Api, 'AWS::Route53::RecordSet').map(([, { Properties }]) => Properties.Name)).toEqual([
      origin.name,
      origin.name,
    ]);
    const faulty = { ...settings, certificateArn, origin: { ...origin, name: domain.name } };
    expect(() => environmentOf('mine', { ...shipped.dev, api: { domain }, protection: faulty })).toThrow(
      'protection.origin.name',
    );
  });

  it('is its own domain name if it has one, with a certificate in us-east-1', () => {
    const named = { ...shipped.dev, api: { domain } };
    const faulty = () => environmentOf('mine', { ...named, protection: settings });
    expect(faulty).toThrow('protection.certificateArn');
    const environment = environmentOf('mine', { ...named, protection: { ...settings, certificateArn } });
    expect(addressOf(environment).url).toBe('https://api.kinora.example');
  });

  it('is that of the gateway, without a secret, if the API is not protected', () => {
    const address = addressOf(environmentOf('dev', shipped.dev));
    expect(JSON.stringify(address.url)).toContain('.execute-api.');
    expect(address).not.toHaveProperty('edgeSecretArn');
  });
});
