/** Numbers and times of parameters, in all operations. */
import { expect, it } from 'vitest';
import { operations } from '../../contract/index.ts';
import type { CompiledOperation } from '../../contract/kit/operation.ts';
import { kebabCase } from '../../lib/shared/names.ts';

interface Parameter {
  readonly type?: string;
  readonly format?: string;
  readonly minimum?: number;
}

const parameters = operations.flatMap(({ resource, spec }) => {
  const { properties = {} } = (spec.query ?? {}) as { properties?: Record<string, Parameter> };
  return Object.entries(properties).map(([name, schema]) => ({ resource, id: spec.id, name, schema }));
});
const numbers = parameters.filter(({ schema }) => schema.type === 'integer' || schema.type === 'number');
const times = parameters.filter(({ schema }) => schema.format === 'date-time');

/** The errors of one parameter. Other parameters may be missing. */
async function faults({ resource, id, name }: (typeof parameters)[number], value: string) {
  const module: Record<string, CompiledOperation> = await import(
    `../../build/contract/${kebabCase(resource)}.js`
  );
  const check = module[id]!.validators.query!;
  check({ [name]: value });
  const own = (check.errors ?? []).filter(({ instancePath }) => instancePath === `/${name}`);
  return own.map(({ keyword }) => keyword);
}

it.each(['0x10', '0b11', '0o17', '1e1', ' 5', '5 ', '+5', '.5', '5.', '', 'Infinity', 'NaN', '1_0', '٥'])(
  'no operation takes the number "%s"',
  async (text) => {
    expect(numbers.length).toBeGreaterThan(30);
    for (const one of numbers) expect(await faults(one, text), `${one.id} ${one.name}`).toContain('type');
  },
);

it('operations take decimal numbers', async () => {
  for (const one of numbers) expect(await faults(one, '16'), `${one.id} ${one.name}`).not.toContain('type');
});

it.each([
  ['2026-02-28', true],
  ['2026-02-29', false],
  ['2026-02-30', false],
  ['2024-02-29', true],
  ['2000-02-29', true],
  ['1900-02-29', false],
  ['2026-04-31', false],
  ['2026-12-31', true],
  ['2026-13-01', false],
  ['2026-00-10', false],
])('the day %s exists: %s', async (day, exists) => {
  expect(times.length).toBeGreaterThan(0);
  for (const one of times)
    expect([one.id, await faults(one, `${day}T09:30:00Z`)]).toEqual([one.id, exists ? [] : ['format']]);
});
