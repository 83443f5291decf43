import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import { soundDescriptionsOf } from '../../../../../lambdas/sound-descriptions/records.ts';
import { cuesFromStl, readStl } from '../../../../../lambdas/subtitles/rules/stl.ts';
import type { StoredAsset } from '../../../../../shared/assets.ts';
import type { AssetId } from '../../../../../shared/ids.ts';
import { languageByCode } from '../../../../../shared/languages.ts';
import { spanish } from '../../../../support/api.ts';
import { startTestApi } from '../../../../support/test-api.ts';

let asset: AssetId;
let path: string;

const at = (of: AssetId, id: string) => `/v1/assets/${of}/transcriptions/${id}`;
const spokenIn = async (facts: Partial<StoredAsset>) => {
  const asset_id = await acme.readyAsset(facts);
  return { asset_id, place: at(asset_id, await acme.transcribed(asset_id, ['hello'])) };
};
const transcribedIn = async (code: string, text: string) =>
  at(asset, await acme.transcribed(asset, [text], { language_id: languageByCode(code)!.language_id }));

const api = await startTestApi();
const acme = await api.tenant('acme');

beforeAll(async () => {
  asset = await acme.readyAsset({ name: 'Al otro lado', external_id: 'cms-4711' });
  const id = await acme.transcribed(asset, ['¿Dónde está, señor?', 'Aquí. Cuesta 5 €…'], {
    language_id: spanish,
  });
  path = at(asset, id);
});

const get = (query = '', headers: Record<string, string> = {}, of = path) =>
  acme.call('GET', `${of}/stl${query}`, undefined, headers);

describe('GET …/stl', () => {
  it('returns a file with the text of the subtitles', async () => {
    const { status, headers, bytes } = await get();
    expect([status, headers['Content-Type']]).toEqual([200, 'application/x-ebu-stl']);
    const file = readStl(bytes);
    expect(file.problems).toEqual([]);
    expect(file.header).toMatchObject({
      originalTitle: 'Al otro lado',
      reference: 'cms-4711',
      language: 'es',
      display: 'level1',
      framesPerSecond: 25,
      startFrame: 0,
      revision: 1,
    });
    const texts = cuesFromStl(file).map(({ lines }) => lines.join(' '));
    expect(texts.join(' ')).toBe('¿Dónde está, señor? Aquí. Cuesta 5 EUR...');
  });

  it('names the characters that the code table lacks, if there are any', async () => {
    expect((await get()).headers['Stl-Replaced']).toBe(
      '"U+20AC";by="EUR";count=1, "U+2026";by="...";count=1',
    );
    const plain = await get('', {}, await transcribedIn('en', 'hello'));
    expect(plain.headers).not.toHaveProperty('Stl-Replaced');
  });

  it('has the requested display standard, frame rate and start time code', async () => {
    const { bytes } = await get('?display_standard=open&frame_rate=30&start_timecode=10:00:00:00');
    const { header, subtitles } = readStl(bytes);
    expect(header).toMatchObject({ display: 'open', framesPerSecond: 30, startFrame: 1_080_000 });
    expect(subtitles[0]!.startFrame).toBe(1_080_000);
    expect(subtitles[0]!.rows[0]!.isBoxed).toBe(false);
  });

  it('has clock time codes, or counts the pictures of 29.97 on request', async () => {
    const { place } = await spokenIn({ frame_rate: 29.97, duration_ms: 59_000 });
    const [segment] = (await acme.call('GET', place)).json.segments;
    const times = { start_ms: 58_000, end_ms: 59_000 };
    await acme.call('PATCH', `${place}/segments/${segment.segment_id}`, times);
    const startOf = async (query: string) =>
      readStl((await get(query, {}, place)).bytes).subtitles[0]!.startFrame;
    expect(await startOf('')).toBe(58 * 30);
    // 58 s are 1738.26 pictures, so the time code is 00:00:57:28.
    expect(await startOf('?time_codes=non_drop')).toBe(57 * 30 + 28);
    expect(await startOf('?time_codes=non_drop&start_timecode=01:00:00:00')).toBe((3600 + 57) * 30 + 28);
    const refused = await get('?time_codes=non_drop&frame_rate=25', {}, place);
    expect([refused.status, refused.json.errors[0].parameter]).toEqual([400, 'time_codes']);
    // Media with 25 frames a second gets 30 only on request.
    const european = await get('?time_codes=non_drop');
    expect([european.status, european.json.detail]).toEqual([400, expect.stringContaining('frame_rate=30')]);
    expect((await get('?time_codes=non_drop&frame_rate=30')).status).toBe(200);
  });

  it.each([
    [25, '10:00:00:00', 36_000 * 25],
    [50, '10:00:00:49', 36_000 * 25 + 24],
    [29.97, '01:00:00;02', 3600 * 30 + 2],
    [23.976, '01:00:00:23', 3600 * 30 + 28],
    [null, '00:00:10:00', 10 * 25],
    [25, null, 0],
    // The frame number exceeds the frames of a second.
    [25, '10:00:00:27', 0],
  ])(
    'starts at %s frames a second with the time code of the media: %s',
    async (frame_rate, start_timecode, frame) => {
      const { place } = await spokenIn({ frame_rate, start_timecode });
      const { header, subtitles } = readStl((await get('', {}, place)).bytes);
      expect([header.startFrame, subtitles[0]!.startFrame]).toEqual([frame, frame]);
      const startFor = async (asked: string) =>
        readStl((await get(`?start_timecode=${asked}`, {}, place)).bytes).header.startFrame;
      expect(await startFor('00:00:00:00')).toBe(0);
      expect(await startFor('00:00:00;02')).toBe(2);
    },
  );

  it('includes the sound descriptions, unless the request omits them', async () => {
    const { asset_id, place } = await spokenIn({});
    const description_id = uuidv7();
    const at = '2026-11-21T09:00:00.000Z';
    await soundDescriptionsOf(acme.table, acme.id).create(asset_id, description_id, {
      ...{ description_id, asset_id, start_ms: 20_000, end_ms: 22_000, text: 'applause', confidence: 0.9 },
      ...{ version: 1, created_at: at, updated_at: at },
    });
    const linesOf = async (query: string) =>
      cuesFromStl(readStl((await get(query, {}, place)).bytes)).flatMap(({ lines }) => lines);
    expect(await linesOf('')).toEqual(['hello', '[applause]']);
    expect(await linesOf('?include_sound_descriptions=false')).toEqual(['hello']);
  });

  it.each([
    ['ru', 'Привет', 'cyrillic'],
    ['el', 'Γειά', 'greek'],
    ['he', 'שלום', 'hebrew'],
    ['ar', 'مرحبا', 'arabic'],
  ])('has the code table of %s', async (code, text, table) => {
    const file = readStl((await get('', {}, await transcribedIn(code, text))).bytes);
    expect([file.header.codeTable, file.header.language]).toEqual([table, code]);
    expect(cuesFromStl(file).map(({ lines }) => lines)).toEqual([[text]]);
  });

  it.each([
    ['start_timecode=24:00:00:00', 'start_timecode'],
    ['start_timecode=10:00:00:27', 'start_timecode'],
    ['frame_rate=24', 'frame_rate'],
    ['display_standard=level3', 'display_standard'],
  ])('answers 400 to %s', async (query, parameter) => {
    const { status, json } = await get(`?${query}`);
    expect([status, json.code]).toEqual([400, 'invalid_parameter']);
    expect(json.errors[0].parameter).toBe(parameter);
  });

  it('has a different ETag for each choice of parameters', async () => {
    const { headers } = await get();
    expect((await get('', { 'if-none-match': headers.ETag! })).status).toBe(304);
    for (const query of ['?display_standard=open', '?frame_rate=30', '?start_timecode=01:00:00:00']) {
      expect((await get(query, { 'if-none-match': headers.ETag! })).status).toBe(200);
    }
  });

  it('is compressed if it is long, with the same content', async () => {
    const lines = Array.from({ length: 200 }, (_, i) => `line ${i}`);
    const long = at(asset, await acme.transcribed(asset, lines));
    const plain = await get('', {}, long);
    const packed = await get('', { 'accept-encoding': 'gzip' }, long);
    expect(packed.headers['Content-Encoding']).toBe('gzip');
    expect(packed.bytes.equals(plain.bytes)).toBe(true);
    expect(packed.replyBytes).toBeLessThan(plain.replyBytes / 4);
  });
});
