import { describe, expect, it } from 'vitest';
import { resourceNames } from '../../contract/index.ts';
import { referenceRoutes, routes } from '../../lib/api/routes.ts';
import { listeners, schedules, steps } from '../../lib/jobs/steps.ts';
import { lambdaEntries } from '../../toolchain/bundle/entries.ts';
import { sampleEvents } from '../../toolchain/bundle/sample-events.ts';
import { synthesize } from './assembly.ts';

const events = sampleEvents();
const templates = synthesize('prod');

describe('sample events', () => {
  it('exist for each function', () => {
    expect(Object.keys(events).sort()).toEqual(
      lambdaEntries()
        .map(({ name }) => name)
        .sort(),
    );
  });

  it('for the API name a route of their function', () => {
    const known = [...routes, ...referenceRoutes].map(({ method, path }) => `${method} ${path}`);
    const requests = Object.values(events).flatMap((event) => ('routeKey' in event ? [event.routeKey] : []));
    expect(requests).toHaveLength(resourceNames.length + 2);
    expect(requests.filter((key) => !known.includes(String(key)))).toEqual(['$default']);
  });

  it.each(Object.keys(steps))('for %s contain a tenant and ids, as in every execution', (name) => {
    const { tenant, ...rest } = events[name] as Record<string, unknown>;
    expect(tenant).toBe('demo');
    const ids = Object.entries(rest).filter(([member]) => member.endsWith('_id'));
    expect(ids.length).toBeGreaterThan(0);
    for (const [, id] of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each(Object.keys(schedules))('for %s equal the input that a schedule sends by default', (name) => {
    const { Properties } = (templates.Jobs.Resources[`${name}Schedule`] ??
      templates.Ops.Resources[`${name}Schedule`])!;
    expect(Properties.Target).not.toHaveProperty('Input');
    expect(events[name]).toMatchObject({ source: 'aws.scheduler', detail: '{}' });
  });

  it.each(Object.keys(listeners))('for %s match its rule', (name) => {
    const { EventPattern } = templates.Jobs.Resources[`${name}FailedRule`]!.Properties;
    const event = events[name] as { source: string; 'detail-type': string; detail: { status: string } };
    expect(EventPattern).toMatchObject({ source: [event.source], 'detail-type': [event['detail-type']] });
    expect(EventPattern.detail.status).toContain(event.detail.status);
  });
});
