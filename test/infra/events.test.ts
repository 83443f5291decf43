import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { resourceNames } from '../../contract/index.ts';
import { referenceRoutes } from '../../lib/api/reference.ts';
import { routes } from '../../lib/api/routes.ts';
import { stepNames } from '../../lib/jobs/definitions.ts';
import { listenerNames } from '../../lib/jobs/listeners.ts';
import { scheduleNames } from '../../lib/jobs/schedules.ts';
import { root } from '../../toolchain/bundle/paths.ts';
import { ofType, synthesize, type Templates } from './assembly.ts';

const folder = join(root, 'events');
const read = (name: string) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));

const resources = resourceNames.map((name) => name[0]!.toUpperCase() + name.slice(1));
const apiFunctions = [...resources, 'Fallback', 'Reference'];
const resourceOf = (id: string) => resourceNames.find((name) => name.toLowerCase() === id.toLowerCase());
const routeKeys = (routes: readonly { method: string; path: string }[]) =>
  routes.map(({ method, path }) => `${method} ${path}`);

function routesOf(id: string): string[] {
  if (id === 'Fallback') return ['$default'];
  if (id === 'Reference') return routeKeys(referenceRoutes);
  return routeKeys(routes.filter(({ resource }) => resource === resourceOf(id)));
}

let templates: Templates;

beforeAll(() => {
  templates = synthesize('dev');
});

describe('the sample events', () => {
  it('are one a function, and env.json', () => {
    const expected = [...apiFunctions, ...stepNames(), ...scheduleNames(), ...listenerNames(), 'env'].map(
      (name) => `${name}.json`,
    );
    expect(readdirSync(folder).sort()).toEqual(expected.sort());
  });

  it.each(apiFunctions)('%s is of payload format 2.0, for a route of that function', (id) => {
    const event = read(id);
    const { method, path } = event.requestContext.http;
    expect(event).toMatchObject({ version: '2.0', rawPath: path, isBase64Encoded: false });
    expect(routesOf(id)).toContain(event.routeKey);
    if (id === 'Fallback') return;
    const [routeMethod, template] = event.routeKey.split(' ');
    const filled = template.replace(/\{(\w+)\}/g, (_: string, name: string) => event.pathParameters[name]);
    expect([routeMethod === 'ANY' ? 'ANY' : method, path]).toEqual([routeMethod, filled]);
  });

  it.each(stepNames())('%s names a tenant and what it works on, as every execution does', (id) => {
    const { tenant, ...rest } = read(id);
    expect(tenant).toBe('demo');
    const ids = Object.entries(rest).filter(([name]) => name.endsWith('_id'));
    expect(ids.length).toBeGreaterThan(0);
    for (const [, value] of ids) expect(value).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each(scheduleNames())(
    '%s is what EventBridge Scheduler sends where a schedule says nothing else',
    (id) => {
      const { id: event, time, resources, ...rest } = read(id);
      expect(rest).toEqual({
        version: '0',
        'detail-type': 'Scheduled Event',
        source: 'aws.scheduler',
        account: '123456789012',
        region: 'eu-central-1',
        detail: '{}',
      });
      expect(event).toMatch(/^[0-9a-f-]{36}$/);
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(resources).toEqual([
        expect.stringMatching(`:schedule/default/Kinora-dev-(Jobs|Ops)-${id}Schedule-`),
      ]);
      const { Jobs, Ops } = synthesize('prod');
      const { Properties } = (Jobs.Resources[`${id}Schedule`] ?? Ops.Resources[`${id}Schedule`])!;
      expect(Properties.Target).not.toHaveProperty('Input');
    },
  );
});

it.each(listenerNames())('%s is what Step Functions tells EventBridge, as a rule of it asks for it', (id) => {
  const { source, 'detail-type': type, detail } = read(id);
  const { EventPattern } = templates.Jobs.Resources[`${id}FailedRule`]!.Properties;
  expect(EventPattern).toMatchObject({ source: [source], 'detail-type': [type] });
  expect(EventPattern.detail.status).toContain(detail.status);
  expect(detail.executionArn).toBe(
    `${detail.stateMachineArn.replace(':stateMachine:', ':execution:')}:${detail.name}`,
  );
});

describe('events/env.json', () => {
  it('gives every variable that sam local cannot resolve from a template', () => {
    const { Parameters } = read('env');
    const unresolved = Object.values(templates)
      .flatMap((template) => ofType(template, 'AWS::Lambda::Function'))
      .flatMap(([, { Properties }]) => Object.entries(Properties.Environment?.Variables ?? {}))
      .filter(([, value]) => typeof value !== 'string')
      .map(([name]) => name);
    expect(Object.keys(Parameters).sort()).toEqual([...new Set(unresolved)].sort());
  });
});
