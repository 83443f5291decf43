import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Transcriptions } from '../../../../lambdas/transcripts/lineage/records/transcriptions.ts';
import { derivedKey } from '../../../../platform/objects/media-objects.ts';
import { configurationKey } from '../../../../platform/table/keys.ts';
import type { AssetId } from '../../../../shared/ids.ts';
import { languageByCode } from '../../../../shared/languages.ts';
import { hasApertium } from '../../../engines/translation/apertium-installed.ts';
import { english, spanish } from '../../../support/api.ts';
import { failureOf, runStep } from '../../../support/run-step.ts';
import { startTestApi } from '../../../support/test-api.ts';

const french = languageByCode('fr')!.language_id;
const german = languageByCode('de')!.language_id;
const missing = '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11';

const api = await startTestApi();
const tenant = await api.tenant('translator');

/** The second sentence is divided over three segments. */
const texts = [
  'The house is red.',
  'My brother reads 12 books',
  'and he sees the old garden',
  'of the school.',
  'The dog eats.',
];

let asset: AssetId;
let original: string;
const at = () => `/v1/assets/${asset}`;
beforeEach(async () => {
  asset = await tenant.readyAsset();
  original = await tenant.transcribed(asset, texts);
});

interface Segment {
  readonly segment_id: string;
  readonly text: string;
  readonly stale?: boolean;
}

const translate = (body: object, kind = 'translation_jobs') => tenant.call('POST', `${at()}/${kind}`, body);
const transcription = (id: string) => `${at()}/transcriptions/${id}`;
const segmentsOf = async (id: string) => (await tenant.call('GET', transcription(id))).json.segments;
const textsOf = async (id: string) => (await segmentsOf(id)).map(({ text }: Segment) => text);
const listed = async (query = '') => (await tenant.call('GET', `${at()}/transcriptions${query}`)).json.data;
const versions = async () => (await listed()).map(({ version }: { version: number }) => version);
const correct = (id: string, segment_id: string, change: object, headers = {}) =>
  tenant.call('PATCH', `${transcription(id)}/segments/${segment_id}`, change, headers);
const assetShown = async () => (await tenant.call('GET', at())).json;
const jobShown = async (job_id: string) => (await tenant.call('GET', `/v1/jobs/${job_id}`)).json;

const documentsOf = (id: string) =>
  tenant.objects.keys(derivedKey(tenant.id, asset, { step: 'transcription', version: id, name: '' }));

const inputOf = (job_id: string, kind = 'translation') => ({
  tenant: tenant.id,
  asset_id: asset,
  job_id,
  kind,
});
const begun = async (...language_ids: string[]) => inputOf((await translate({ language_ids })).json.job_id);
const into = (input: object, language_id: string, index = 0) =>
  runStep('translate-language', { ...input, language_id, index });

const asEnd = (language_id: string) => (error: Error) => ({ language_id, failure: failureOf(error) });
const failed = (name: string, message: string) => Object.assign(new Error(message), { name });

/** Runs the steps as the state machine does. */
async function done(job_id: string, kind = 'translation') {
  const input = inputOf(job_id, kind);
  const { languages } = await runStep('plan-translation', input);
  const ends = [];
  for (const { language_id, index } of languages)
    ends.push(await into(input, language_id, index).catch(asEnd(language_id)));
  await runStep('finish-translation', { ...input, ends });
  return (await tenant.call('GET', `${at()}/${kind}_jobs/${job_id}`)).json;
}

const used = async () =>
  (await tenant.call('GET', '/v1/usages/current_month')).json.metrics.find(
    ({ metric }: { metric: string }) => metric === 'translated_characters',
  ).quantity;
/** Without the two spaces between sentences. */
const characters = texts.join(' ').length - 2;

async function translatedBy(translate: (sentences: readonly string[]) => Promise<string[]>) {
  // The import comes after the variables are set, because the modules read the variables when they are loaded.
  const { translateInto } = await import(
    '../../../../lambdas/translation/actions/translate-transcription.ts'
  );
  const { id, table, objects, transcriptions } = tenant;
  const wanted = { job_id: uuidv7(), created_at: new Date().toISOString(), asset_id: asset };
  const { signal } = new AbortController();
  return translateInto(
    { ...wanted, template_id: null, language_id: spanish, segment_ids: null },
    { now: () => new Date(), newId: uuidv7, signal, onProgress: () => {} },
    { tenant: id, table, objects, transcriptions, engine: async () => ({ translate }) },
  );
}

async function translated(language = spanish): Promise<string> {
  const { json } = await translate({ language_ids: [language] });
  return (await done(json.job_id)).items[0].result.transcription_id;
}

describe('a request to translate', () => {
  it('starts a job with an item for each language', async () => {
    const reply = await translate({ language_ids: [spanish, french] });
    expect(reply.status).toBe(202);
    expect(reply.headers.Location).toBe(`${at()}/translation_jobs/${reply.json.job_id}`);
    expect(reply.json).toMatchObject({
      type: 'translation',
      status: 'queued',
      items: [{ language_id: spanish, status: 'queued' }, { language_id: french }],
    });
    expect(api.machines.calls.at(-1)).toContain(`${reply.json.job_id}`);
    expect(api.machines.calls.at(-1)).toContain('TRANSLATION');
  });

  it.each([
    ['what is spoken already', () => [english], 'is in English already'],
    ['what no engine reaches, saying what is', () => [spanish, german], 'es, fr, pt'],
  ])('is rejected for %s', async (_, language_ids, said) => {
    const reply = await translate({ language_ids: language_ids() });
    expect([reply.status, reply.json.code]).toEqual([422, 'language_unsupported']);
    expect(reply.json.errors[0].pointer).toBe(`/language_ids/${language_ids().length - 1}`);
    expect(reply.json.detail).toContain(said);
  });

  it('is rejected for an asset that is not ready, has no transcription, or is not translated yet', async () => {
    const partial = { language_ids: [spanish], segment_ids: [missing] };
    const untranslated = await translate(partial, 'partial_retranslation_jobs');
    expect([untranslated.status, untranslated.json.code]).toEqual([409, 'invalid_state']);
    for (const facts of [{ status: 'uploading' as const }, {}]) {
      asset = await tenant.readyAsset(facts);
      const reply = await translate({ language_ids: [spanish] });
      expect([reply.status, reply.json.code]).toEqual([409, 'invalid_state']);
    }
  });
});

describe.skipIf(!hasApertium())('a translation', () => {
  it('has a segment for each original segment, with its times and speaker, made from whole sentences', async () => {
    const segments = await segmentsOf(await translated());
    const originals = await segmentsOf(original);
    expect(segments.map((each: object) => ({ ...each, text: '', qc: [] }))).toEqual(
      originals.map((each: { segment_id: string }, nth: number) => ({
        ...{ ...each, segment_id: segments[nth].segment_id, original_segment_id: each.segment_id },
        ...{ text: '', confidence: null, words: [], qc: [] },
      })),
    );
    expect(segments[0].text).toBe('La casa es roja.');
    expect(segments[1].text).toContain('12');
    expect(segments[3].text).toMatch(/\.$/);
  });

  it('ends its job with the results, updates the asset, and is metered by characters', async () => {
    const before = await used();
    const job = await done((await translate({ language_ids: [spanish] })).json.job_id);
    expect(job).toMatchObject({
      status: 'succeeded',
      progress: 1,
      items: [{ status: 'succeeded', progress: 1 }],
    });
    expect(job.result.transcription_ids).toEqual([job.items[0].result.transcription_id]);
    const { languages, translations } = await assetShown();
    expect(languages).toContain(spanish);
    expect(translations).toEqual([{ language_id: spanish, status: 'ready', error: null }]);
    expect((await used()) - before).toBe(characters);
  });

  it('is metered if it fails, and once if its step is repeated', async () => {
    const before = await used();
    const input = await begun(spanish);
    const killed = vi.spyOn(Transcriptions.prototype, 'create').mockRejectedValueOnce(new Error('killed'));
    await expect(into(input, spanish)).rejects.toThrow('killed');
    killed.mockRestore();
    expect((await used()) - before).toBe(characters);
    await into(input, spanish);
    await into(input, spanish);
    expect((await used()) - before).toBe(characters);
  });

  it('is created once if its step is repeated, and becomes a new version with the same ids if it is made again', async () => {
    const input = await begun(spanish);
    const first = await into(input, spanish);
    expect(await into(input, spanish)).toEqual(first);
    const before = await segmentsOf(first.transcription_id);
    expect(await translated()).toBe(first.transcription_id);
    expect(await segmentsOf(first.transcription_id)).toEqual(before);
    expect(await into(await begun(spanish), spanish)).toMatchObject({ version: 3 });
    expect(await versions()).toEqual([1, 3]);
  });

  it('advances the progress of its item and its job', async () => {
    const input = await begun(spanish, french);
    await runStep('plan-translation', input);
    await into(input, french, 1);
    expect(await jobShown(input.job_id)).toMatchObject({
      status: 'running',
      progress: 0.49,
      items: [{ status: 'queued', progress: 0 }, { status: 'running' }],
    });
  });

  it('succeeds if another language fails, and if its step crashed after it was stored', async () => {
    const input = await begun(spanish, french);
    await runStep('plan-translation', input);
    await into(input, spanish);
    const died = asEnd(spanish)(failed('Runtime.ExitError', 'Exited.'));
    const busy = asEnd(french)(failed('provider_unavailable', 'Busy.'));
    await runStep('finish-translation', { ...input, ends: [died, busy] });
    const detail = 'Busy. Create the job again later.';
    expect(await jobShown(input.job_id)).toMatchObject({
      status: 'partially_succeeded',
      items: [
        { status: 'succeeded', error: null, result: { transcription_id: expect.any(String) } },
        { status: 'failed', error: { code: 'provider_unavailable', detail }, result: null },
      ],
    });
    expect((await assetShown()).translations).toMatchObject([
      { language_id: spanish, status: 'ready' },
      { language_id: french, status: 'failed' },
    ]);
  });

  it('stays and is reported if the whole job fails later', async () => {
    const input = await begun(spanish, french);
    await runStep('plan-translation', input);
    await into(input, spanish);
    const failure = { Error: 'States.Timeout', Cause: '' };
    for (let repeat = 0; repeat < 2; repeat += 1) await runStep('fail-translation', { ...input, failure });
    expect(await jobShown(input.job_id)).toMatchObject({
      status: 'partially_succeeded',
      items: [{ status: 'succeeded' }, { status: 'failed', error: { code: 'timed_out' } }],
    });
    expect((await assetShown()).languages).toContain(spanish);
  });

  it('becomes the next version after that of another job; if it is canceled, the edits of the other job stay', async () => {
    const [one, other] = [await begun(spanish), await begun(spanish)];
    await into(one, spanish);
    expect(await into(other, spanish)).toMatchObject({ version: 2 });
    await tenant.call('POST', `/v1/jobs/${one.job_id}/cancel`);
    await runStep('clear-translation', one);
    expect(await versions()).toEqual([1, 2]);
  });

  /** Stores a list of the tenant and returns its id. */
  const configured = async (type: string, members: object) => {
    const id = uuidv7();
    await tenant.table.put({ ...configurationKey(tenant.id, type, id), ...members });
    return id;
  };

  it('keeps the words in the lists of the template', async () => {
    const words = ['Red House', 'Green'];
    const dictionary = { garden: ['Garden of the Queen'] };
    const template_id = await configured('templates', {
      whitelist_ids: [await configured('whitelists', { words })],
      domain_dictionary_ids: [await configured('dictionaries', { dictionary })],
    });
    asset = await tenant.readyAsset({ template_id });
    original = await tenant.transcribed(asset, ['The red house of', 'Mr. Green is old. He sees the garden.']);
    const all = (await textsOf(await translated())).join(' ');
    for (const kept of ['red house', 'Green', 'garden']) expect(all).toContain(kept);
  });

  it('omits the words of a blacklist only in the language of the list', async () => {
    const words = ['ROJA', 'perro', 'Kinora'];
    const template_id = await configured('templates', {
      blacklist_ids: [
        await configured('blacklists', { words, language_id: spanish }),
        await configured('blacklists', { words: ['casa'], language_id: english }),
      ],
      whitelist_ids: [await configured('whitelists', { words: ['Kinora'] })],
    });
    asset = await tenant.readyAsset({ template_id });
    original = await tenant.transcribed(asset, ['The house is red.', 'Kinora eats.']);
    expect(await textsOf(await translated())).toEqual(['La casa es.', expect.stringContaining('Kinora')]);
  });

  it('is removed if its job is canceled; a later version is undone', async () => {
    const first = await translated();
    const before = await textsOf(first);
    await correct(original, (await segmentsOf(original))[0].segment_id, { text: 'The house is green.' });
    const input = await begun(spanish, french);
    await into(input, spanish);
    const inFrench = (await into(input, french, 1)).transcription_id;
    expect(await listed()).toHaveLength(3);
    expect(await documentsOf(inFrench)).toHaveLength(1);
    expect((await tenant.call('POST', `/v1/jobs/${input.job_id}/cancel`)).json.status).toBe('canceled');
    const finished = runStep('finish-translation', { ...input, ends: [] });
    await expect(finished).rejects.toMatchObject({ name: 'canceled' });
    for (let repeat = 0; repeat < 2; repeat += 1) await runStep('clear-translation', input);
    expect(await listed()).toMatchObject([
      { language_id: english, version: 2 },
      { language_id: spanish, version: 3 },
    ]);
    expect(await documentsOf(inFrench)).toEqual([]);
    expect(await textsOf(first)).toEqual(before);
  });
});

describe('an edit of the original while it is translated', () => {
  it('makes the translation stale, even if it did not exist yet', async () => {
    const [{ segment_id }] = await segmentsOf(original);
    const { transcription_id } = await translatedBy(async (sentences) => {
      expect((await correct(original, segment_id, { text: 'The house is blue.' })).status).toBe(200);
      return [...sentences];
    });
    expect(await listed('?stale=true')).toMatchObject([{ transcription_id }]);
  });
});

describe('an unnamed voice that gets a name', () => {
  it('makes no translation stale', async () => {
    const { transcription_id } = await translatedBy(async (sentences) => [...sentences]);
    for (const { segment_id } of await segmentsOf(transcription_id))
      await tenant.call('DELETE', `${transcription(transcription_id)}/segments/${segment_id}`);
    const [{ speaker }] = await segmentsOf(original);
    const named = await tenant.call('POST', `${at()}/speakers`, { name: 'Ana', label: speaker });
    expect(named.status).toBe(201);
    expect(await listed('?stale=true')).toEqual([]);
  });
});

describe('an engine that loses a number', () => {
  it('is called again, and metered once', async () => {
    const before = await used();
    const asked: string[] = [];
    const { transcription_id } = await translatedBy(async (sentences) => {
      asked.push(...sentences);
      return sentences.map((text) => text.replace('12 ', ''));
    });
    expect(asked.length).toBeGreaterThan(3);
    expect((await textsOf(transcription_id))[1]).toContain('12');
    expect((await used()) - before).toBe(characters);
  });
});

describe.skipIf(!hasApertium())('an edit of the original', () => {
  const edit = async (nth: number, change: object) => {
    const { segment_id } = (await segmentsOf(original))[nth];
    expect((await correct(original, segment_id, change)).status).toBe(200);
    return segment_id as string;
  };
  const stale = async (made: string) =>
    (await segmentsOf(made)).flatMap(({ stale }: Segment, nth: number) => (stale ? [nth] : []));
  const isStale = async () => (await listed('?stale=true')).length > 0;
  const again = async (segment_ids: string[]) => {
    const reply = await translate({ language_ids: [spanish], segment_ids }, 'partial_retranslation_jobs');
    expect(reply.status).toBe(202);
    return done(reply.json.job_id, 'partial_retranslation');
  };

  it('makes its translated segments stale until the original is restored, unless another text was translated', async () => {
    const made = await translated();
    expect(await isStale()).toBe(false);
    await edit(2, { text: 'and he sees the new garden' });
    expect(await listed('?stale=true')).toMatchObject([{ transcription_id: made }]);
    expect(await listed('?stale=false')).toMatchObject([{ transcription_id: original }]);
    expect(await stale(made)).toEqual([1, 2, 3]);
    const restored = (version: number) =>
      tenant.call('POST', `${transcription(original)}/restore`, { version });
    expect((await restored(1)).status).toBe(200);
    expect([await stale(made), await isStale()]).toEqual([[], false]);
    await restored(2);
    expect([await stale(made), await isStale()]).toEqual([[1, 2, 3], true]);
  });

  it('is followed by a retranslation of its sentence that changes nothing else', async () => {
    const made = await translated();
    const [first] = await segmentsOf(made);
    await correct(made, first.segment_id, { text: 'La casa, por cierto, es roja.' });
    const id = await edit(2, { text: 'and he sees the new garden' });
    const before = await segmentsOf(made);
    expect(await again([id])).toMatchObject({
      status: 'succeeded',
      items: [{ result: { transcription_id: made, version: 3 } }],
    });
    const after = await segmentsOf(made);
    expect([after[0], after[4]]).toEqual([before[0], before[4]]);
    expect((await textsOf(made)).slice(1, 4).join(' ')).toContain('nuevo');
    expect([await stale(made), await isStale()]).toEqual([[], false]);
  });

  it('is confirmed if a person edits the translated segment, with the ETag of a stale translation', async () => {
    const made = await translated();
    await edit(0, { text: 'The house is green.' });
    await edit(4, { text: 'The cat eats.' });
    const before = await tenant.call('GET', transcription(made));
    const [first, , , , last] = before.json.segments;
    const etag = { 'if-match': before.headers.ETag! };
    expect((await correct(made, first.segment_id, { text: 'La casa es verde.' }, etag)).status).toBe(200);
    expect((await correct(made, first.segment_id, { text: 'Otra.' }, etag)).status).toBe(412);
    expect([await stale(made), await isStale()]).toEqual([[4], true]);
    // A person can also confirm a segment without changing it.
    await correct(made, last.segment_id, { text: last.text });
    expect([await stale(made), await isStale()]).toEqual([[], false]);
    await tenant.call('POST', `${transcription(made)}/restore`, { version: 1 });
    expect([await stale(made), await isStale()]).toEqual([[0, 4], true]);
  });

  it('that changes only times marks one segment, and moves it if the request names it, without an engine', async () => {
    const made = await translated();
    const last = (await segmentsOf(made))[4];
    await correct(made, last.segment_id, { text: 'Come el perro.' });
    const id = await edit(4, { end_ms: 5500 });
    expect(await stale(made)).toEqual([4]);
    expect((await segmentsOf(made))[4].stale_reason).toBe('placement');
    const before = await used();
    await again([id]);
    const after = (await segmentsOf(made))[4];
    expect([after.text, after.end_ms, await isStale()]).toEqual(['Come el perro.', 5500, false]);
    expect(await used()).toBe(before);
  });

  it('that deletes a segment keeps the translation stale until a request names it or a person deletes the translated one', async () => {
    const made = await translated();
    const originals = await segmentsOf(original);
    for (const { segment_id } of [originals[0], originals[4]])
      await tenant.call('DELETE', `${transcription(original)}/segments/${segment_id}`);
    expect(await stale(made)).toEqual([0, 4]);
    expect((await segmentsOf(made))[0].stale_reason).toBe('deleted');
    const body = { language_ids: [french], segment_ids: [originals[0].segment_id] };
    await translated(french);
    expect((await translate(body, 'partial_retranslation_jobs')).status).toBe(422);
    await again([originals[0].segment_id]);
    const left = await segmentsOf(made);
    expect([left.length, await stale(made), await isStale()]).toEqual([4, [3], true]);
    await tenant.call('DELETE', `${transcription(made)}/segments/${left[3].segment_id}`);
    expect([(await segmentsOf(made)).length, await isStale()]).toEqual([3, false]);
  });

  type Edit = (ids: string[]) => Promise<unknown>;
  const post = (path: string, body: object) =>
    tenant.call('POST', `${transcription(original)}/${path}`, body).then(({ status, json }) => {
      expect(status).toBeLessThan(300);
      return json;
    });
  const created = (start_ms: number) =>
    post('segments', {
      segments: [{ start_ms, end_ms: start_ms + 900, text: 'The cat sleeps.', speaker: 'Ana' }],
    });
  const removed = (id: string) => tenant.call('DELETE', `${transcription(original)}/segments/${id}`);
  const merged: Edit = (ids) => post('segments/merge', { segment_ids: ids.slice(0, 2) });

  it.each<[string, Edit, missing: number, deleted: number, left: number]>([
    ['is merged', merged, 1, 2, 0],
    ['is replaced', ([id]) => removed(id!).then(() => created(0)), 1, 1, 0],
    [
      'is cut between two sentences',
      async ([id]) => {
        await correct(original, id!, { text: 'The house is green. The dog is old.' });
        await post(`segments/${id}/split`, { word: 4 });
      },
      1,
      0,
      0,
    ],
    [
      'is merged, translated and restored',
      async (ids) => {
        await merged(ids);
        await again(ids.slice(0, 2));
        await post('restore', { version: 1 });
      },
      2,
      1,
      0,
    ],
    ['is added far from the others', () => created(20_000), 1, 0, 1],
  ])(
    'leaves no original untranslated without naming it, if a segment %s',
    async (_, edit, missing, deleted, left) => {
      const made = await translated();
      const ids = (await segmentsOf(original)).map(({ segment_id }: Segment) => segment_id);
      await edit(ids);
      const shown = async () => (await tenant.call('GET', transcription(made))).json;
      const holes = async () =>
        (await tenant.call('GET', `${transcription(made)}/qc`)).json.findings.filter(
          ({ code }: { code: string }) => code === 'untranslated',
        );
      const before = await shown();
      expect([before.stale, before.missing_count, before.missing.length]).toEqual([true, missing, missing]);
      expect(await holes()).toHaveLength(missing);
      const stale = before.segments.filter(({ stale }: Segment) => stale);
      const asked = stale.map((each: { original_segment_id: string }) => each.original_segment_id);
      const job = await again(asked.length > 0 ? asked : [ids[4]]);
      expect(job.items[0].result.deleted_segment_ids).toHaveLength(deleted);
      const after = await shown();
      expect([after.stale, after.missing_count]).toEqual([left > 0, left]);
      expect(job.items[0].result.missing_count).toBe(left);
      if (left > 0) {
        const rest = after.missing.map((each: { original_segment_id: string }) => each.original_segment_id);
        expect((await again(rest)).items[0].result).toMatchObject({
          missing_count: 0,
          deleted_segment_ids: [],
        });
      }
      expect(await shown()).toMatchObject({ stale: false, missing_count: 0, missing: [] });
      expect(await holes()).toEqual([]);
      const origins = (await segmentsOf(made)).map(
        (each: { original_segment_id: string }) => each.original_segment_id,
      );
      expect(origins).toEqual((await segmentsOf(original)).map(({ segment_id }: Segment) => segment_id));
    },
  );

  it("keeps a person's corrections if the whole text is translated again, and each version says what changed", async () => {
    const made = await translated();
    const [first] = await segmentsOf(made);
    await correct(made, first.segment_id, { text: 'La casa, por cierto, es roja.' });
    await edit(0, { text: 'The house is green.' });
    await again([await edit(4, { text: 'The cat eats.' })]);
    await translated();
    const after = await textsOf(made);
    expect([after[0], after[4]]).toEqual(['La casa, por cierto, es roja.', expect.stringContaining('gato')]);
    expect([await stale(made), await isStale()]).toEqual([[0], true]);
    const { data } = (await tenant.call('GET', `${transcription(made)}/versions`)).json;
    const change = (action: string, segments: number) => {
      return { change: { action, segments, restored_version: null } };
    };
    expect(data).toMatchObject([
      change('translated', 4),
      change('translated', 1),
      change('edited', 1),
      change('created', 5),
    ]);
  });

  it('that changes the speaker also changes the translation, and does not make it stale', async () => {
    const made = await translated();
    const [first] = await segmentsOf(original);
    const speakers = `${at()}/speakers`;
    const { speaker_id } = (await tenant.call('POST', speakers, { name: 'Ana', label: first.speaker })).json;
    const told = async () => {
      const segments: { speaker: string; speaker_id: string | null }[] = await segmentsOf(made);
      return [...new Set(segments.map((each) => `${each.speaker} ${each.speaker_id}`))];
    };
    expect([await told(), await isStale()]).toEqual([[`Ana ${speaker_id}`], false]);
    await edit(0, { text: 'The house is green.' });
    await tenant.call('DELETE', `${speakers}/${speaker_id}`);
    expect([await told(), await stale(made), await isStale()]).toEqual([['Ana null'], [0], true]);
    await edit(0, { text: texts[0] });
    await tenant.call('POST', speakers, { name: 'Ana' });
    expect(await isStale()).toBe(false);
  });
});
