/**
 * The HTTP API as L1 resources: one integration and one permission for each function. The L2 construct makes a
 * permission for each route, which would exceed the 500 resources of a stack.
 */
import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { CfnIntegration, CfnRoute, CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { CfnPermission, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { ApiAddress } from '../data/api-address.ts';
import type { Environment } from '../environments.ts';
import { inLane } from '../shared/filter-lanes.ts';
import { Lanes } from '../shared/lanes.ts';
import { stableId } from '../shared/logical-id.ts';
import { namespaceOf } from '../shared/metrics.ts';
import { accessLogFormat } from './access-log.ts';
import { mapDomain } from './domain.ts';

export interface HttpApiProps {
  readonly environment: Environment;
  readonly address: ApiAddress;
}

export interface ApiRoute {
  /** Stem of the logical id. */
  readonly id: string;
  /** `ANY` matches every method. */
  readonly method: string;
  readonly path: string;
}

const authenticating =
  'The function authenticates: HTTP APIs cannot shape the 401 and 403 of an authorizer as problem+json. ' +
  'Every handler is made by one factory that does so, which a test proves for every route.';

/** How many integrations and routes CloudFormation creates at a time. */
const LANES = 4;

export class HttpApi extends Construct {
  /** Origin of the API, without a trailing slash. */
  readonly url: string;
  /** Id of the API in API Gateway and its metrics. */
  readonly id: string;
  private readonly environment: Environment;
  private readonly lanes = new Lanes(LANES);

  constructor(scope: Construct, id: string, { environment, address }: HttpApiProps) {
    super(scope, id);
    this.environment = environment;
    this.id = address.id;
    this.url = address.url;
  }

  /** Sends all these routes to the function, which authenticates the caller. */
  route(name: string, handler: IFunction, routes: readonly ApiRoute[]): void {
    this.addRoutes(name, handler, routes, authenticating);
  }

  /** Sends all these routes to the function, which needs no API key. */
  publicRoute(name: string, handler: IFunction, routes: readonly ApiRoute[]): void {
    this.addRoutes(
      name,
      handler,
      routes,
      'Documentation, which the site links: it holds nothing of any tenant.',
    );
  }

  /** Sends requests that match no route to the function. */
  fallback(name: string, handler: IFunction): void {
    this.addRoute('DefaultRoute', '$default', this.integrate(name, handler, '/*/$default'), authenticating);
  }

  /** The stage depends on all routes. Otherwise each route would be a deployment of its own. */
  publish(): void {
    const stage = this.stage(this.environment);
    for (const route of this.lanes.ends) stage.addResourceDependency(route);
    const { api, protection } = this.environment;
    const { domain } = api;
    // If CloudFront stands before the API, the name belongs to CloudFront.
    if (domain !== undefined && protection === undefined) mapDomain(this, domain, this.id, stage);
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
   * @param name stem of the logical ids
   * @param source stage and route that may invoke the function
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
    const logs = stableId(
      new LogGroup(this, 'Logs', {
        logGroupName: `/aws/vendedlogs/kinora-${environment.name}-Api`,
        retention: environment.logRetention,
        removalPolicy: RemovalPolicy.DESTROY,
      }),
      'ApiLogs',
    );
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

/** Name of the metric that counts server errors in the access log, without dimensions. */
export const serverErrors = 'ApiServerErrors';

/** API Gateway's own metric counts 501, which planned operations answer on purpose. Statuses in the log are text. */
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
