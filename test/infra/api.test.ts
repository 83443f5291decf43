import { beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../contract/index.ts';
import { routes as contractRoutes } from '../../contract/kit/routes.ts';
import { referenceRoutes } from '../../lib/api/routes.ts';
import { createRouter } from '../../local/gateway/routes.ts';
import { ofType, synthesize, type Template } from './assembly.ts';

let api: Template;

beforeAll(() => {
  api = synthesize('dev').Api;
});

const targetOf = (route: { Target: { 'Fn::Join': [string, [string, { Ref: string }]] } }) =>
  route.Target['Fn::Join'][1][1].Ref;

describe('the HTTP API', () => {
  it('has routes only for the contract and the reference, and a default route', () => {
    const routes = ofType(api, 'AWS::ApiGatewayV2::Route').map(([, { Properties }]) => Properties.RouteKey);
    const paths = new Set([...contractRoutes, ...referenceRoutes].map(({ path }) => path));
    const strays = routes.filter((key) => key !== '$default' && !paths.has(key.split(' ')[1]));
    expect(strays).toEqual([]);
    expect(routes).toContain('$default');
  });

  it('serves the reference at /docs, with its files, and /openapi.json', () => {
    const routes = referenceRoutes.map(({ method, path }) => `${method} ${path}`);
    expect(routes).toEqual(['ANY /docs', 'ANY /docs/{file}', 'ANY /openapi.json']);
  });

  it('sends every operation to the function of its resource, HEAD to that of GET, documentation to Reference, and other requests to Fallback', () => {
    const route = createRouter(
      ofType(api, 'AWS::ApiGatewayV2::Route').map(([, { Properties }]) => {
        const integration = api.Resources[targetOf(Properties)]!.Properties;
        return { routeKey: Properties.RouteKey, to: integration.IntegrationUri['Fn::GetAtt'] };
      }),
    );
    const reached = (method: string, path: string) =>
      route(method, path.replaceAll(/\{\w+\+?\}/g, 'x'))!.route.to;
    for (const { resource, spec } of operations) {
      const id = resource[0]!.toUpperCase() + resource.slice(1);
      expect(reached(spec.method, spec.path)).toEqual([id, 'Arn']);
      if (spec.method === 'GET') expect(reached('HEAD', spec.path)).toEqual([id, 'Arn']);
      expect(api.Resources[id]!.Type).toBe('AWS::Lambda::Function');
    }
    for (const { path } of referenceRoutes) {
      expect(reached('GET', path)).toEqual(['Reference', 'Arn']);
    }
    expect(reached('GET', '/v1/nothing')).toEqual(['Fallback', 'Arn']);
  });

  it('uses payload format 2.0, which the handlers read', () => {
    for (const [, { Properties }] of ofType(api, 'AWS::ApiGatewayV2::Integration')) {
      expect(Properties).toMatchObject({ IntegrationType: 'AWS_PROXY', PayloadFormatVersion: '2.0' });
    }
  });

  it('is the only API that may invoke its functions', () => {
    for (const [, { Properties }] of ofType(api, 'AWS::Lambda::Permission')) {
      expect(Properties.Principal).toBe('apigateway.amazonaws.com');
      expect(JSON.stringify(Properties.SourceArn)).toMatch(
        /"Fn::ImportValue":"Kinora-dev-Data:ExportsOutputRefApi/,
      );
    }
  });

  it('limits requests, and logs them without paths, query strings, headers or addresses', () => {
    const [[, { Properties: stage }]] = ofType(api, 'AWS::ApiGatewayV2::Stage') as [
      [string, Template['Resources'][string]],
    ];
    expect(stage.DefaultRouteSettings).toEqual({ ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 });
    const logged = Object.values(JSON.parse(stage.AccessLogSettings.Format));
    expect(logged).toContain('$context.requestId');
    expect(logged.filter((field) => /path|query|header|identity|authorizer/i.test(String(field)))).toEqual(
      [],
    );
  });

  it('has an alarm on server errors in its log, except 501, which planned operations return', () => {
    const { MetricName, Namespace, Threshold } =
      synthesize('dev').Ops.Resources.ApiServerErrorsAlarm!.Properties;
    const [[, { Properties: counted }]] = ofType(api, 'AWS::Logs::MetricFilter') as [
      [string, Template['Resources'][string]],
    ];
    expect(counted.MetricTransformations).toEqual([
      { MetricName, MetricNamespace: Namespace, MetricValue: '1' },
    ]);
    expect([MetricName, Namespace, Threshold]).toEqual(['ApiServerErrors', 'Kinora/dev', 5]);
    expect(counted.FilterPattern).toBe('{ ($.status = "5*") && ($.status != "501") }');
    expect(counted.LogGroupName).toEqual({ Ref: 'ApiLogs' });
    // The status is text, because a filter compares either numbers or texts.
    const [[, { Properties: stage }]] = ofType(api, 'AWS::ApiGatewayV2::Stage') as [
      [string, Template['Resources'][string]],
    ];
    expect(JSON.parse(stage.AccessLogSettings.Format).status).toBe('$context.status');
  });

  it('is created in a few parallel sequences, because API Gateway allows 10 calls a second, and is published at the end', () => {
    const made = [
      ...ofType(api, 'AWS::ApiGatewayV2::Integration'),
      ...ofType(api, 'AWS::ApiGatewayV2::Route'),
    ];
    const after = made.map(([, { DependsOn = [] }]) =>
      DependsOn.filter((id) => made.some(([one]) => one === id)),
    );
    expect(after.filter((ids) => ids.length === 0)).toHaveLength(4);
    // Two resources never wait for the same one. Otherwise CloudFormation would create them at the same time.
    const waitForExport = after.flat();
    expect(new Set(waitForExport).size).toBe(waitForExport.length);
    const last = made.map(([id]) => id).filter((id) => !waitForExport.includes(id));
    expect([...api.Resources.ApiStage!.DependsOn!].sort()).toEqual(last.sort());
  });

  it('is reachable only under its own domain name, if it has one', () => {
    const domain = {
      name: 'api.kinora.example',
      certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/1',
      hostedZoneId: 'Z123',
    };
    const named = synthesize('prod', { api: { domain } });
    expect(named.Data.Resources.Api!.Properties.DisableExecuteApiEndpoint).toBe(true);
    expect(named.Api.Outputs.ApiUrl!.Value).toBe('https://api.kinora.example');
    expect(ofType(named.Api, 'AWS::ApiGatewayV2::ApiMapping')).toHaveLength(1);
    const { Data } = synthesize('dev');
    expect(Data.Resources.Api!.Properties.DisableExecuteApiEndpoint).toBe(false);

    const target = { 'Fn::GetAtt': ['ApiDomain', 'RegionalDomainName'] };
    expect(named.Api.Outputs.ApiDomainTarget!.Value).toEqual(target);
    const records = ofType(named.Api, 'AWS::Route53::RecordSet').map(([, { Properties }]) => Properties);
    expect(records.map(({ Name, Type }) => `${Name} ${Type}`)).toEqual([
      'api.kinora.example A',
      'api.kinora.example AAAA',
    ]);
    for (const { HostedZoneId, AliasTarget } of records) {
      expect(HostedZoneId).toBe('Z123');
      expect(AliasTarget.DNSName).toEqual(target);
    }
  });
});
