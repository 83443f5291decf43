/** Reads functions, API routes, state machines and schedules from a template. */
import { resolve as resolvePath } from 'node:path';
import { functionNameIn } from './names.ts';
import type { Resolved } from './resolved.ts';

export type FunctionView = {
  logicalId: string;
  name: string;
  arn: string;
  /** The directory of the unpacked asset. */
  codePath: string;
  /** The module and the export, such as `index.handler`. In an image, the module may be in a folder of the image. */
  handler: string;
  timeoutSeconds: number;
  memoryMegabytes: number;
  environment: Record<string, string>;
  /** The ARN of the role with the function's permissions. */
  roleArn: string;
  reservedConcurrency?: number;
};

export type RouteView = { routeKey: string; functionName: string; timeoutMs: number };

export type ApiCors = {
  allowOrigins: string[];
  allowMethods: string[];
  allowHeaders: string[];
  exposeHeaders: string[];
  allowCredentials: boolean;
  maxAgeSeconds?: number;
};

export type Api = { routes: RouteView[]; cors?: ApiCors };

export type StateMachineView = {
  logicalId: string;
  name: string;
  arn: string;
  /** The Amazon States Language document. `DefinitionSubstitutions` are already replaced. */
  definition: string;
  roleArn: string;
};

export type ScheduleView = {
  logicalId: string;
  arn: string;
  /** The `source` of its events. */
  source: 'aws.scheduler' | 'aws.events';
  /** The schedule: `rate(…)`, `cron(…)` or `at(…)`. */
  expression: string;
  timezone: string;
  targetArn: string;
  /** The role that invokes the target. Absent for rules of EventBridge, because the policy of the function allows them. */
  roleArn?: string;
  input?: string;
};

export type EventRuleView = {
  logicalId: string;
  /** The pattern of the events for which the rule waits. */
  pattern: object;
  targetArns: string[];
};

/** Reads a function. Returns undefined for inline code, which only helpers of the CDK have. */
export function readFunction(resolved: Resolved): FunctionView | undefined {
  const { logicalId, ref, attributes, properties, resource, stack } = resolved;
  const asset = resource.Metadata?.['aws:asset:path'];
  if (typeof asset !== 'string') return undefined;
  const environment = properties.Environment as { Variables?: Record<string, unknown> } | undefined;
  const variables = Object.entries(environment?.Variables ?? {}).map(([name, value]) => [
    name,
    String(value),
  ]);
  const image = properties.ImageConfig as { Command?: string[] } | undefined;
  const reserved = properties.ReservedConcurrentExecutions;
  return {
    logicalId,
    name: ref,
    arn: String(attributes.Arn),
    codePath: resolvePath(stack.directory, asset),
    // The handler of an image is its command.
    handler: String(image?.Command?.[0] ?? properties.Handler),
    // The defaults of Lambda: 3 seconds, 128 MB.
    timeoutSeconds: Number(properties.Timeout ?? 3),
    memoryMegabytes: Number(properties.MemorySize ?? 128),
    environment: Object.fromEntries(variables),
    roleArn: String(properties.Role ?? ''),
    ...(reserved === undefined ? {} : { reservedConcurrency: Number(reserved) }),
  };
}

/** Reads the routes of the HTTP API. Throws for routes that are not supported: other integrations, authorizers. */
export function readApi(routes: Resolved[], integrations: Resolved[], apis: Resolved[]): Api {
  const cors = apis[0]?.properties.CorsConfiguration as TemplateCors | undefined;
  return {
    routes: routes.map((route) => readRoute(route, integrations)),
    ...(cors ? { cors: readCors(cors) } : {}),
  };
}

function readRoute({ properties, stack, logicalId }: Resolved, integrations: Resolved[]): RouteView {
  const place = `${stack.name}.${logicalId}`;
  const target = String(properties.Target).replace(/^integrations\//, '');
  const integration = integrations.find((each) => each.ref === target)?.properties;
  const functionName = functionNameIn(String(integration?.IntegrationUri));
  if (!functionName) throw new Error(`${place}: only routes to a Lambda function can be served`);
  if (integration?.PayloadFormatVersion !== '2.0') throw new Error(`${place}: payload format 2.0 is needed`);
  if ((properties.AuthorizationType ?? 'NONE') !== 'NONE') {
    throw new Error(`${place}: authorizers are not served; authentication runs inside every Lambda`);
  }
  return {
    routeKey: String(properties.RouteKey),
    functionName,
    // The default is the quota "Maximum integration timeout" of HTTP APIs: 30 seconds.
    timeoutMs: Number(integration.TimeoutInMillis ?? 30_000),
  };
}

type TemplateCors = {
  AllowOrigins?: string[];
  AllowMethods?: string[];
  AllowHeaders?: string[];
  ExposeHeaders?: string[];
  AllowCredentials?: boolean;
  MaxAge?: number;
};

function readCors(cors: TemplateCors): ApiCors {
  return {
    allowOrigins: cors.AllowOrigins ?? [],
    allowMethods: cors.AllowMethods ?? [],
    allowHeaders: cors.AllowHeaders ?? [],
    exposeHeaders: cors.ExposeHeaders ?? [],
    allowCredentials: cors.AllowCredentials ?? false,
    ...(cors.MaxAge === undefined ? {} : { maxAgeSeconds: cors.MaxAge }),
  };
}

export function readStateMachine(resolved: Resolved): StateMachineView {
  const { logicalId, ref, attributes, properties, stack } = resolved;
  const written = properties.DefinitionString ?? properties.Definition;
  if (written === undefined)
    throw new Error(`${stack.name}.${logicalId}: the definition must be in the template`);
  const text = typeof written === 'string' ? written : JSON.stringify(written);
  const substitutions = (properties.DefinitionSubstitutions ?? {}) as Record<string, unknown>;
  return {
    logicalId,
    name: String(attributes.Name),
    arn: ref,
    roleArn: String(properties.RoleArn ?? ''),
    definition: text.replace(/\$\{([A-Za-z0-9_]+)\}/g, (whole, name: string) =>
      name in substitutions ? String(substitutions[name]) : whole,
    ),
  };
}

/** Reads a schedule. Returns undefined if it is disabled, or if the rule waits for events. */
export function readSchedule(resolved: Resolved): ScheduleView | undefined {
  const { logicalId, attributes, properties, resource } = resolved;
  const expression = properties.ScheduleExpression;
  if (typeof expression !== 'string' || properties.State === 'DISABLED') return undefined;
  const targets = (properties.Targets ?? [properties.Target]) as {
    Arn: string;
    RoleArn?: string;
    Input?: string;
  }[];
  const target = targets[0];
  if (!target) return undefined;
  return {
    logicalId,
    arn: String(attributes.Arn),
    source: resource.Type === 'AWS::Events::Rule' ? 'aws.events' : 'aws.scheduler',
    expression,
    timezone: String(properties.ScheduleExpressionTimezone ?? 'UTC'),
    targetArn: target.Arn,
    ...(target.RoleArn === undefined ? {} : { roleArn: target.RoleArn }),
    ...(target.Input === undefined ? {} : { input: target.Input }),
  };
}

/** Reads a rule. Returns undefined if it is disabled, or if it runs on a schedule. */
export function readEventRule({ logicalId, properties }: Resolved): EventRuleView | undefined {
  const pattern = properties.EventPattern;
  if (typeof pattern !== 'object' || pattern === null || properties.State === 'DISABLED') return undefined;
  const targets = (properties.Targets ?? []) as { Arn: string }[];
  return { logicalId, pattern, targetArns: targets.map(({ Arn }) => Arn) };
}
