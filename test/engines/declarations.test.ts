import { describe, expect, it } from 'vitest';
import { declarations } from '../../engines/declarations.ts';
import { pricedCapabilities, unitOf } from '../../engines/prices.ts';

const engines = Object.entries(declarations).flatMap(([capability, list]) =>
  list.map((engine) => [`${engine.name} (${capability})`, engine] as const),
);

describe('the declarations of engines', () => {
  it('are plain data, so that bundles can contain them', () => {
    expect(JSON.parse(JSON.stringify(declarations))).toEqual(declarations);
  });

  it.each(Object.entries(declarations))('of %s have unique names', (capability, list) => {
    expect(capability).toMatch(/^[a-z][a-z_]*$/);
    const names = list.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9-]*$/);
  });

  it.each(engines)(
    '%s declares where it runs, and its languages as BCP 47 tags',
    (_, { runs, languages }) => {
      expect(runs.length).toBeGreaterThan(0);
      if (languages === 'any') return;
      expect(languages.length).toBeGreaterThan(0);
      expect(() => Intl.getCanonicalLocales([...languages])).not.toThrow();
    },
  );

  it.each(engines)(
    '%s describes each setting, and names it like an environment variable',
    (_, { settings }) => {
      for (const [name, { description }] of Object.entries(settings)) {
        expect(name).toMatch(/^[A-Z][A-Z0-9_]*$/);
        expect(description).toMatch(/^[A-Z].*[^.]$/);
      }
    },
  );

  it.each(pricedCapabilities)(
    "of %s state a price, unless it depends on the operator's choice",
    (capability) => {
      const unknown = declarations[capability]
        .filter(({ price }) => price === undefined)
        .map(({ name }) => name);
      expect(unknown.filter((name) => !['bedrock', 'elevenlabs', 'elevenlabs-kms'].includes(name))).toEqual(
        [],
      );
      for (const { price } of declarations[capability]) if (price) expect(price.per).toBe(unitOf[capability]);
    },
  );

  it.each(engines)(
    '%s lists every action, and the reason for each wildcard in a resource',
    (_, { permissions }) => {
      for (const { actions, resources, why } of Object.values(permissions).flatMap((list) => list ?? [])) {
        for (const action of actions) expect(action).toMatch(/^[a-z0-9-]+:[A-Za-z]+$/);
        if (resources.some((resource) => resource.includes('*'))) expect(why).toBeDefined();
      }
    },
  );
});
