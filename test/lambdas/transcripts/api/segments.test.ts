import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AssetId } from '../../../../shared/ids.ts';
import { spanish } from '../../../support/api.ts';
import { startTestApi } from '../../../support/test-api.ts';
import { forgetAnswer } from './interrupted.ts';

const missing = '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11';

let asset: AssetId;

const api = await startTestApi();
const acme = await api.tenant('acme');

beforeAll(async () => {
  asset = await acme.readyAsset();
});

/** Creates a separate transcription for each test. */
async function transcription(texts = ['welcome to kinora', 'this is a test', 'good bye'], more: object = {}) {
  const id = await acme.transcribed(asset, texts, more);
  const path = `/v1/assets/${asset}/transcriptions/${id}`;
  const read = async () => (await acme.call('GET', path)).json;
  return { id, path, read, segments: (await read()).segments };
}

const edit = (path: string, ...segments: object[]) => acme.call('PATCH', `${path}/segments`, { segments });
const add = (path: string, ...segments: object[]) => acme.call('POST', `${path}/segments`, { segments });

const textsOf = ({ segments }: { segments: { text: string }[] }) => segments.map(({ text }) => text);
const pointersOf = ({ json }: { json: { errors: { pointer: string }[] } }) =>
  json.errors.map(({ pointer }) => pointer);

describe('PATCH …/segments', () => {
  it('edits many segments in one new version, whose number is the ETag', async () => {
    const { path, segments, read } = await transcription();
    const edits = [
      { id: segments[0].segment_id, text: 'Welcome to Kinora!' },
      { id: segments[2].segment_id, text: 'Goodbye.', end_ms: 2900 },
    ];
    const reply = await edit(path, ...edits);
    expect([reply.status, reply.headers.ETag]).toEqual([200, '"2"']);
    expect(reply.json).toMatchObject({
      version: 2,
      segments: [{ text: 'Welcome to Kinora!' }, { end_ms: 2900 }],
    });
    const after = await read();
    expect(after.version).toBe(2);
    expect(textsOf(after)).toEqual(['Welcome to Kinora!', 'this is a test', 'Goodbye.']);
  });

  it('changes the VTT and SRT files', async () => {
    const { path, segments } = await transcription();
    const before = await acme.call('GET', `${path}/vtt`);
    await edit(path, { id: segments[1].segment_id, text: 'Quite another sentence' });
    const after = await acme.call('GET', `${path}/vtt`);
    expect(after.text).toContain('Quite another sentence');
    expect(after.text).not.toContain('this is a test');
    expect(after.headers.ETag).not.toBe(before.headers.ETag);
    expect((await acme.call('GET', `${path}/srt`)).text).toContain('Quite another sentence');
  });

  it('can extend a segment to the end of the media, with the same lines in VTT and SRT', async () => {
    const short = await acme.readyAsset({ duration_ms: 1400 });
    const id = await acme.transcribed(short, ['I have never seen the whole of it', 'but I was told.']);
    const path = `/v1/assets/${short}/transcriptions/${id}`;
    const [, second] = (await acme.call('GET', path)).json.segments;
    const text = 'who told us of the people that had been at the very end of it';
    const edits = [{ id: second.segment_id, text }];
    expect((await edit(path, ...edits)).status).toBe(200);
    const [vtt, srt] = await Promise.all([
      acme.call('GET', `${path}/vtt?flavor=simplified`),
      acme.call('GET', `${path}/srt`),
    ]);
    const linesOf = (file: string) => file.split('\n').filter((line) => /[a-z]/.test(line));
    expect(linesOf(srt.text)).toEqual(linesOf(vtt.text));
    expect(linesOf(srt.text)).toContain('who told us of the people');
    expect([...srt.text.matchAll(/--> 00:00:(\S+)/g)].at(-1)![1]).toBe('01,400');
  });

  it('adjusts words and confidence to the new text', async () => {
    const { path, segments, read } = await transcription();
    await edit(path, { id: segments[0].segment_id, text: 'Welcome to Canola' });
    const [edited] = (await read()).segments;
    expect(edited.confidence).toBeNull();
    expect(edited.words).toMatchObject([
      { text: 'Welcome', start_ms: 0, confidence: 0.9 },
      { text: 'to', start_ms: 200, confidence: 0.9 },
      { text: 'Canola', start_ms: 400, confidence: null },
    ]);
  });

  it('changes nothing if one edit is invalid, and lists every invalid edit', async () => {
    const { path, segments, read } = await transcription();
    const reply = await edit(
      path,
      { id: segments[0].segment_id, text: 'Fine' },
      { id: segments[1].segment_id, start_ms: 5000 },
      { id: segments[2].segment_id, text: '   ' },
    );
    expect([reply.status, reply.json.code]).toEqual([422, 'validation_failed']);
    expect(pointersOf(reply)).toEqual(['/segments/1/end_ms', '/segments/2/text']);
    expect(await read()).toMatchObject({ version: 1, segments });
  });

  it('answers 422 unknown_reference for missing segments and speakers', async () => {
    const { path, segments } = await transcription();
    const reply = await edit(
      path,
      { id: missing, text: 'x' },
      { id: segments[0].segment_id, speaker_id: missing },
    );
    expect([reply.status, reply.json.code]).toEqual([422, 'unknown_reference']);
    expect(pointersOf(reply)).toEqual(['/segments/0/id', '/segments/1/speaker_id']);
  });

  it('accepts segment_id or id, and needs one of them', async () => {
    const { path, segments } = await transcription();
    const [one, other] = segments.map(({ segment_id }: { segment_id: string }) => segment_id);
    const send = (edits: object[]) => edit(path, ...edits);
    const both = await send([
      { segment_id: one, text: 'a' },
      { id: other, text: 'b' },
    ]);
    expect(both.json.segments).toMatchObject([
      { segment_id: one, text: 'a' },
      { segment_id: other, text: 'b' },
    ]);
    expect((await send([{ segment_id: one, id: one, text: 'c' }])).status).toBe(200);
    const pointers = async (edit: object) =>
      (await send([edit])).json.errors.map(({ pointer, code }: Record<string, string>) => [pointer, code]);
    expect(await pointers({ text: 'c', end_ms: 900 })).toEqual([['/segments/0/segment_id', 'required']]);
    expect(await pointers({ segment_id: one, id: other })).toEqual([
      ['/segments/0/segment_id', 'not_allowed'],
    ]);
    expect(await pointers({ segment_id: missing, text: 'c' })).toEqual([
      ['/segments/0/segment_id', 'unknown_reference'],
    ]);
  });

  it('rejects two edits of one segment, an empty edit, and more than 1000 edits', async () => {
    const { path, segments } = await transcription();
    const id = segments[0].segment_id;
    const send = (edits: object[]) => edit(path, ...edits);
    const twice = await send([
      { id, text: 'a' },
      { id: id.toUpperCase(), text: 'b' },
    ]);
    expect(twice.json.errors).toEqual([
      expect.objectContaining({ pointer: '/segments/1/id', code: 'duplicate' }),
    ]);
    expect((await send([{ id }])).status).toBe(422);
    expect((await send([])).status).toBe(422);
    const many = await send(Array.from({ length: 1001 }, () => ({ id, text: 'a' })));
    expect(many.json.errors[0]).toMatchObject({ pointer: '/segments', code: 'too_many' });
  });

  it('sorts segments by time', async () => {
    const { path, segments, read } = await transcription();
    await edit(path, { id: segments[0].segment_id, start_ms: 10_000, end_ms: 11_000 });
    const after = await read();
    expect(textsOf(after)).toEqual(['this is a test', 'good bye', 'welcome to kinora']);
    expect(after.segments[2].words[0]).toMatchObject({ text: 'welcome', start_ms: 10_000 });
  });

  it('answers 412 if If-Match has the ETag of another version', async () => {
    const { path, segments, read } = await transcription();
    const edits = { segments: [{ id: segments[0].segment_id, text: 'a' }] };
    const first = await acme.call('PATCH', `${path}/segments`, edits, { 'if-match': '"1"' });
    expect(first.status).toBe(200);
    const second = await acme.call('PATCH', `${path}/segments`, edits, { 'if-match': '"1"' });
    expect([second.status, second.json.code]).toEqual([412, 'precondition_failed']);
    expect((await read()).version).toBe(2);
  });

  it('keeps every version readable', async () => {
    const { path, segments } = await transcription();
    const id = segments[0].segment_id;
    for (const text of ['second', 'third']) {
      await edit(path, { id, text });
    }
    const textAt = async (version: number) =>
      (await acme.call('GET', `${path}?version=${version}`)).json.segments[0].text;
    expect([await textAt(1), await textAt(2), await textAt(3)]).toEqual([
      'welcome to kinora',
      'second',
      'third',
    ]);
    expect((await acme.call('GET', `${path}?version=4`)).json.code).toBe('resource_not_found');
  });

  it('marks translations of an edited transcription as stale', async () => {
    const own = await acme.readyAsset();
    const original = await acme.transcribed(own, ['one']);
    const translated = await acme.transcribed(own, ['uno'], { source: 'translated', language_id: spanish });
    const at = (id: string) => `/v1/assets/${own}/transcriptions/${id}`;
    const { segments } = (await acme.call('GET', at(original))).json;
    expect((await acme.call('GET', at(translated))).json.stale).toBe(false);
    await acme.call('PATCH', `${at(original)}/segments`, {
      segments: [{ id: segments[0].segment_id, text: 'two' }],
    });
    expect((await acme.call('GET', at(translated))).json.stale).toBe(true);
    expect((await acme.call('GET', at(original))).json.stale).toBe(false);
  });

  it('answers 404 while the asset is being deleted', async () => {
    const going = await acme.readyAsset();
    const id = await acme.transcribed(going, ['one']);
    const path = `/v1/assets/${going}/transcriptions/${id}`;
    const { segments } = (await acme.call('GET', path)).json;
    await acme.table.update({
      key: { pk: `T#acme#A#${going}`, sk: 'META' },
      expression: 'SET #status = :status',
      names: { '#status': 'status' },
      values: { status: 'deleting' },
    });
    const reply = await edit(path, { id: segments[0].segment_id, text: 'two' });
    expect([reply.status, reply.json.code]).toEqual([404, 'resource_not_found']);
    expect(reply.json.detail).toContain(`asset "${going}"`);
  });

  it('loses none of 24 concurrent updates: each is stored or answered with 409', async () => {
    const { path, segments, read } = await transcription(Array.from({ length: 24 }, (_, at) => `word ${at}`));
    const replies = await Promise.all(
      segments.map(({ segment_id: id }: { segment_id: string }, at: number) =>
        edit(path, { id, text: `edited ${at}` }),
      ),
    );
    const made = replies.filter(({ status }) => status === 200);
    const refused = replies.filter(({ status, json }) => status === 409 && json.code === 'write_conflict');
    expect(made.length + refused.length).toBe(24);
    expect(made.length).toBeGreaterThan(1);
    expect(new Set(made.map(({ json }) => json.version)).size).toBe(made.length);
    const after = await read();
    expect(after.version).toBe(1 + made.length);
    expect(textsOf(after)).toEqual(
      replies.map(({ status }, at) => (status === 200 ? `edited ${at}` : `word ${at}`)),
    );
  });
});

describe('PATCH …/segments/{segment_id}', () => {
  it('edits one segment and returns it', async () => {
    const { path, segments } = await transcription();
    const reply = await acme.call('PATCH', `${path}/segments/${segments[1].segment_id}`, { start_ms: 1200 });
    expect([reply.status, reply.json.start_ms, reply.headers.ETag]).toEqual([200, 1200, '"2"']);
  });

  it('stores line ends of any system as line feeds, and tabs as spaces', async () => {
    const { path: base, segments } = await transcription();
    const edited = await acme.call('PATCH', `${base}/segments/${segments[0].segment_id}`, {
      text: '- Is it you?\r\n- It\tis.\r\n',
    });
    expect([edited.status, edited.json.text]).toEqual([200, '- Is it you?\n- It is.']);
    const [added] = (
      await add(base, { text: 'One\rtwo\u2028three', start_ms: 4000, end_ms: 4500, speaker: 'Ana' })
    ).json.segments;
    expect(added.text).toBe('One\ntwo\nthree');
    const refused = await acme.call('PATCH', `${base}/segments/${added.segment_id}`, { text: 'a\u0000b' });
    expect([refused.status, refused.json.errors[0].pointer]).toEqual([422, '/text']);
  });

  it('answers 404 for a missing segment, and names invalid fields', async () => {
    const { path, segments } = await transcription();
    expect((await acme.call('PATCH', `${path}/segments/${missing}`, { text: 'x' })).status).toBe(404);
    const reply = await acme.call('PATCH', `${path}/segments/${segments[1].segment_id}`, { end_ms: 3 });
    expect(reply.json.errors).toEqual([expect.objectContaining({ pointer: '/end_ms' })]);
    expect((await acme.call('PATCH', `${path}/segments/${segments[1].segment_id}`, {})).status).toBe(422);
  });
});

describe('times that a request sets', () => {
  it('are the times of the subtitles, and the segment shows that they are set', async () => {
    const { path, segments } = await transcription();
    expect(segments.map(({ timing }: { timing: string }) => timing)).toEqual(Array(3).fill('automatic'));
    for (const [end, shown] of [
      [900, '00:00:00.900'],
      [1700, '00:00:01.700'],
    ]) {
      const place = `${path}/segments/${segments[0].segment_id}`;
      expect((await acme.call('PATCH', place, { end_ms: end })).json.timing).toBe('set');
      expect((await acme.call('GET', `${path}/vtt`)).text).toContain(`00:00:00.000 --> ${shown}`);
    }
  });

  it('are rejected after the end of the media', async () => {
    const { path, segments } = await transcription();
    const place = `${path}/segments/${segments[2].segment_id}`;
    expect((await acme.call('PATCH', place, { end_ms: 60_000 })).status).toBe(200);
    const edited = await acme.call('PATCH', place, { end_ms: 60_001 });
    const segment = { text: 'Too late', start_ms: 59_000, end_ms: 61_000, speaker: 'Ana' };
    const added = await add(path, segment);
    for (const [{ status, json }, pointer] of [
      [edited, '/end_ms'],
      [added, '/segments/0/end_ms'],
    ] as const) {
      expect([status, json.errors[0].pointer, json.errors[0].code]).toEqual([422, pointer, 'too_large']);
    }
  });
});

describe('POST …/segments', () => {
  const added = [
    { text: 'In between', start_ms: 500, end_ms: 900, speaker: 'Narrator' },
    { text: 'At last', start_ms: 8000, end_ms: 9000, speaker: 'Narrator' },
  ];

  it('adds segments in the order of their times', async () => {
    const { path, read } = await transcription();
    const reply = await add(path, ...added);
    expect([reply.status, reply.headers.Location, reply.json.version]).toEqual([201, path, 2]);
    expect(reply.headers.ETag).toBe((await acme.call('GET', path)).headers.ETag);
    expect(textsOf(reply.json)).toEqual(['In between', 'At last']);
    expect(textsOf(await read())).toEqual([
      'welcome to kinora',
      'In between',
      'this is a test',
      'good bye',
      'At last',
    ]);
  });

  it('adds segments once, if an interrupted request is repeated', async () => {
    const { path, read, id } = await transcription();
    // The If-Match of the repeat names the version before its first run.
    const { headers: seen } = await acme.call('GET', path);
    const headers = { 'idempotency-key': `add-${id}`, 'if-match': seen.ETag! };
    const first = await acme.call('POST', `${path}/segments`, { segments: added }, headers);
    await forgetAnswer(api, acme, 'createSegments', `add-${id}`);
    const second = await acme.call('POST', `${path}/segments`, { segments: added }, headers);
    expect(second.json).toEqual(first.json);
    expect((await read()).segments).toHaveLength(5);
  });

  it('adds segments once, even if the response is too large to be stored with the Idempotency-Key', async () => {
    const { path, read, id } = await transcription();
    const headers = { 'idempotency-key': `many-${id}` };
    const text = 'x'.repeat(500);
    const segments = Array.from({ length: 1000 }, (_, at) => ({
      text,
      start_ms: 10_000 + at,
      end_ms: 10_001 + at,
      speaker: 'Ana',
    }));
    const first = await acme.call('POST', `${path}/segments`, { segments }, headers);
    expect([first.status, first.text.length > 400 * 1024]).toEqual([201, true]);
    const second = await acme.call('POST', `${path}/segments`, { segments }, headers);
    expect(second.json).toEqual(first.json);
    expect((await read()).segments).toHaveLength(1003);
    const other = await acme.call('POST', `${path}/segments`, { segments: added }, headers);
    expect([other.status, other.json.code]).toEqual([422, 'idempotency_key_reused']);
  });

  it('links a speaker by id or by name', async () => {
    const { path } = await transcription();
    const bea = (await acme.call('POST', `/v1/assets/${asset}/speakers`, { name: 'Bea' })).json.speaker_id;
    const reply = await acme.call('POST', `${path}/segments`, {
      segments: [bea, 'Bea'].map((speaker) => ({ ...added[0], speaker })),
    });
    expect(
      reply.json.segments.map(({ speaker, speaker_id }: Record<string, unknown>) => [speaker, speaker_id]),
    ).toEqual([
      ['Bea', bea],
      ['Bea', bea],
    ]);
  });

  it('creates a speaker once for a new name, and lists find the asset by the speaker', async () => {
    const own = await acme.readyAsset();
    const id = await acme.transcribed(own, ['one']);
    const path = `/v1/assets/${own}/transcriptions/${id}`;
    const { headers: seen } = await acme.call('GET', path);
    const headers = { 'idempotency-key': `speakers-${id}`, 'if-match': seen.ETag! };
    const body = { segments: ['Zoe', 'Yann', 'Zoe'].map((speaker) => ({ ...added[0], speaker })) };
    const first = await acme.call('POST', `${path}/segments`, body, headers);
    expect(first.status).toBe(201);
    await forgetAnswer(api, acme, 'createSegments', `speakers-${id}`);
    const again = await acme.call('POST', `${path}/segments`, body, headers);
    expect([again.json, again.headers.ETag]).toEqual([first.json, first.headers.ETag]);
    const speakers = (await acme.call('GET', `/v1/assets/${own}/speakers`)).json.data;
    expect(speakers.map(({ name }: { name: string }) => name)).toEqual(['Zoe', 'Yann']);
    const [zoe, yann] = speakers.map(({ speaker_id }: { speaker_id: string }) => speaker_id);
    expect(first.json.segments.map(({ speaker_id }: { speaker_id: string }) => speaker_id)).toEqual([
      zoe,
      yann,
      zoe,
    ]);
    expect((await acme.call('GET', path)).headers.ETag).toBe(first.headers.ETag);
    for (const name of ['zoe', 'Yann'])
      expect((await acme.call('GET', `/v1/assets?speakers=${name}`)).json.data[0].asset_id).toBe(own);
  });

  it('creates no speaker for a rejected request or for the label of an unnamed voice', async () => {
    const own = await acme.readyAsset();
    const id = await acme.transcribed(own, ['one']);
    const path = `/v1/assets/${own}/transcriptions/${id}`;
    const send = (segment: object, headers = {}) =>
      acme.call('POST', `${path}/segments`, { segments: [{ ...added[0], ...segment }] }, headers);
    expect((await send({ speaker: 'Nobody', end_ms: 1 })).status).toBe(422);
    expect((await send({ speaker: 'Nobody' }, { 'if-match': '"9"' })).status).toBe(412);
    await acme.transcriptions.edit(own, id, { now: new Date(), newId: () => 'x' }, (segments) =>
      segments.map((segment) => ({ ...segment, speaker: 'Speaker 1' })),
    );
    expect((await send({ speaker: 'Speaker 1' })).json.segments[0].speaker_id).toBeNull();
    expect((await acme.call('GET', `/v1/assets/${own}/speakers`)).json.data).toEqual([]);
  });

  it('accepts original_segment_id only for segments of the transcription in the original language', async () => {
    const original = await transcription(['one']);
    const { path } = await transcription(['uno'], { source: 'translated', language_id: spanish });
    const segment = (original_segment_id: string) => ({
      segments: [{ ...added[0], original_segment_id }],
    });
    const good = await acme.call('POST', `${path}/segments`, segment(original.segments[0].segment_id));
    expect(good.json.segments[0].original_segment_id).toBe(original.segments[0].segment_id);
    const bad = await acme.call('POST', `${path}/segments`, segment(missing));
    expect(bad.json.errors).toEqual([
      expect.objectContaining({ pointer: '/segments/0/original_segment_id', code: 'unknown_reference' }),
    ]);
  });

  it('rejects an end before its start, and the id of a missing speaker', async () => {
    const { path } = await transcription();
    const backwards = await add(path, { ...added[0], end_ms: 500 });
    expect(backwards.json.errors[0]).toMatchObject({ pointer: '/segments/0/end_ms' });
    const orphan = await add(path, { ...added[0], speaker: missing });
    expect([orphan.status, orphan.json.code]).toEqual([422, 'unknown_reference']);
  });
});

describe('a request from another tenant', () => {
  it('receives 404 and changes nothing', async () => {
    const { path, segments, read } = await transcription();
    const other = await api.tenant('other');
    const edits = { segments: [{ id: segments[0].segment_id, text: 'mine' }] };
    const theirs = await other.call('PATCH', `${path}/segments`, edits);
    const nobodys = await other.call(
      'PATCH',
      `/v1/assets/${missing}/transcriptions/${missing}/segments`,
      edits,
    );
    expect([theirs.status, nobodys.status]).toEqual([404, 404]);
    expect(theirs.json.code).toBe(nobodys.json.code);
    expect((await read()).version).toBe(1);
  });
});

describe('the document of a version', () => {
  it('is gzipped JSON, which later versions do not change', async () => {
    const { id, path, segments } = await transcription();
    const { document } = await acme.transcriptions.get(asset, id);
    const before = await acme.objects.read(document);
    await acme.call('PATCH', `${path}/segments/${segments[0].segment_id}`, { text: 'changed' });
    expect(await acme.objects.read(document)).toEqual(before);
    const stored = segments.map(({ qc: _, timing: __, ...segment }: Record<string, unknown>) => segment);
    expect(JSON.parse(gunzipSync(before!).toString()).segments).toEqual(stored);
  });
});

describe('the quality marks (qc)', () => {
  const marksOf = ({ segments }: { segments: { qc: { code: string }[] }[] }) =>
    segments.map(({ qc }) => qc.map(({ code }) => code));
  const fast = 'a text that is so long that nobody could ever read it in one second.';

  it('are in segments, also in the response to an edit', async () => {
    const { path, segments, read } = await transcription();
    expect(marksOf(await read())).toEqual([[], [], []]);
    const change = { id: segments[1].segment_id, text: fast };
    const edited = await edit(path, change);
    expect(marksOf(edited.json)).toEqual([['fast_speech']]);
    expect(marksOf(await read())).toEqual([[], ['fast_speech'], []]);
    const one = await acme.call('PATCH', `${path}/segments/${change.id}`, { text: 'short' });
    expect(one.json.qc).toEqual([]);
  });

  it('filter segments by one mark or by any, page by page', async () => {
    const { path } = await transcription([fast, 'Short.', `And ${fast}`, 'Short too.']);
    const chosen = async (query: string) => (await acme.call('GET', `${path}?${query}`)).json;
    expect(marksOf(await chosen('qc=any'))).toEqual([['fast_speech'], ['fast_speech']]);
    expect(await chosen('qc=wide_line')).toMatchObject({ segments: [], segment_count: 4 });
    const first = await chosen('qc=fast_speech&items=1');
    expect(first.segments).toHaveLength(1);
    const second = await chosen(`qc=fast_speech&items=1&cursor=${first.next_cursor}`);
    expect(second).toMatchObject({ next_cursor: null, segments: [{ text: `And ${fast}` }] });
    const elsewhere = await acme.call('GET', `${path}?items=1&cursor=${first.next_cursor}`);
    expect(elsewhere.json.code).toBe('invalid_cursor');
  });
});
