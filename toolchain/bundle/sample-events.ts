/**
 * Makes a sample event for each function, in `build/events/<Function>.json`, for `npm run invoke` and `sam local
 * invoke`. The contract provides the requests, and the definitions of steps provide the inputs.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations, resourceNames } from '../../contract/index.ts';
import type { OperationSpec } from '../../contract/kit/operation.ts';
import { routes } from '../../lib/api/routes.ts';
import { listeners, schedules, steps } from '../../lib/jobs/steps.ts';
import { kebabCase, pascalCase } from '../../lib/shared/names.ts';
import { sampleJob } from '../../platform/steps/define-step.ts';
import { defined } from '../../shared/checked-access.ts';
import { exampleId, examplePath } from '../openapi/example-ids.ts';
import { sampleEventsFolder } from './paths.ts';

/** The API key of the samples. `npm run invoke` replaces it with the key of the local cloud. */
export const sampleKey = 'knr_test_n7rxd9PUioyL_4j5pIJGy49oCh5gGHKBivP37lMPBRmlz1lQcgM';

const account = '123456789012';
const region = 'eu-central-1';
const at = new Date('2026-11-21T09:30:00Z');
const eventId = '019a9d2d-0c4f-4b62-8f7b-0d1f4c0f5d2e';

export function sampleEvents(): Record<string, object> {
  const api = resourceNames.map((name) => [pascalCase(kebabCase(name)), requestOf(name)] as const);
  return {
    ...Object.fromEntries(api),
    Fallback: httpRequest('$default', 'GET', '/v1/nothing-here'),
    Reference: httpRequest('ANY /docs', 'GET', '/docs'),
    ...Object.fromEntries(Object.values(steps).map(({ name, event }) => [name, event])),
    ...Object.fromEntries(Object.keys(schedules).map((name) => [name, scheduled(name)])),
    ...Object.fromEntries(Object.keys(listeners).map((name) => [name, executionEnded()])),
  };
}

export function writeSampleEvents(): void {
  rmSync(sampleEventsFolder, { recursive: true, force: true });
  mkdirSync(sampleEventsFolder, { recursive: true });
  for (const [name, event] of Object.entries(sampleEvents()))
    writeFileSync(join(sampleEventsFolder, `${name}.json`), `${JSON.stringify(event, null, 2)}\n`);
}

/**
 * Values for the environment variables that `sam local invoke` cannot resolve from the templates, in
 * `build/events/env.json`. Users replace them with the outputs of a deployment.
 */
export function writeSampleEnvironment(assembly: string): void {
  const stacks = readdirSync(assembly).filter((file) => file.endsWith('.template.json'));
  const resources = stacks.flatMap((file) => {
    const template: Template = JSON.parse(readFileSync(join(assembly, file), 'utf8'));
    return Object.values(template.Resources);
  });
  const variables = resources.flatMap(({ Properties }) =>
    Object.entries(Properties?.Environment?.Variables ?? {}).filter(([, value]) => typeof value !== 'string'),
  );
  const Parameters = Object.fromEntries(variables.sort().map(([name]) => [name, sampleValue(name)]));
  writeFileSync(join(sampleEventsFolder, 'env.json'), `${JSON.stringify({ Parameters }, null, 2)}\n`);
}

interface Template {
  readonly Resources: Readonly<
    Record<string, { readonly Properties?: { readonly Environment?: { readonly Variables?: object } } }>
  >;
}

function sampleValue(variable: string): string {
  const name = pascalCase(variable.toLowerCase().replaceAll('_', '-'));
  if (name.endsWith('MachineArn'))
    return `arn:aws:states:${region}:${account}:stateMachine:${name.slice(0, -3)}`;
  if (name === 'ExportAccount') return account;
  return name === 'ApiUrl' ? 'http://127.0.0.1:3000' : `${name} of the outputs of Kinora-dev-Data`;
}

function requestOf(resource: string): object {
  const specs: OperationSpec[] = operations
    .filter((one) => one.resource === resource)
    .map(({ spec }) => spec);
  const spec = (['GET', 'DELETE', 'POST'] as const)
    .map((method) => specs.find((one) => one.method === method))
    .find((one) => one !== undefined);
  if (spec === undefined) throw new Error(`The resource ${resource} has no operation for a sample event`);
  const { method, path } = spec;
  const route = routes.find((one) => one.path === path && (one.method === 'ANY' || one.method === method));
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => defined(name));
  const params = Object.fromEntries(names.map((name) => [name, exampleId(name)]));
  return httpRequest(`${route?.method ?? method} ${path}`, method, examplePath(spec), params);
}

/** API Gateway Developer Guide, "AWS Lambda integrations": payload format 2.0. */
function httpRequest(routeKey: string, method: string, path: string, pathParameters?: object): object {
  const host = 'api.kinora.example';
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString: '',
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${sampleKey}`,
      ...(method === 'POST' && { 'content-type': 'application/json' }),
      ...{ host, 'user-agent': 'sample' },
    },
    ...(pathParameters && { pathParameters }),
    requestContext: {
      ...{ accountId: account, apiId: 'a1b2c3d4e5', domainName: host, domainPrefix: 'api' },
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'sample' },
      ...{ requestId: 'sample-request', routeKey, stage: '$default' },
      ...{ time: '21/Nov/2026:09:30:00 +0000', timeEpoch: at.getTime() },
    },
    ...(method === 'POST' && { body: '{}' }),
    isBase64Encoded: false,
  };
}

/** Returns the members that every event from EventBridge has. */
const fromEventBridge = (source: string, type: string, resource: string) => ({
  ...{ version: '0', id: eventId, 'detail-type': type, source, account },
  ...{ time: at.toISOString().replace('.000', ''), region, resources: [resource] },
});

/** The event of EventBridge Scheduler for a schedule that sets no input. */
export const scheduled = (name: string) => ({
  ...fromEventBridge(
    'aws.scheduler',
    'Scheduled Event',
    `arn:aws:scheduler:${region}:${account}:schedule/default/Kinora-dev-${name}Schedule`,
  ),
  detail: '{}',
});

/** The event of Step Functions at the end of an execution. Step Functions Developer Guide, "Step Functions event examples". */
export function executionEnded() {
  const { job_id } = sampleJob;
  const states = `arn:aws:states:${region}:${account}`;
  const executionArn = `${states}:execution:IngestMachine:${job_id}`;
  return {
    ...fromEventBridge('aws.states', 'Step Functions Execution Status Change', executionArn),
    detail: {
      executionArn,
      stateMachineArn: `${states}:stateMachine:IngestMachine`,
      ...{ name: job_id, status: 'TIMED_OUT', startDate: at.getTime() - 86_400_000, stopDate: at.getTime() },
      input: JSON.stringify(sampleJob),
      inputDetails: { included: true },
      ...{ output: null, outputDetails: null, error: null, cause: null },
    },
  };
}
