/** Determines the kind of work from the Resource of a Task. */
export type Resource =
  | { kind: 'function'; functionArn: string; pattern: 'request' }
  | { kind: 'lambda'; pattern: 'request' | 'callback' }
  | { kind: 'states'; pattern: 'request' | 'sync' };

/** The supported optimized integrations. Developer guide, "Integrating optimized services with Step Functions". */
const integrations: Record<string, Resource> = {
  'lambda:invoke': { kind: 'lambda', pattern: 'request' },
  'lambda:invoke.waitForTaskToken': { kind: 'lambda', pattern: 'callback' },
  'states:startExecution': { kind: 'states', pattern: 'request' },
  'states:startExecution.sync:2': { kind: 'states', pattern: 'sync' },
};

const INTEGRATION = /^arn:aws[\w-]*:states:[^:]*:[^:]*:(?<integration>.+)$/;
const FUNCTION = /^arn:aws[\w-]*:lambda:[^:]+:\d{12}:function:[\w-]+(:[\w$-]+)?$/;

/** Returns the kind of the resource. Undefined if this executor does not support it. */
export function resourceOf(uri: string): Resource | undefined {
  if (FUNCTION.test(uri)) return { kind: 'function', functionArn: uri, pattern: 'request' };
  const integration = INTEGRATION.exec(uri)?.groups?.integration;
  return integration !== undefined && Object.hasOwn(integrations, integration)
    ? integrations[integration]
    : undefined;
}

export const OFFERED_RESOURCES = [
  'a Lambda function ARN',
  ...Object.keys(integrations).map((name) => `arn:aws:states:::${name}`),
];

/** Splits an integration for the history: `lambda` and `invoke.waitForTaskToken` for `arn:aws:states:::lambda:invoke.waitForTaskToken`. */
export function integrationNames(uri: string): { resourceType: string; resource: string } {
  const [resourceType = '', ...resource] = (INTEGRATION.exec(uri)?.groups?.integration ?? uri).split(':');
  return { resourceType, resource: resource.join(':') };
}
