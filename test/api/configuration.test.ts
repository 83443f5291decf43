/** Promises of every configuration resource, tested with one body of each. */
import { describe, expect, it } from 'vitest';
import { english } from '../support/api.ts';
import { startTestApi } from '../support/test-api.ts';

const api = await startTestApi();
const own = await api.tenant('acme');
const stranger = await api.tenant('other');

const missing = '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11';

interface Row {
  readonly path: string;
  readonly id: string;
  readonly body: Record<string, unknown>;
  readonly change: Record<string, unknown>;
  /** An optional member, a value for it, and its value after `null`. */
  readonly optional: readonly [member: string, value: unknown, cleared: unknown];
}

const rows: Row[] = [
  {
    path: '/v1/external_storages',
    id: 'external_storage_id',
    body: { name: 'Archive', type: 'dummy' },
    change: { name: 'Vault' },
    optional: ['export_path', 'a/{asset_id}', null],
  },
  {
    path: '/v1/templates',
    id: 'template_id',
    body: { name: 'News', enabled_ocr: true },
    change: { translation_language_ids: [english] },
    optional: [
      'voice_over_config',
      { clone_voice: true, mute_original_voice: true },
      { clone_voice: false, mute_original_voice: false },
    ],
  },
  {
    path: '/v1/brandings',
    id: 'branding_id',
    body: { name: 'Evening' },
    change: { name: 'Morning' },
    optional: ['subtitle_style_id', 'STYLE', null],
  },
  {
    path: '/v1/branding_subtitle_styles',
    id: 'style_id',
    body: { name: 'Bold', font_family: 'Inter', text_color: '#FFFFFF' },
    change: { font_size_px: 40 },
    optional: ['stroke_color', '#123456', '#000000'],
  },
  {
    path: '/v1/blacklists',
    id: 'blacklist_id',
    body: { name: 'Mild', words: ['darn'], language_id: english },
    change: { words: ['heck'] },
    optional: ['template_id', 'TEMPLATE', null],
  },
  {
    path: '/v1/whitelists',
    id: 'whitelist_id',
    body: { name: 'House', words: ['Kinora'] },
    change: { words: ['Zoetrope', 'Kinora'] },
    optional: ['template_id', 'TEMPLATE', null],
  },
  {
    path: '/v1/dictionaries',
    id: 'dictionary_id',
    body: { name: 'Newsroom', dictionary: { VO: ['voice over'], constructor: ['builder'] } },
    change: { dictionary: { SOT: ['sound on tape'] } },
    optional: ['template_id', 'TEMPLATE', null],
  },
  {
    path: '/v1/views',
    id: 'view_id',
    body: { name: 'Good', filter_params: [{ field: 'sentiment', op: 'eq', value: 'Positive' }] },
    change: { filter_params: [{ field: 'speakers', op: 'in', value: ['Ada'] }] },
    optional: ['name', 'Other', 'Other'],
  },
];

/** Replaces placeholders of ids with ids of existing resources. */
async function real(value: unknown): Promise<unknown> {
  if (value === 'TEMPLATE') return (await own.call('POST', '/v1/templates', { name: 'T' })).json.template_id;
  if (value !== 'STYLE') return value;
  const style = { name: 'S', font_family: 'Inter', text_color: '#000000' };
  return (await own.call('POST', '/v1/branding_subtitle_styles', style)).json.style_id;
}

describe.each(rows)('$path', ({ path, id, body, change, optional: [member, value, cleared] }) => {
  const make = async (headers: Record<string, string> = {}) => own.call('POST', path, body, headers);

  it('creates with 201, Location and ETag, and returns the given members', async () => {
    const made = await make();
    expect(made.status).toBe(201);
    expect(made.headers.Location).toBe(`${path}/${made.json[id]}`);
    expect(made.json).toMatchObject({
      ...body,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const read = await own.call('GET', `${path}/${made.json[id]}`);
    expect(read.json).toEqual(made.json);
    expect(read.headers.ETag).toBe(made.headers.ETag);
  });

  it('answers 304 as long as the ETag is current', async () => {
    const made = await make();
    const headers = { 'if-none-match': made.headers.ETag! };
    expect((await own.call('GET', `${path}/${made.json[id]}`, undefined, headers)).status).toBe(304);
  });

  it('creates only once for the same Idempotency-Key', async () => {
    const [one, two] = [
      await make({ 'idempotency-key': `k ${path}`.replace(' ', '') }),
      await make({ 'idempotency-key': `k${path}` }),
    ];
    expect(two.json[id]).toBe(one.json[id]);
  });

  it('changes the members that PATCH contains and keeps the others', async () => {
    const made = (await make()).json;
    const changed = await own.call('PATCH', `${path}/${made[id]}`, change);
    expect(changed.status).toBe(200);
    const { updated_at: _, ...rest } = { ...made, ...change };
    expect(changed.json).toMatchObject(rest);
    expect(changed.headers.ETag).not.toBe(undefined);
    expect((await own.call('GET', `${path}/${made[id]}`)).json).toEqual(changed.json);
  });

  it('refuses a PATCH and a DELETE with the ETag of another version in If-Match', async () => {
    const made = await make();
    const item = `${path}/${made.json[id]}`;
    await own.call('PATCH', item, change, { 'if-match': made.headers.ETag! });
    const late = await own.call('PATCH', item, change, { 'if-match': made.headers.ETag! });
    expect([late.status, late.json.code]).toEqual([412, 'precondition_failed']);
    const removal = await own.call('DELETE', item, undefined, { 'if-match': made.headers.ETag! });
    expect(removal.status).toBe(412);
  });

  it('resets an optional member with null', async () => {
    const made = (await make()).json;
    const given = await real(value);
    const set = await own.call('PATCH', `${path}/${made[id]}`, { [member]: given });
    expect(set.json[member]).toEqual(given);
    if (member === 'name') return;
    const back = await own.call('PATCH', `${path}/${made[id]}`, { [member]: null });
    expect(back.json[member]).toEqual(cleared);
  });

  it('rejects null for a required member, and unknown members', async () => {
    const made = (await make()).json;
    const [required] = Object.keys(body);
    const reply = await own.call('PATCH', `${path}/${made[id]}`, { [required!]: null, surprise: 1 });
    expect(reply.status).toBe(422);
    const codes = reply.json.errors.map(({ pointer, code }: Record<string, string>) => [pointer, code]);
    expect(codes).toContainEqual([`/${required}`, 'wrong_type']);
    expect(codes).toContainEqual(['/surprise', 'unknown_member']);
  });

  it('loses no change if many requests come together', async () => {
    const made = await make();
    const names = Array.from({ length: 5 }, (_, at) => `Name ${at}`);
    const replies = await Promise.all(
      names.map((name) => own.call('PATCH', `${path}/${made.json[id]}`, { name })),
    );
    const kept = replies.filter(({ status }) => status === 200);
    const { headers } = await own.call('GET', `${path}/${made.json[id]}`);
    expect(Number(headers.ETag!.replaceAll('"', ''))).toBe(1 + kept.length);
    for (const { status } of replies) expect([200, 409]).toContain(status);
  });

  it('deletes with 204, and then answers 404', async () => {
    const made = (await make()).json;
    const item = `${path}/${made[id]}`;
    expect((await own.call('DELETE', item)).status).toBe(204);
    expect((await own.call('GET', item)).status).toBe(404);
    expect((await own.call('DELETE', item)).status).toBe(404);
  });

  it('lists only its own items, newest first, by page and by cursor', async () => {
    const lister = await api.tenant(`lister${path.replaceAll(/[^a-z]/g, '')}`);
    const ids: string[] = [];
    for (let at = 0; at < 3; at += 1) ids.push((await lister.call('POST', path, body)).json[id]);
    const first = await lister.call('GET', `${path}?items=2`);
    expect(first.json).toMatchObject({ page: 1, items: 2, total: 3, total_is_lower_bound: false });
    expect(first.json.data.map((item: Record<string, unknown>) => item[id])).toEqual([ids[2], ids[1]]);
    const second = await lister.call('GET', `${path}?items=2&cursor=${first.json.next_cursor}`);
    expect(second.json.data.map((item: Record<string, unknown>) => item[id])).toEqual([ids[0]]);
    expect((await lister.call('GET', `${path}?items=2&page=2`)).json.data).toEqual(second.json.data);
    await lister.call('DELETE', `${path}/${ids[1]}`);
    expect((await lister.call('GET', path)).json).toMatchObject({ page: 1, items: 16, total: 2 });
  });
});

describe('the body of a response', () => {
  it.each(rows)('can be sent back to $path', async ({ path, id, body }) => {
    const first = (await own.call('POST', path, body)).json;
    const {
      [id]: item,
      created_at: _,
      updated_at: __,
      authentication_fields: ___,
      missing: ____,
      aws_access: _____,
      ...shown
    } = first;
    const again = await own.call('POST', path, shown);
    expect(again.status, again.text).toBe(201);
    expect(again.json).toMatchObject(shown);
    const changed = await own.call('PATCH', `${path}/${item}`, shown);
    expect(changed.status, changed.text).toBe(200);
    expect(changed.json).toMatchObject(shown);
  });
});

describe('an error message states the expected format', () => {
  it.each([
    ['/v1/branding_subtitle_styles', { text_color: 'red' }, '/text_color', '#RRGGBB'],
    ['/v1/external_storages', { destination: { region: 'mars' } }, '/destination/region', 'eu-west-1'],
    [
      '/v1/external_storages',
      { authentication_data: { iam_role_arn: 'x' } },
      '/authentication_data/iam_role_arn',
      'ARN',
    ],
    ['/v1/templates', { blacklist_ids: ['x'] }, '/blacklist_ids/0', 'blacklist_ids/0 must be a UUID'],
    ['/v1/templates', { name: ' \u00a0' }, '/name', 'not blank'],
    ['/v1/templates', { name: 'a\u2028b' }, '/name', 'control characters'],
    ['/v1/assets', { filename: 'cod\u202e4pm.exe' }, '/filename', 'control characters'],
    ['/v1/assets', { filename: 'a.mp4', name: 'a\u2066b' }, '/name', 'control characters'],
    ['/v1/webhooks', { url: 'ftp://example.com/hook' }, '/url', 'begins with https://'],
    ['/v1/webhooks', { url: 'javascript:alert(1)' }, '/url', 'begins with https://'],
  ])('POST %s: %j', async (path, body, pointer, expected) => {
    const { errors } = (await own.call('POST', path, body)).json;
    expect(errors.find((error: { pointer: string }) => error.pointer === pointer).detail).toContain(expected);
  });
});

describe('references to other resources', () => {
  it('are checked one by one; the error for an item of a list contains its index', async () => {
    const whitelist = await own.call('POST', '/v1/whitelists', { name: 'W', words: ['a'] });
    const foreign = await stranger.call('POST', '/v1/blacklists', {
      name: 'B',
      words: ['a'],
      language_id: english,
    });
    const reply = await own.call('POST', '/v1/templates', {
      name: 'T',
      domain_dictionary_ids: [missing],
      whitelist_ids: [whitelist.json.whitelist_id],
      blacklist_ids: [foreign.json.blacklist_id],
      translation_language_ids: [english, missing],
    });
    expect([reply.status, reply.json.code]).toEqual([422, 'unknown_reference']);
    expect(reply.json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/domain_dictionary_ids/0',
      '/blacklist_ids/0',
      '/translation_language_ids/1',
    ]);
  });

  it('accept an id in any case, but only once', async () => {
    const clip = await own.call('POST', '/v1/whitelists', { name: 'W', words: ['a'] });
    const id = clip.json.whitelist_id;
    const twice = await own.call('POST', '/v1/templates', {
      name: 'T',
      whitelist_ids: [id.toUpperCase(), id],
    });
    expect(twice.json.errors).toMatchObject([{ pointer: '/whitelist_ids', code: 'duplicate' }]);
    const made = await own.call('POST', '/v1/templates', { name: 'T', whitelist_ids: [id.toUpperCase()] });
    expect(made.json.whitelist_ids).toEqual([id]);
  });

  it('are also checked in the filter of a view', async () => {
    const reply = await own.call('POST', '/v1/views', {
      name: 'V',
      filter_params: [
        { field: 'sentiment', op: 'eq', value: 'Neutral' },
        { field: 'collection_id', op: 'in', value: [missing] },
      ],
    });
    expect(reply.json.errors).toMatchObject([{ pointer: '/filter_params/1/value/0' }]);
  });
});

describe('variants of a branding', () => {
  it('are part of their branding, and are deleted with it', async () => {
    const { branding_id } = (await own.call('POST', '/v1/brandings', { name: 'B' })).json;
    const path = `/v1/brandings/${branding_id}/variants`;
    const made = await own.call('POST', path, { aspect_ratio: '9:16' });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({ branding_id, aspect_ratio: '9:16', overlay_id: null });
    const item = `${path}/${made.json.variant_id}`;
    expect(made.headers.Location).toBe(item);
    expect((await own.call('PATCH', item, { aspect_ratio: '1:1' })).json.aspect_ratio).toBe('1:1');
    expect((await own.call('GET', path)).json.total).toBe(1);
    await own.call('DELETE', `/v1/brandings/${branding_id}`);
    expect((await own.call('GET', path)).status).toBe(404);
    expect((await own.call('GET', item)).status).toBe(404);
    expect(await own.table.queryAll({ pk: `T#acme#BR#${branding_id}` })).toEqual([]);
  });
});

describe('word lists', () => {
  it('are rejected with 413 above 300 KB; smaller ones are stored completely', async () => {
    const words = (count: number) =>
      Array.from({ length: count }, (_, at) => `word ${at} ${'x'.repeat(180)}`);
    const large = await own.call('POST', '/v1/whitelists', { name: 'W', words: words(1600) });
    expect([large.status, large.json.code]).toEqual([413, 'payload_too_large']);
    const made = await own.call('POST', '/v1/whitelists', { name: 'W', words: words(1500) });
    expect(made.status).toBe(201);
    expect((await own.call('GET', `/v1/whitelists/${made.json.whitelist_id}`)).json.words).toHaveLength(1500);
  });

  it.each([
    ['/v1/whitelists', { words: ['Kinora', 'b', 'KINORA', ' b '] }, ['/words/2', '/words/3']],
    ['/v1/blacklists', { words: ['e\u0301', '\u00c9'], language_id: english }, ['/words/1']],
    ['/v1/dictionaries', { dictionary: { 'a/b': ['x'], 'A/B': ['y'] } }, ['/dictionary/A~1B']],
    ['/v1/dictionaries', { dictionary: { VO: ['Voice over', 'voice over'] } }, ['/dictionary/VO/1']],
  ])('contain each word only once, regardless of case, in %s: %j', async (path, members, pointers) => {
    const { status, json } = await own.call('POST', path, { name: 'W', ...members });
    expect(status).toBe(422);
    const found = json.errors.map(({ pointer, code }: Record<string, string>) => [pointer, code]);
    expect(found).toEqual(pointers.map((pointer) => [pointer, 'duplicate']));
  });

  it('appear in lists without their words', async () => {
    const lister = await api.tenant('words');
    await lister.call('POST', '/v1/whitelists', { name: 'W', words: ['a'] });
    const [item] = (await lister.call('GET', '/v1/whitelists')).json.data;
    expect(item).toMatchObject({ name: 'W', template_id: null });
    expect(item).not.toHaveProperty('words');
  });
});

describe('subtitle styles', () => {
  it('have the defaults of the specification', async () => {
    const { json } = await own.call('POST', '/v1/branding_subtitle_styles', {
      name: 'S',
      font_family: 'Inter',
      text_color: '#ABCDEF',
    });
    expect(json).toMatchObject({
      font_size_px: 26,
      font_weight: 600,
      line_height: 1.2,
      vertical_position_pct: 0.1,
      shadow_blur: 0,
      shadow_color: null,
      shadow_opacity_pct: 1,
      shadow_offset_x_px: 1,
      shadow_offset_y_px: 1,
      background_color: null,
      background_opacity: 0,
      stroke_color: '#000000',
      stroke_thickness_px: 0,
    });
  });

  it.each([
    ['text_color', 'red', 'invalid_format'],
    ['font_size_px', 26.5, 'wrong_type'],
    ['font_weight', 1001, 'too_large'],
    ['background_opacity', 1.1, 'too_large'],
    ['shadow_color', '#12345', 'invalid_format'],
  ])('reject %s with the value %j', async (member, value, code) => {
    const body = { name: 'S', font_family: 'Inter', text_color: '#000000', [member]: value };
    const reply = await own.call('POST', '/v1/branding_subtitle_styles', body);
    expect(reply.json.errors).toMatchObject([{ pointer: `/${member}`, code }]);
  });
});
