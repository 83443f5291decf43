/**
 * The HTTP API as L1 resources: one integration and one permission for each function. The L2 construct makes a
 * permission for each route, which would exceed the 500 resources of a stack.
 */
import { CfnOutput, Stack, Validations } from 'aws-cdk-lib';
import {
  CfnApiMapping,
  CfnDomainName,
  CfnIntegration,
  CfnRoute,
  CfnStage,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { CfnPermission, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { ApiAddress } from '../data/api-address.ts';
import type { ApiDomain, Environment } from '../environments.ts';
import { aliasRecords } from '../shared/alias-records.ts';
import { inLane, Lanes } from '../shared/lanes.ts';
import { logGroup } from '../shared/log-group.ts';
import { namespaceOf } from '../shared/metrics.ts';
import { stableId } from '../shared/names.ts';

interface HttpApiProps {
  readonly environment: Environment;
  readonly address: ApiAddress;
}

export interface ApiRoute {
  /** The start of the logical ids. */
  readonly id: string;
  /** `ANY` matches every method. */
  readonly method: string;
  readonly path: string;
}

const authenticating =
  'The function authenticates: HTTP APIs cannot shape the 401 and 403 of an authorizer as problem+json. ' +
  'Every handler is made by one factory that does so, which a test proves for every route.';

/** The number of integrations and routes that CloudFormation creates at the same time. */
const LANES = 4;

export class HttpApi extends Construct {
  /** Origin of the API, without a trailing slash. */
  readonly url: string;
  readonly id: string;
  private readonly environment: Environment;
  private readonly lanes = new Lanes(LANES);

  constructor(scope: Construct, id: string, { environment, address }: HttpApiProps) {
    super(scope, id);
    this.environment = environment;
    this.id = address.id;
    this.url = address.url;
  }

  /** Adds routes to the function, which authenticates the caller itself. */
  route(name: string, handler: IFunction, routes: readonly ApiRoute[]): void {
    this.addRoutes(name, handler, routes, authenticating);
  }

  /** Adds routes to the function, which needs no API key. */
  publicRoute(name: string, handler: IFunction, routes: readonly ApiRoute[]): void {
    this.addRoutes(
      name,
      handler,
      routes,
      'Documentation, which the site links: it holds nothing of any tenant.',
    );
  }

  fallback(name: string, handler: IFunction): void {
    this.addRoute('DefaultRoute', '$default', this.integrate(name, handler, '/*/$default'), authenticating);
  }

  /** Creates the stage after all routes. Otherwise each route would cause a deployment. */
  publish(): void {
    const stage = this.stage(this.environment);
    for (const route of this.lanes.ends) stage.addResourceDependency(route);
    const { api, protection } = this.environment;
    // If CloudFront is in front of the API, the domain name of callers belongs to CloudFront.
    const domain = protection === undefined ? api.domain : protection.origin;
    if (domain !== undefined) mapDomain(this, domain, this.id, stage);
  }

  private addRoutes(name: string, handler: IFunction, routes: readonly ApiRoute[], reason: string): void {
    const target = this.integrate(name, handler, '/*/*');
    for (const { id, method, path } of routes) {
      this.addRoute(`${id[0]!.toUpperCase()}${id.slice(1)}Route`, `${method} ${path}`, target, reason);
    }
  }

  /** @param reason why the route has no authorizer */
  private addRoute(id: string, routeKey: string, target: string, reason: string): void {
    const route = stableId(new CfnRoute(this, id, { apiId: this.id, routeKey, target }), id);
    this.lanes.add(route);
    Validations.of(route).acknowledge({ id: 'AwsSolutions-APIG4', reason });
  }

  /**
   * @param name the start of the logical ids
   * @param source the stage and the route that may invoke the function
   */
  private integrate(name: string, handler: IFunction, source: string): string {
    const integration = new CfnIntegration(this, `${name}Integration`, {
      apiId: this.id,
      integrationType: 'AWS_PROXY',
      integrationUri: handler.functionArn,
      payloadFormatVersion: '2.0',
    });
    const permission = new CfnPermission(this, `${name}Permission`, {
      action: 'lambda:InvokeFunction',
      functionName: handler.functionArn,
      principal: 'apigateway.amazonaws.com',
      sourceArn: Stack.of(this).formatArn({
        service: 'execute-api',
        resource: `${this.id}${source}`,
      }),
    });
    stableId(permission, `${name}Permission`);
    this.lanes.add(integration);
    return `integrations/${stableId(integration, `${name}Integration`).ref}`;
  }

  private stage(environment: Environment): CfnStage {
    const logs = logGroup(this, 'ApiLogs', `/aws/vendedlogs/kinora-${environment.name}-Api`, environment);
    countServerErrors(logs, environment);
    const stage = new CfnStage(this, 'Stage', {
      apiId: this.id,
      stageName: '$default',
      autoDeploy: true,
      accessLogSettings: { destinationArn: logs.logGroupArn, format: accessLogFormat },
      defaultRouteSettings: {
        throttlingRateLimit: environment.throttling.rate,
        throttlingBurstLimit: environment.throttling.burst,
      },
    });
    return stableId(stage, 'ApiStage');
  }
}

/** The name of the metric that counts server errors in the access log. It has no dimensions. */
export const serverErrors = 'ApiServerErrors';

/** Counts server errors, except 501, the correct answer of planned operations. In the log, statuses are text. */
function countServerErrors(logs: LogGroup, environment: Environment): void {
  const filter = new MetricFilter(logs, 'ServerErrors', {
    logGroup: logs,
    filterPattern: FilterPattern.literal('{ ($.status = "5*") && ($.status != "501") }'),
    metricNamespace: namespaceOf(environment),
    metricName: serverErrors,
    metricValue: '1',
  });
  inLane(stableId(filter, 'ApiServerErrors'));
}

/** The custom domain of the API: its TLS certificate, the mapping to the API, and its DNS records. */
function mapDomain(scope: Construct, domain: ApiDomain, apiId: string, stage: CfnStage): void {
  const { name, certificateArn, hostedZoneId } = domain;
  const made = stableId(
    new CfnDomainName(scope, 'DomainName', {
      domainName: name,
      domainNameConfigurations: [
        { certificateArn, endpointType: 'REGIONAL', ipAddressType: 'dualstack', securityPolicy: 'TLS_1_2' },
      ],
    }),
    'ApiDomain',
  );
  new CfnApiMapping(scope, 'ApiMapping', { apiId, domainName: made.ref, stage: stage.ref });
  const target = { name: made.attrRegionalDomainName, zoneId: made.attrRegionalHostedZoneId };
  if (hostedZoneId !== undefined) aliasRecords(scope, 'Api', { hostedZoneId, names: [name], target });
  // If your DNS is not in Route 53, add a CNAME record from the name to this target.
  new CfnOutput(Stack.of(scope), 'ApiDomainTarget', { value: target.name });
}

/**
 * The format of the access log: one line for each request. It omits paths, queries, headers and addresses, because these identify
 * people, and assets of tenants. The log line of the function has the same request id, and contains the tenant.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-logging-variables.html
 */
const accessLogFormat = JSON.stringify({
  time: '$context.requestTime',
  request_id: '$context.requestId',
  route: '$context.routeKey',
  method: '$context.httpMethod',
  status: '$context.status',
  protocol: '$context.protocol',
  response_bytes: '$context.responseLength',
  latency_ms: '$context.responseLatency',
  integration_latency_ms: '$context.integrationLatency',
  integration_status: '$context.integrationStatus',
  integration_error: '$context.integrationErrorMessage',
  gateway_error: '$context.error.responseType',
});
