/** Configuration in use cannot be deleted, and links that two resources show agree. */
import { describe, expect, it } from 'vitest';
import { english, spanish } from '../support/api.ts';
import { startTestApi } from '../support/test-api.ts';

const api = await startTestApi();
const own = await api.tenant('acme');

async function made(path: string, body: object): Promise<string> {
  const { status, headers, text } = await own.call('POST', path, body);
  expect(status, text).toBe(201);
  return headers.Location!;
}
const idOf = (path: string) => path.split('/').at(-1)!;
const read = async (path: string) => (await own.call('GET', path)).json;

const template = () => made('/v1/templates', { name: 'T' });
const collection = (members: object = {}) => made('/v1/collections', { name: 'C', ...members });
const style = () =>
  made('/v1/branding_subtitle_styles', { name: 'S', font_family: 'Inter', text_color: '#000000' });
const file = (path: string) => made(path, { name: 'F', filename: 'f.mp4' });
const push = { protocol: 'rtmp', mode: 'push' };
const about = (id: string) => [{ field: 'collection_id', op: 'in', value: [id] }];

interface Use {
  readonly target: () => Promise<string>;
  /** Creates a user of the target. Returns the change that ends the use, or none if only deletion ends it. */
  readonly user: (id: string) => Promise<string>;
  readonly ended?: object;
}

const variant = (members: object) => async () => {
  const branding = await made('/v1/brandings', { name: 'B' });
  return made(`${branding}/variants`, { aspect_ratio: '1:1', ...members });
};

const uses: readonly (readonly [string, Use])[] = [
  [
    'a template by a collection',
    { target: template, user: (template_id) => collection({ template_id }), ended: { template_id: null } },
  ],
  [
    'a template by a channel',
    {
      target: template,
      user: (template_id) => made('/v1/channels', { name: 'C', source: push, template_id }),
    },
  ],
  [
    'a collection by a channel',
    {
      target: collection,
      user: (collection_id) => made('/v1/channels', { name: 'C', source: push, collection_id }),
    },
  ],
  [
    'a collection by a view',
    {
      target: collection,
      user: (id) => made('/v1/views', { name: 'V', filter_params: about(id) }),
      ended: { filter_params: [{ field: 'sentiment', op: 'eq', value: 'Neutral' }] },
    },
  ],
  [
    'a subtitle style by a branding',
    {
      target: style,
      user: (subtitle_style_id) => made('/v1/brandings', { name: 'B', subtitle_style_id }),
      ended: { subtitle_style_id: null },
    },
  ],
  [
    'an overlay by a variant',
    {
      target: () => file('/v1/branding_overlays'),
      user: (overlay_id) => variant({ overlay_id })(),
      ended: { overlay_id: null },
    },
  ],
  [
    'a branding clip by a variant that begins and ends with it',
    {
      target: () => file('/v1/branding_clips'),
      user: (id) => variant({ intro_id: id, outro_id: id })(),
      ended: { intro_id: null, outro_id: null },
    },
  ],
];

describe('configuration in use', () => {
  it.each(uses)('is not deleted, and the error names the user: %s', async (_, { target, user, ended }) => {
    const path = await target();
    const before = await read(path);
    const naming = await user(idOf(path));
    const refused = await own.call('DELETE', path);
    expect([refused.status, refused.json.code]).toEqual([409, 'invalid_state']);
    expect(refused.json.detail).toContain(naming);
    expect(await read(path)).toEqual(before);

    if (ended !== undefined) expect((await own.call('PATCH', naming, ended)).status).toBe(200);
    else await own.call('DELETE', naming);
    expect((await own.call('DELETE', path)).status).toBe(204);
  });

  it.each(uses)('can be deleted after its user: %s', async (_, { target, user }) => {
    const path = await target();
    expect((await own.call('DELETE', await user(idOf(path)))).status).toBe(204);
    expect((await own.call('DELETE', path)).status).toBe(204);
    expect(await own.table.queryAll({ pk: `T#acme#USES#${path.split('/')[2]}#${idOf(path)}` })).toEqual([]);
  });

  it('is reported with only a few of many users', async () => {
    const path = await template();
    for (let at = 0; at < 5; at += 1) await collection({ template_id: idOf(path) });
    const { detail } = (await own.call('DELETE', path)).json;
    expect(detail).toMatch(
      /in use by \/v1\/collections\/\S+, \/v1\/collections\/\S+, \/v1\/collections\/\S+ and 2 more\./,
    );
  });

  it('has one winner if it is deleted and used at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const path = await template();
      const [use, deletion] = await Promise.all([
        own.call('POST', '/v1/collections', { name: 'C', template_id: idOf(path) }),
        own.call('DELETE', path),
      ]);
      const isThere = (await own.call('GET', path)).status === 200;
      expect([use.status, deletion.status]).toEqual(isThere ? [201, 409] : [422, 204]);
      if (!isThere) expect(use.json.code).toBe('unknown_reference');
    }
  });

  it('can be deleted if only assets and clips refer to it', async () => {
    const path = await template();
    const asset = await made('/v1/assets', { filename: 'a.mp4', template_id: idOf(path) });
    expect((await own.call('DELETE', path)).status).toBe(204);
    expect((await read(asset)).template_id).toBe(idOf(path));
  });

  it('still applies to the jobs of its assets after it was deleted', async () => {
    const path = await made('/v1/templates', { name: 'T', voice_over_language_ids: [spanish] });
    const asset = await own.readyAsset({ template_id: idOf(path) });
    await own.transcribed(asset, ['The house is red.']);
    await own.transcribed(asset, ['La casa es roja.'], { source: 'translated', language_id: spanish });
    expect((await own.call('DELETE', path)).status).toBe(204);
    const { status, json } = await own.call('POST', `/v1/assets/${asset}/process_voice_over_jobs`, {});
    expect([status, json.items?.[0]?.language_id]).toEqual([202, spanish]);
    expect((await own.call('GET', path)).status).toBe(404);
    const again = await own.call('POST', '/v1/assets', { filename: 'a.mp4', template_id: idOf(path) });
    expect(again.json.code).toBe('unknown_reference');
  });
});

describe('a branding', () => {
  it('has one variant for each aspect ratio', async () => {
    const variants = `${await made('/v1/brandings', { name: 'B' })}/variants`;
    const wide = await made(variants, { aspect_ratio: '16:9' });
    const tall = await made(variants, { aspect_ratio: '9:16' });
    const clash = {
      status: 409,
      code: 'invalid_state',
      errors: [{ pointer: '/aspect_ratio', code: 'not_unique' }],
    };
    const again = await own.call('POST', variants, { aspect_ratio: '16:9' });
    expect(again.json).toMatchObject(clash);
    expect(again.json.detail).toContain(idOf(wide));
    expect((await own.call('PATCH', tall, { aspect_ratio: '16:9' })).json).toMatchObject(clash);
    expect((await own.call('PATCH', tall, { aspect_ratio: '9:16' })).status).toBe(200);

    await own.call('PATCH', wide, { aspect_ratio: '1:1' });
    expect((await own.call('PATCH', tall, { aspect_ratio: '16:9' })).status).toBe(200);
    await own.call('DELETE', wide);
    await made(variants, { aspect_ratio: '1:1' });
  });

  it('deletes its variants, and releases the files that they use', async () => {
    const overlay = await file('/v1/branding_overlays');
    const branding = await made('/v1/brandings', { name: 'B' });
    for (const aspect_ratio of ['9:16', '1:1', '4:5', '16:9', '4:3', '3:4']) {
      await made(`${branding}/variants`, { aspect_ratio, overlay_id: idOf(overlay) });
    }
    expect((await own.call('DELETE', branding)).status).toBe(204);
    expect(await own.table.queryAll({ pk: `T#acme#BR#${idOf(branding)}` })).toEqual([]);
    expect((await own.call('DELETE', overlay)).status).toBe(204);
  });

  it('keeps no variant that is created during its deletion', async () => {
    for (let round = 0; round < 10; round += 1) {
      const branding = await made('/v1/brandings', { name: 'B' });
      const [variant, deletion] = await Promise.all([
        own.call('POST', `${branding}/variants`, { aspect_ratio: '1:1' }),
        own.call('DELETE', branding),
      ]);
      expect([201, 404]).toContain(variant.status);
      expect(deletion.status).toBe(204);
      expect(await own.table.queryAll({ pk: `T#acme#BR#${idOf(branding)}` })).toEqual([]);
    }
  });
});

describe.each([
  ['/v1/blacklists', 'blacklist_ids', { name: 'B', words: ['a'], language_id: english }],
  ['/v1/whitelists', 'whitelist_ids', { name: 'W', words: ['a'] }],
  ['/v1/dictionaries', 'domain_dictionary_ids', { name: 'D', dictionary: { a: ['b'] } }],
])('the template of an item of %s and the member %s of the template', (path, member, body) => {
  const list = (members: object = {}) => made(path, { ...body, ...members });
  const holderOf = async (one: string) => (await read(one)).template_id;
  const listsOf = async (one: string) => (await read(one))[member];

  it('always agree, whichever of the two a request sets', async () => {
    const [one, other] = [await list(), await list()];
    const holder = await made('/v1/templates', { name: 'T', [member]: [idOf(one)] });
    expect(await holderOf(one)).toBe(idOf(holder));
    await own.call('PATCH', other, { template_id: idOf(holder) });
    expect(await listsOf(holder)).toEqual([idOf(one), idOf(other)]);
    const third = await list({ template_id: idOf(holder) });
    expect(await listsOf(holder)).toEqual([idOf(one), idOf(other), idOf(third)]);

    await own.call('PATCH', holder, { [member]: [idOf(third), idOf(one)] });
    expect([await holderOf(one), await holderOf(other), await holderOf(third)]).toEqual([
      idOf(holder),
      null,
      idOf(holder),
    ]);
    await own.call('PATCH', one, { template_id: null });
    expect(await listsOf(holder)).toEqual([idOf(third)]);
  });

  it('change the versions of both resources', async () => {
    const one = await list();
    const holder = await template();
    const etags = async () => [
      (await own.call('GET', one)).headers.ETag,
      (await own.call('GET', holder)).headers.ETag,
    ];
    expect(await etags()).toEqual(['"1"', '"1"']);
    await own.call('PATCH', one, { template_id: idOf(holder) });
    expect(await etags()).toEqual(['"2"', '"2"']);
    await own.call('PATCH', holder, { [member]: [] });
    expect(await etags()).toEqual(['"3"', '"3"']);
  });

  it('are many: several templates can use an item, and a template_id that the item gets replaces all of them', async () => {
    const one = await list();
    const holders: string[] = [];
    for (let at = 0; at < 5; at += 1)
      holders.push(await made('/v1/templates', { name: 'T', [member]: [idOf(one)] }));
    const templates = async () => {
      const { template_id, template_ids } = await read(one);
      expect(template_id).toBe(template_ids[0] ?? null);
      return template_ids;
    };
    expect(await templates()).toEqual(holders.map(idOf));
    expect((await own.call('DELETE', one)).json.detail).toMatch(/ and 2 more\./);
    await own.call('PATCH', one, { name: 'Other', template_id: idOf(holders[0]!) });
    expect(await templates()).toEqual(holders.map(idOf));
    await own.call('PATCH', holders[1]!, { [member]: [] });
    await own.call('DELETE', holders[2]!);
    expect(await templates()).toEqual([0, 3, 4].map((at) => idOf(holders[at]!)));
    await own.call('PATCH', one, { template_id: idOf(holders[3]!) });
    expect(await templates()).toEqual([idOf(holders[3]!)]);
    expect([await listsOf(holders[0]!), await listsOf(holders[4]!)]).toEqual([[], []]);
    await own.call('PATCH', one, { template_ids: [idOf(holders[0]!), idOf(holders[4]!)] });
    expect(await templates()).toEqual([0, 4].map((at) => idOf(holders[at]!)));
    expect([await listsOf(holders[3]!), await listsOf(holders[4]!)]).toEqual([[], [idOf(one)]]);
    const unknown = await own.call('PATCH', one, { template_ids: [idOf(one)] });
    expect(unknown.json.errors[0]).toMatchObject({ pointer: '/template_ids/0' });
    await own.call('PATCH', one, { template_id: null });
    expect([await templates(), await listsOf(holders[0]!)]).toEqual([[], []]);
    expect((await own.call('DELETE', one)).status).toBe(204);
  });

  it('are cleared when the template is deleted; the item can be deleted only outside of a template', async () => {
    const one = await list();
    const holder = await made('/v1/templates', { name: 'T', [member]: [idOf(one)] });
    const refused = await own.call('DELETE', one);
    expect([refused.status, refused.json.code]).toEqual([409, 'invalid_state']);
    expect(refused.json.detail).toContain(holder);
    expect((await own.call('DELETE', holder)).status).toBe(204);
    expect(await holderOf(one)).toBeNull();
    expect((await own.call('DELETE', one)).status).toBe(204);
  });

  it('agree after concurrent changes on both sides', async () => {
    const lists = await Promise.all(Array.from({ length: 4 }, () => list()));
    const holders = [await template(), await template()];
    await Promise.all([
      ...lists.map((one, at) => own.call('PATCH', one, { template_id: idOf(holders[at % 2]!) })),
      ...holders.map((one) => own.call('PATCH', one, { [member]: lists.slice(0, 2).map(idOf) })),
    ]);
    for (const holder of holders) {
      const listed: string[] = await listsOf(holder);
      for (const one of lists) {
        expect(listed.includes(idOf(one))).toBe((await read(one)).template_ids.includes(idOf(holder)));
      }
    }
  });

  it('are limited to sixteen items for each template', async () => {
    const holder = await template();
    for (let at = 0; at < 16; at += 1) await list({ template_id: idOf(holder) });
    const more = await own.call('POST', path, { ...body, template_id: idOf(holder) });
    expect(more.json).toMatchObject({ code: 'invalid_state', errors: [{ pointer: '/template_id' }] });
    const fresh = await Promise.all(Array.from({ length: 16 }, () => list()));
    expect((await own.call('PATCH', holder, { [member]: fresh.map(idOf) })).status).toBe(200);
    expect((await own.call('DELETE', holder)).status).toBe(204);
  });
});
