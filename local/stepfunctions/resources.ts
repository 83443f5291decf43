/** Which work a Task's Resource names. */

export type Resource =
  | { kind: 'function'; functionArn: string; pattern: 'request' }
  | { kind: 'lambda'; pattern: 'request' | 'callback' }
  | { kind: 'states'; pattern: 'request' | 'sync' };

/** Optimized integrations on offer. Developer guide, "Integrating optimized services with Step Functions". */
const integrations: Record<string, Resource> = {
  'lambda:invoke': { kind: 'lambda', pattern: 'request' },
  'lambda:invoke.waitForTaskToken': { kind: 'lambda', pattern: 'callback' },
  'states:startExecution': { kind: 'states', pattern: 'request' },
  'states:startExecution.sync:2': { kind: 'states', pattern: 'sync' },
};

const INTEGRATION = /^arn:aws[\w-]*:states:[^:]*:[^:]*:(?<integration>.+)$/;
const FUNCTION = /^arn:aws[\w-]*:lambda:[^:]+:\d{12}:function:[\w-]+(:[\w$-]+)?$/;

/** The resource's kind, or undefined where this executor does not offer it. */
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

/** `lambda` and `invoke.waitForTaskToken` of `arn:aws:states:::lambda:invoke.waitForTaskToken`, as the history has them. */
export function integrationNames(uri: string): { resourceType: string; resource: string } {
  const [resourceType = '', ...resource] = (INTEGRATION.exec(uri)?.groups?.integration ?? uri).split(':');
  return { resourceType, resource: resource.join(':') };
}
