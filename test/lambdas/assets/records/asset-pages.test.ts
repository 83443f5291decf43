import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COUNT_LIMIT, pageOfPartitions } from '../../../../platform/table/id-pages.ts';
import { type IdRange, type IdSource, idSource, predecessor } from '../../../../platform/table/id-ranges.ts';
import { facetKey } from '../../../../platform/table/keys.ts';
import { TenantTable } from '../../../../platform/table/tenant-table.ts';
import { asTenantId } from '../../../../shared/ids.ts';
import { startDynamoDb, type TestDynamoDb } from '../../../support/dynamodb.ts';

const ids = (count: number) =>
  Array.from({ length: count }, (_, at) => (count - 1 - at).toString(16).padStart(12, '0'));

interface Recorded extends IdSource {
  /** Ids that were handed out. */
  read: number;
  counted: number;
}

/** Partitions in memory; a read gives at most `largest` entries, as one of a table gives at most a megabyte. */
function source(partitions: Readonly<Record<string, readonly string[]>>, largest = 10_000): Recorded {
  const within = ({ pk, from, upTo, limit }: IdRange) => {
    const all = (partitions[pk] ?? []).filter(
      (id) => (from === undefined || id >= from) && (upTo === undefined || id <= upTo),
    );
    const some = all.slice(0, Math.min(limit, largest));
    return { some, next: some.length < all.length ? predecessor(some.at(-1)!) : undefined };
  };
  const recorded: Recorded = {
    read: 0,
    counted: 0,
    async ids(range) {
      const { some, next } = within(range);
      recorded.read += some.length;
      return { ids: some, next };
    },
    async countIds(range) {
      const { some, next } = within(range);
      recorded.counted += some.length;
      return { count: some.length, next };
    },
  };
  return recorded;
}

describe('a page of ids', () => {
  const universe = ids(60);
  const partition = fc.subarray([...universe]);
  const names = ['a', 'b', 'c', 'd'];
  const cases = fc.record({
    partitions: fc.tuple(partition, partition, partition, partition),
    groups: fc.array(fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }), {
      minLength: 1,
      maxLength: 3,
    }),
    skip: fc.nat(40),
    size: fc.integer({ min: 1, max: 20 }),
    first: fc.option(fc.constantFrom(...universe), { nil: undefined }),
    last: fc.option(fc.constantFrom(...universe), { nil: undefined }),
    largest: fc.integer({ min: 1, max: 70 }),
  });

  it('contains the ids that are in a partition of each group and between both limits, newest first', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ partitions, groups, skip, size, first, last, largest }) => {
        const lists = Object.fromEntries(names.map((name, at) => [name, partitions[at]!]));
        const all = universe.filter(
          (id) =>
            groups.every((group) => group.some((name) => lists[name]!.includes(id))) &&
            (first === undefined || id >= first) &&
            (last === undefined || id <= last),
        );
        const table = source(lists, largest);
        const byNumber = await pageOfPartitions(table, {
          groups,
          position: { skip },
          size,
          ends: { first, last },
        });
        const exact = { total: all.length, total_is_lower_bound: false };
        expect(byNumber).toEqual({
          ids: all.slice(skip, skip + size),
          more: all.length > skip + size,
          ...exact,
        });

        const after = all[skip];
        if (after === undefined) return;
        const position = { skip: 0, after, counted: exact };
        const byCursor = await pageOfPartitions(table, { groups, position, size, ends: { first, last } });
        expect(byCursor).toEqual({
          ids: all.slice(skip + 1, skip + 1 + size),
          more: all.length > skip + 1 + size,
          ...exact,
        });
      }),
    );
  });
});

describe('the number of entries that a page reads', () => {
  const long = ids(100_000);
  const counted = { total: COUNT_LIMIT, total_is_lower_bound: true };

  it('after a cursor is the page size and one more, regardless of the length of the list', async () => {
    const table = source({ a: long });
    const page = await pageOfPartitions(table, {
      groups: [['a']],
      position: { skip: 0, after: long[50_000]!, counted },
      size: 16,
    });
    expect(page).toEqual({ ids: long.slice(50_001, 50_017), more: true, ...counted });
    expect([table.read, table.counted]).toEqual([17, 0]);
  });

  it('with a page number is hardly larger, because earlier entries and the total are counted, not read', async () => {
    const table = source({ a: long });
    const page = await pageOfPartitions(table, { groups: [['a']], position: { skip: 40_000 }, size: 16 });
    expect(page.ids).toEqual(long.slice(40_000, 40_016));
    expect(page).toMatchObject({ total: 40_016, total_is_lower_bound: true });
    expect([table.read, table.counted]).toEqual([128, 40_000]);
  });

  it('in a short list is its length, so that no counting is needed', async () => {
    const table = source({ a: ids(60) });
    const page = await pageOfPartitions(table, { groups: [['a']], position: { skip: 16 }, size: 16 });
    expect(page).toMatchObject({ more: true, total: 60, total_is_lower_bound: false });
    expect([table.read, table.counted]).toEqual([44, 16]);
  });

  it('does not grow with the total, which is counted only up to a limit', async () => {
    const first = (length: number) =>
      pageOfPartitions(source({ a: ids(length) }), { groups: [['a']], position: { skip: 0 }, size: 16 });
    expect(await first(10_000)).toMatchObject({ total: 10_000, total_is_lower_bound: false });
    expect(await first(10_001)).toMatchObject({ total: 10_000, total_is_lower_bound: true });
  });

  it('with two filters ends at the limit for the total, which is then a lower bound', async () => {
    const every = (nth: number) => long.filter((_, at) => at % nth === 0);
    const table = source({ two: every(2), three: every(3) });
    const page = await pageOfPartitions(table, {
      groups: [['three'], ['two']],
      position: { skip: 0 },
      size: 16,
    });
    expect(page.ids).toEqual(every(6).slice(0, 16));
    expect(page.total_is_lower_bound).toBe(true);
    expect(page.total).toBeGreaterThan(3_000);
    expect(table.read).toBeLessThan(4 * COUNT_LIMIT);
  });

  it('with two filters may exceed the limit, so that the page is full', async () => {
    const table = source({ all: long, few: long.slice(-20) });
    const page = await pageOfPartitions(table, {
      groups: [['all'], ['few']],
      position: { skip: 0 },
      size: 16,
    });
    expect(page).toEqual({ ids: long.slice(-20, -4), more: true, total: 20, total_is_lower_bound: false });
    expect(table.read).toBeLessThan(1_000);
  });

  it('with two filters after a cursor is a few hundred', async () => {
    const odd = long.filter((_, at) => at % 2 === 1);
    const table = source({ all: long, odd });
    await pageOfPartitions(table, {
      groups: [['all'], ['odd']],
      position: { skip: 0, after: long[50_000]!, counted },
      size: 16,
    });
    expect(table.read).toBeLessThan(300);
  });
});

describe('ranges of ids in the table', () => {
  let dynamodb: TestDynamoDb;
  beforeAll(async () => {
    dynamodb = await startDynamoDb();
  });
  afterAll(() => dynamodb.close());

  it('are read and counted with the same limits, both included, newest first', async () => {
    const tenant = asTenantId('ranges');
    const table = new TenantTable(dynamodb.client, 'Core', tenant);
    const made = Array.from({ length: 9 }, () => uuidv7());
    for (const id of made) await table.put(facetKey(tenant, 'all', id));
    const { pk } = facetKey(tenant, 'all', '');
    const range = { pk, from: made[2]!, upTo: made[7]! };

    const all = await table.ids({ ...range, limit: 100 });
    expect(all).toEqual({ ids: made.slice(2, 8).toReversed(), next: undefined });
    const some = await table.ids({ ...range, limit: 4 });
    expect(some.ids).toEqual(made.slice(4, 8).toReversed());
    expect((await table.ids({ ...range, upTo: some.next, limit: 100 })).ids).toEqual([made[3], made[2]]);
    expect(await table.countIds({ ...range, limit: 4 })).toEqual({ count: 4, next: some.next });
    expect(await table.countIds({ pk, from: made[7]!, limit: 100 })).toEqual({ count: 2, next: undefined });
    expect(await idSource(dynamodb.client, 'Core').countIds({ pk, limit: 100 })).toMatchObject({ count: 9 });
  });

  it('are not visible to another tenant', async () => {
    const table = new TenantTable(dynamodb.client, 'Core', asTenantId('stranger'));
    const foreign = { pk: 'T#ranges#IX#all', limit: 1 };
    await expect(table.ids(foreign)).rejects.toThrow('outside of the tenant');
    await expect(table.countIds(foreign)).rejects.toThrow('outside of the tenant');
  });
});
