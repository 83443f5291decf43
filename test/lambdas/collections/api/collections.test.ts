import { describe, expect, it, vi } from 'vitest';
import { CollectionMembers } from '../../../../lambdas/collections/records/collection-members.ts';
import { Executions } from '../../../../platform/state-machines/executions.ts';
import { type IdEnds, type Position, pageOfPartitions } from '../../../../platform/table/id-pages.ts';
import { facetPartition } from '../../../../platform/table/keys.ts';
import { TenantTable, type Write } from '../../../../platform/table/tenant-table.ts';
import { runStep } from '../../../support/run-step.ts';
import { startTestApi } from '../../../support/test-api.ts';

const missing = '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11';

const api = await startTestApi();
const own = await api.tenant('acme');

const collection = async (body: object = {}): Promise<string> =>
  (await own.call('POST', '/v1/collections', { name: 'C', ...body })).json.collection_id;
const assets = (count: number) => Promise.all(Array.from({ length: count }, () => own.readyAsset()));
const add = (id: string, asset_ids: string[]) =>
  own.call('POST', `/v1/collections/${id}/assets`, { asset_ids });
const remove = (id: string, asset_ids: string[]) =>
  own.call('DELETE', `/v1/collections/${id}/assets`, { asset_ids });
const listed = async (id: string): Promise<string[]> =>
  (await own.call('GET', `/v1/assets?items=100&collection_id=${id}`)).json.data.map(
    ({ asset_id }: { asset_id: string }) => asset_id,
  );
const collectionOf = async (asset: string) =>
  (await own.call('GET', `/v1/assets/${asset}`)).json.collection_id;

describe('a collection', () => {
  it('is created, changed and listed', async () => {
    const { template_id } = (await own.call('POST', '/v1/templates', { name: 'T' })).json;
    const id = await collection({ template_id });
    const changed = await own.call('PATCH', `/v1/collections/${id}`, { template_id: null });
    expect(changed.json).toMatchObject({ collection_id: id, name: 'C', template_id: null });
    expect((await own.call('GET', '/v1/collections')).json.data[0].collection_id).toBe(id);
  });

  it('sets its template for assets that are added without one', async () => {
    const { template_id } = (await own.call('POST', '/v1/templates', { name: 'T' })).json;
    const collection_id = await collection({ template_id });
    const made = await own.call('POST', '/v1/assets', { filename: 'a.mp4', collection_id });
    expect(made.json).toMatchObject({ collection_id, template_id });
    expect(await listed(collection_id)).toEqual([made.json.asset_id]);
  });
});

describe('assets of a collection', () => {
  it('are added, up to a hundred in one request, and found by the filter of the list', async () => {
    const [id, members] = [await collection(), await assets(100)];
    expect((await add(id, members)).status).toBe(204);
    expect((await listed(id)).sort()).toEqual(members.sort());
    expect(await collectionOf(members[0]!)).toBe(id);
    expect((await remove(id, members)).status).toBe(204);
    expect(await listed(id)).toEqual([]);
  });

  it('can be added and removed repeatedly', async () => {
    const [id, [asset]] = [await collection(), await assets(1)];
    for (let time = 0; time < 2; time += 1) expect((await add(id, [asset!])).status).toBe(204);
    const { version } = (await own.table.get({ pk: `T#acme#A#${asset}`, sk: 'META' })) as never;
    expect(version).toBe(2);
    for (let time = 0; time < 2; time += 1) expect((await remove(id, [asset!])).status).toBe(204);
    expect(await collectionOf(asset!)).toBeNull();
  });

  it('leave their collection when they are added to another', async () => {
    const [from, to, [asset]] = [await collection(), await collection(), await assets(1)];
    await add(from, [asset!]);
    await add(to, [asset!]);
    expect([await listed(from), await listed(to)]).toEqual([[], [asset]]);
    await remove(from, [asset!]);
    expect(await collectionOf(asset!)).toBe(to);
  });

  it('must all exist; otherwise none is added', async () => {
    const [id, [asset]] = [await collection(), await assets(1)];
    const reply = await add(id, [asset!, missing]);
    expect([reply.status, reply.json.code]).toEqual([422, 'unknown_reference']);
    expect(reply.json.errors).toMatchObject([{ pointer: '/asset_ids/1' }]);
    expect(await listed(id)).toEqual([]);
  });

  it('must be 1 to 100 different ids in each request', async () => {
    const id = await collection();
    const many = Array.from({ length: 101 }, (_, at) => missing.slice(0, -3) + String(at).padStart(3, '0'));
    for (const ids of [[], many, [missing, missing]]) expect((await add(id, ids)).status).toBe(422);
  });

  it('match the list after concurrent changes', async () => {
    const [one, two, members] = [await collection(), await collection(), await assets(4)];
    await Promise.all([
      ...members.map((asset) => add(one, [asset])),
      add(two, members),
      remove(one, members),
      ...members.map((asset) => own.call('POST', `/v1/assets/${asset}/speakers`, { name: 'Ada' })),
    ]);
    const lists = { [one]: await listed(one), [two]: await listed(two) };
    for (const asset of members) {
      const standing = Object.keys(lists).filter((id) => lists[id]!.includes(asset));
      const says = await collectionOf(asset);
      expect(standing).toEqual(says === null ? [] : [says]);
    }
  });
});

describe('a request during concurrent changes', () => {
  /** A table on which other requests always change these assets first. */
  class Busy extends TenantTable {
    busy: readonly string[] = [];

    override async transact(writes: readonly Write[]): Promise<void> {
      for (const asset of this.busy) {
        const touches = writes.some((write) => 'update' in write && write.update.key.pk.endsWith(asset));
        if (touches) await super.update({ key: keyOf(asset), expression: 'ADD version :one', values });
      }
      await super.transact(writes);
    }
  }
  const values = { one: 1 };
  const keyOf = (asset: string) => ({ pk: `T#acme#A#${asset}`, sk: 'META' });

  it('changes the other assets, and names those for which the request must be repeated', async () => {
    const [id, members] = [await collection(), await assets(40)];
    const table = new Busy(api.environment.client, 'Core', own.id);
    table.busy = [members[3]!, members[38]!];
    const busily = new CollectionMembers(table, own.id);
    await expect(busily.add(id, members, new Date())).rejects.toMatchObject({
      code: 'write_conflict',
      detail: expect.stringContaining('2 of 40'),
      findings: [{ pointer: '/asset_ids/3' }, { pointer: '/asset_ids/38' }],
    });
    const done = members.filter((asset) => !table.busy.includes(asset));
    expect((await listed(id)).toSorted()).toEqual(done.toSorted());
    expect(await collectionOf(members[3]!)).toBeNull();
    expect((await add(id, members)).status).toBe(204);
    expect((await listed(id)).toSorted()).toEqual(members.toSorted());
  });

  it('succeeds after the other changes end', async () => {
    const [id, members] = [await collection(), await assets(40)];
    const table = new Busy(api.environment.client, 'Core', own.id);
    table.busy = [members[0]!];
    setTimeout(() => {
      table.busy = [];
    }, 50);
    await new CollectionMembers(table, own.id).add(id, members, new Date());
    expect((await listed(id)).toSorted()).toEqual(members.toSorted());
  });
});

describe('a deleted collection', () => {
  it('accepts no assets, and releases the ones it had', async () => {
    const started = vi.spyOn(Executions.prototype, 'start').mockResolvedValue();
    const [id, members] = [await collection(), await assets(35)];
    await add(id, members);
    expect((await own.call('DELETE', `/v1/collections/${id}`)).status).toBe(204);
    expect(started.mock.calls.map(([, input]) => input)).toMatchObject([
      { tenant: 'acme', collection_id: id },
    ]);
    expect((await add(id, members)).status).toBe(404);
    const late = await own.call('POST', '/v1/assets', { filename: 'a', collection_id: id });
    expect(late.json.code).toBe('unknown_reference');
    await runStep('empty-collection', { tenant: 'acme', collection_id: id });
    expect(await listed(id)).toEqual([]);
    expect(await collectionOf(members[0]!)).toBeNull();
    started.mockRestore();
  });

  it('keeps its assets if the deletion failed', async () => {
    const [id, members] = [await collection(), await assets(1)];
    await add(id, members);
    await new CollectionMembers(own.table, own.id).removeAll(id, new Date());
    expect(await listed(id)).toEqual(members);
  });

  it('still exists if If-Match has the ETag of another version', async () => {
    const started = vi.spyOn(Executions.prototype, 'start').mockResolvedValue();
    const id = await collection();
    const reply = await own.call('DELETE', `/v1/collections/${id}`, undefined, { 'if-match': '"7"' });
    expect(reply.status).toBe(412);
    expect(started).not.toHaveBeenCalled();
    started.mockRestore();
  });
});

describe('a view', () => {
  it('lists what its conditions match, also with other filters and in pages', async () => {
    const tenant = await api.tenant('viewer');
    const ids: string[] = [];
    for (let at = 0; at < 4; at += 1) ids.push(await tenant.readyAsset());
    const [a, b] = [
      (await tenant.call('POST', '/v1/collections', { name: 'A' })).json.collection_id,
      (await tenant.call('POST', '/v1/collections', { name: 'B' })).json.collection_id,
    ];
    await tenant.call('POST', `/v1/collections/${a}/assets`, { asset_ids: [ids[0], ids[2]] });
    await tenant.call('POST', `/v1/collections/${b}/assets`, { asset_ids: [ids[3]] });
    const view = async (filter_params: object[]) =>
      (await tenant.call('POST', '/v1/views', { name: 'V', filter_params })).json.view_id;
    const shown = async (query: string) =>
      (await tenant.call('GET', `/v1/assets?${query}`)).json.data.map(
        ({ asset_id }: { asset_id: string }) => asset_id,
      );
    const either = await view([{ field: 'collection_id', op: 'in', value: [a, b] }]);
    expect(await shown(`view_id=${either}`)).toEqual([ids[3], ids[2], ids[0]]);
    expect(await shown(`view_id=${either}&collection_id=${a}`)).toEqual([ids[2], ids[0]]);
    const first = (await tenant.call('GET', `/v1/assets?view_id=${either}&items=2`)).json;
    expect(first).toMatchObject({ total: 3 });
    expect(await shown(`view_id=${either}&items=2&cursor=${first.next_cursor}`)).toEqual([ids[0]]);
    const future = new Date(Date.now() + 3_600_000).toISOString();
    const past = new Date(Date.now() - 3_600_000).toISOString();
    const time = (op: string, value: string) => ({ field: 'created_at', op, value });
    expect(await shown(`view_id=${await view([time('gte', future)])}`)).toEqual([]);
    expect(await shown(`view_id=${await view([time('lte', past)])}`)).toEqual([]);
    expect(await shown(`view_id=${await view([time('gte', past), time('lte', future)])}`)).toHaveLength(4);
  });

  it('lists nothing if its first time is after its last, also with other filters and on later pages', async () => {
    const tenant = await api.tenant('backwards');
    const { collection_id } = (await tenant.call('POST', '/v1/collections', { name: 'A' })).json;
    await tenant.call('POST', `/v1/collections/${collection_id}/assets`, {
      asset_ids: [await tenant.readyAsset()],
    });
    const filter_params = [
      { field: 'created_at', op: 'gte', value: '2027-01-01T00:00:00Z' },
      { field: 'created_at', op: 'lte', value: '2020-01-01T00:00:00Z' },
    ];
    const { view_id } = (await tenant.call('POST', '/v1/views', { name: 'V', filter_params })).json;
    for (const query of ['', '&sentiment=Positive', `&collection_id=${collection_id}`, '&page=2']) {
      const { status, json } = await tenant.call('GET', `/v1/assets?view_id=${view_id}${query}`);
      expect({ query, status, ...json }).toMatchObject({ query, status: 200, data: [], total: 0 });
    }
  });

  it('continues to the end of its times if the previous page ended with the smallest possible id', async () => {
    const pk = facetPartition(own.id, 'range-test');
    const ids = [3, 4, 5].map((at) => `0000000${at}-0000-0000-0000-000000000000`);
    for (const sk of ids) await own.table.put({ pk, sk });
    const page = (position: Position, ends: IdEnds, size = 2) =>
      pageOfPartitions(own.table, { groups: [[pk]], position, size, ends });
    const ends = { first: ids[1]!, last: ids[2]! };
    expect(await page({ skip: 0 }, ends)).toMatchObject({ ids: [ids[2], ids[1]], more: false, total: 2 });
    expect(await page({ skip: 0, after: ids[1]! }, ends)).toMatchObject({ ids: [], more: false });
    expect(await page({ skip: 0 }, { first: ids[2]!, last: ids[0]! })).toMatchObject({ ids: [], total: 0 });
  });
});
