/** The operations that the contract says are planned: to be emptied, one engine after another. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type PlannedId, plannedOperations } from '../../contract/kit/planned.ts';
import { english, spanish, type Tenant } from '../support/api.ts';
import { startTestApi } from '../support/test-api.ts';

/** Ids by the placeholders that name them. */
let ids: Record<string, string>;

/** createChannelAsset is tested with channels. */
type Tested = Exclude<PlannedId, 'createChannelAsset'>;

/** A sound request for each, at a state of the store in which only the engine is missing. */
const requests: Record<Tested, [method: string, path: string, body: () => object]> = {
  publishClip: ['POST', '/v1/clips/{clip}/publish', () => ({ platform: 'youtube' })],
  nlSearch: ['POST', '/v1/nl_search', () => ({ query: 'applause', asset_id: ids.asset })],
};

const names = Object.keys(requests) as Tested[];

const api = await startTestApi();
const acme = await api.tenant('acme');

beforeAll(async () => {
  const asset = await acme.readyAsset({ languages: [english, spanish] });
  const made = await acme.call('POST', `/v1/assets/${asset}/video_clips`, { video_clips: [{}] });
  const clip = made.json.data[0].video_clip_id;
  ids = { asset, clip };
});

const send = (name: Tested, tenant: Tenant, body?: object) => {
  const [method, path, sound] = requests[name];
  const filled = path.replace(/\{(\w+)\}/g, (_, id) => ids[id]!);
  return tenant.call(method, filled, body ?? sound());
};

describe('planned operations', () => {
  it('all have a request in this test', () => {
    const planned = plannedOperations().map(({ id }) => id);
    expect(planned.sort()).toEqual([...names, 'createChannelAsset'].sort());
  });

  it.each(names)(
    'answer a valid request with 501 not_implemented, and say what is planned: %s',
    async (name) => {
      const reply = await send(name, acme);
      expect([reply.status, reply.json.code]).toEqual([501, 'not_implemented']);
      const { planned } = plannedOperations().find(({ id }) => id === name)!;
      expect(reply.json.detail).toBe(`${planned} is not implemented yet. The request is valid.`);
      expect(reply.headers['Content-Type']).toBe('application/problem+json');
    },
  );

  it.each(names)('refuse unknown members: %s', async (name) => {
    const reply = await send(name, acme, { ...requests[name][2](), surprise: 1 });
    expect([reply.status, reply.json.errors[0].pointer]).toEqual([422, '/surprise']);
  });

  it('refuse search samples with invalid base64 or another media type', async () => {
    const body = (image: object) => ({ query: 'x', image });
    const good = await send('nlSearch', acme, body({ media_type: 'image/png', data_base64: 'iVBORw0KGgo=' }));
    expect(good.status).toBe(501);
    const text = await send('nlSearch', acme, body({ media_type: 'image/png', data_base64: 'no base64!' }));
    expect(text.json.errors[0].pointer).toBe('/image/data_base64');
    const pdf = await send('nlSearch', acme, body({ media_type: 'image/pdf', data_base64: 'iVBORw0KGgo=' }));
    expect(pdf.json.errors[0].pointer).toBe('/image/media_type');
    const half = 'A'.repeat((2.1 * 2 ** 20 * 4) / 3 - (((2.1 * 2 ** 20 * 4) / 3) % 4));
    const [image, audio] = ['image/png', 'audio/wav'].map((media_type) => ({
      media_type,
      data_base64: half,
    }));
    expect((await send('nlSearch', acme, { query: 'x', image })).status).toBe(501);
    const both = await send('nlSearch', acme, { query: 'x', image, audio });
    expect(both.json.errors[0]).toMatchObject({ pointer: '/audio/data_base64', code: 'too_long' });
  });
});
