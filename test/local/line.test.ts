import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fairLine } from '../../local/lambda/line.ts';
import { productOf } from '../../toolchain/product.ts';
import { forAny } from '../support/for-any.ts';

type Waiting = { turn: string[]; name: string };

/** Everybody in the line, in the order in which they have their turns. */
function orderOf(all: readonly Waiting[]): Waiting[] {
  const line = fairLine<Waiting>();
  for (const each of all) line.add(each.turn, each);
  return [...emptied(line)];
}

function* emptied<Entry>(line: { next(): Entry | undefined }) {
  for (let entry = line.next(); entry !== undefined; entry = line.next()) yield entry;
}

const pieces = (turn: string[], count: number): Waiting[] =>
  Array.from({ length: count }, (_, piece) => ({ turn, name: `${turn.join('/')} ${piece}` }));

const waiting = fc.array(
  fc
    .tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2', '3'), fc.nat(2))
    .map(([tenant, job, depth]) => ({ turn: [tenant, job].slice(0, depth), name: '' })),
  { maxLength: 60 },
);

describe('a fair queue', () => {
  it('alternates between the jobs of a tenant, and serves the pieces of a job by age', () => {
    const order = orderOf([...pieces(['t', 'talk'], 4), ...pieces(['t', 'clip'], 2)]);
    expect(order.map(({ name }) => name)).toEqual([
      ...['t/talk 0', 't/clip 0', 't/talk 1', 't/clip 1', 't/talk 2', 't/talk 3'],
    ]);
  });

  it('serves a new group before the group that had the last turn', () => {
    const line = fairLine<Waiting>();
    for (const piece of pieces(['t', 'talk'], 9)) line.add(piece.turn, piece);
    line.next();
    for (const piece of pieces(['t', 'clip'], 1)) line.add(piece.turn, piece);
    expect(line.next()?.name).toBe('t/clip 0');
    expect(line.next()?.name).toBe('t/talk 1');
  });

  it('loses no entry, repeats none, and keeps the order within a group', () => {
    forAny([waiting], (given) => {
      const all = given.map((each, age) => ({ ...each, name: String(age) }));
      const order = orderOf(all);
      expect(order.toSorted((a, b) => Number(a.name) - Number(b.name))).toEqual(all);
      const ofGroup = Object.values(Object.groupBy(order, ({ turn }) => turn.join('/')));
      for (const group of ofGroup) {
        const ages = group!.map(({ name }) => Number(name));
        expect(ages).toEqual(ages.toSorted((a, b) => a - b));
      }
    });
  });

  it('gives every waiting tenant a turn before another tenant has two, even if others join', () => {
    const moves = fc.array(
      fc.oneof(
        fc.record({ join: fc.constantFrom('a', 'b', 'c', 'd', 'e'), job: fc.constantFrom('1', '2') }),
        fc.constant('next' as const),
      ),
      { maxLength: 120 },
    );
    forAny([moves], (given) => {
      const line = fairLine<string>();
      const lines = new Map<string, number>();
      /** For each tenant that waits, how often each other had a turn since it began to wait or had its own. */
      const since = new Map<string, Map<string, number>>();
      for (const move of given) {
        if (move !== 'next') {
          line.add([move.join, move.job], move.join);
          lines.set(move.join, (lines.get(move.join) ?? 0) + 1);
          if (!since.has(move.join)) since.set(move.join, new Map());
          continue;
        }
        const served = line.next();
        expect(served === undefined).toBe([...lines.values()].every((count) => count === 0));
        if (served === undefined) continue;
        lines.set(served, lines.get(served)! - 1);
        for (const [tenant, turns] of since) {
          if (tenant === served) continue;
          turns.set(served, (turns.get(served) ?? 0) + 1);
          expect(turns.get(served)).toBeLessThanOrEqual(1);
        }
        since.delete(served);
        if (lines.get(served)! > 0) since.set(served, new Map());
      }
    });
  });
});

describe('the turn of a step', () => {
  const { turnOf } = productOf();

  it('belongs to its tenant, and within the tenant to its job', () => {
    const payload = { tenant: 'demo', asset_id: 'a', job_id: 'j', piece: { index: 3 } };
    expect(turnOf(JSON.stringify(payload))).toEqual(['demo', 'j']);
  });

  it('has no owner for a payload without a tenant', () => {
    expect([turnOf('{}'), turnOf('null'), turnOf('"text"')]).toEqual([[], [], []]);
  });
});
