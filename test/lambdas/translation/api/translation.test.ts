import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Transcriptions } from '../../../../lambdas/transcripts/lineage/records/transcriptions.ts';
import { derivedKey } from '../../../../platform/objects/media-objects.ts';
import { configurationKey } from '../../../../platform/table/keys.ts';
import type { AssetId } from '../../../../shared/ids.ts';
import { languageByCode } from '../../../../shared/languages.ts';
import { hasApertium } from '../../../engines/translation/apertium-installed.ts';
import { english, spanish } from '../../../support/api.ts';
import { runStep } from '../../../support/run-step.ts';
import { startTestApi } from '../../../support/test-api.ts';

const french = languageByCode('fr')!.language_id;
const german = languageByCode('de')!.language_id;
const missing = '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11';

const api = await startTestApi();
const tenant = await api.tenant('translator');
const other = await api.tenant('other');

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

const translate = (body: object, kind = 'translation_jobs') => tenant.call('POST', `${at()}/${kind}`, body);
const segmentsOf = async (id: string) =>
  (await tenant.call('GET', `${at()}/transcriptions/${id}`)).json.segments;
const listed = async (query = '') => (await tenant.call('GET', `${at()}/transcriptions${query}`)).json.data;

/** The keys of the transcription's objects in the bucket. */
const documentsOf = async (id: string) => {
  const Prefix = derivedKey(tenant.id, asset, { step: 'transcription', version: id, name: '' });
  const s3 = new S3Client({ forcePathStyle: true });
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: 'media', Prefix }));
  return Contents.map(({ Key }) => Key);
};

const run = async (name: string, input: object) => {
  return runStep(name, input);
};

interface Input {
  readonly tenant: string;
  readonly asset_id: string;
  readonly job_id: string;
  readonly kind: string;
}

const inputOf = (job_id: string, kind = 'translation'): Input => ({
  tenant: tenant.id,
  asset_id: asset,
  job_id,
  kind,
});

/** The result that the state machine makes for a language that failed. */
const asEnd = (language_id: string) => (error: Error) => ({
  language_id,
  failure: { Error: error.name, Cause: JSON.stringify({ errorMessage: error.message }) },
});

/** Runs the steps as the state machine does. */
async function done(job_id: string, kind = 'translation') {
  const input = inputOf(job_id, kind);
  const { languages } = (await run('plan-translation', input)) as { languages: { language_id: string }[] };
  const ends = [];
  for (const one of languages)
    ends.push(await run('translate-language', { ...input, ...one }).catch(asEnd(one.language_id)));
  await run('finish-translation', { ...input, ends });
  const path = kind === 'translation' ? 'translation_jobs' : 'partial_retranslation_jobs';
  return (await tenant.call('GET', `${at()}/${path}/${job_id}`)).json;
}

const used = async () =>
  (await tenant.call('GET', '/v1/usages/current_month')).json.metrics.find(
    ({ metric }: { metric: string }) => metric === 'translated_characters',
  ).quantity;

/** Translates the asset into Spanish with an engine of the test. */
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

  it('is rejected for missing languages, and is not visible to other tenants', async () => {
    const reply = await translate({ language_ids: [missing] });
    expect([reply.status, reply.json.errors[0].pointer]).toEqual([422, '/language_ids/0']);
    expect((await other.call('POST', `${at()}/translation_jobs`, { language_ids: [spanish] })).status).toBe(
      404,
    );
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
    const before = (await tenant.call('GET', '/v1/usages/current_month')).json.metrics;
    const job = await done((await translate({ language_ids: [spanish] })).json.job_id);
    expect(job).toMatchObject({
      status: 'succeeded',
      progress: 1,
      items: [{ status: 'succeeded', progress: 1 }],
    });
    expect(job.result.transcription_ids).toEqual([job.items[0].result.transcription_id]);
    const { languages, translations } = (await tenant.call('GET', at())).json;
    expect(languages).toContain(spanish);
    expect(translations).toEqual([{ language_id: spanish, status: 'ready', error: null }]);
    const after = (await tenant.call('GET', '/v1/usages/current_month')).json.metrics;
    const of = (metrics: { metric: string; quantity: number }[]) =>
      metrics.find(({ metric }) => metric === 'translated_characters')!.quantity;
    expect(of(after) - of(before)).toBe(texts.join(' ').length - 2);
  });

  it('is metered if it fails, and once if its step is repeated', async () => {
    const before = await used();
    const { job_id } = (await translate({ language_ids: [spanish] })).json;
    const input = { ...inputOf(job_id), index: 0, language_id: spanish };
    const killed = vi.spyOn(Transcriptions.prototype, 'create').mockRejectedValueOnce(new Error('killed'));
    await expect(run('translate-language', input)).rejects.toThrow('killed');
    killed.mockRestore();
    const characters = texts.join(' ').length - 2;
    expect((await used()) - before).toBe(characters);
    await run('translate-language', input);
    await run('translate-language', input);
    expect((await used()) - before).toBe(characters);
  });

  it('becomes a new version with the same ids if it is made again', async () => {
    const first = await translated();
    const before = await segmentsOf(first);
    expect(await translated()).toBe(first);
    expect(await listed()).toHaveLength(2);
    const { version, segments } = (await tenant.call('GET', `${at()}/transcriptions/${first}`)).json;
    expect(version).toBe(2);
    expect(segments).toEqual(before);
  });

  it('is created once if its step is repeated', async () => {
    const { job_id } = (await translate({ language_ids: [spanish] })).json;
    const input = { ...inputOf(job_id), index: 0, language_id: spanish };
    const first = await run('translate-language', input);
    expect(await run('translate-language', input)).toEqual(first);
    await translated();
    expect(
      await run('translate-language', {
        ...inputOf((await translate({ language_ids: [spanish] })).json.job_id),
        index: 0,
        language_id: spanish,
      }),
    ).toMatchObject({ version: 3 });
    expect((await listed()).map(({ version }: { version: number }) => version)).toEqual([1, 3]);
  });

  it('advances the progress of its item and its job', async () => {
    const { job_id } = (await translate({ language_ids: [spanish, french] })).json;
    const input = inputOf(job_id);
    await run('plan-translation', input);
    await run('translate-language', { ...input, index: 1, language_id: french });
    const job = (await tenant.call('GET', `${at()}/translation_jobs/${job_id}`)).json;
    expect(job).toMatchObject({ status: 'running', progress: 0.49 });
    expect(job.items).toMatchObject([{ status: 'queued', progress: 0 }, { status: 'running' }]);
  });

  it('does not affect the results of other languages if it fails', async () => {
    const { job_id } = (await translate({ language_ids: [spanish, french] })).json;
    const input = inputOf(job_id);
    await run('plan-translation', input);
    const made = await run('translate-language', { ...input, index: 0, language_id: spanish });
    const failed = asEnd(french)(Object.assign(new Error('Busy.'), { name: 'provider_unavailable' }));
    await run('finish-translation', { ...input, ends: [made, failed] });
    const job = (await tenant.call('GET', `${at()}/translation_jobs/${job_id}`)).json;
    expect(job.status).toBe('partially_succeeded');
    expect(job.items).toMatchObject([
      { status: 'succeeded', result: { transcription_id: expect.any(String) } },
      {
        status: 'failed',
        error: { code: 'provider_unavailable', detail: 'Busy. Create the job again later.' },
        result: null,
      },
    ]);
    expect((await tenant.call('GET', at())).json.translations).toMatchObject([
      { language_id: spanish, status: 'ready' },
      { language_id: french, status: 'failed' },
    ]);
  });

  it('succeeds if its step crashed after it was stored', async () => {
    const { job_id } = (await translate({ language_ids: [spanish] })).json;
    const input = inputOf(job_id);
    await run('plan-translation', input);
    await run('translate-language', { ...input, index: 0, language_id: spanish });
    const died = asEnd(spanish)(Object.assign(new Error('Exited.'), { name: 'Runtime.ExitError' }));
    await run('finish-translation', { ...input, ends: [died] });
    const job = (await tenant.call('GET', `${at()}/translation_jobs/${job_id}`)).json;
    expect(job).toMatchObject({ status: 'succeeded', items: [{ status: 'succeeded', error: null }] });
    expect((await tenant.call('GET', at())).json.translations).toMatchObject([
      { language_id: spanish, status: 'ready' },
    ]);
  });

  it('stays and is reported if the whole job fails later', async () => {
    const { job_id } = (await translate({ language_ids: [spanish, french] })).json;
    const input = inputOf(job_id);
    await run('plan-translation', input);
    await run('translate-language', { ...input, index: 0, language_id: spanish });
    const failure = { Error: 'States.Timeout', Cause: '' };
    for (let repeat = 0; repeat < 2; repeat += 1) await run('fail-translation', { ...input, failure });
    const job = (await tenant.call('GET', `${at()}/translation_jobs/${job_id}`)).json;
    expect(job).toMatchObject({
      status: 'partially_succeeded',
      items: [{ status: 'succeeded' }, { status: 'failed', error: { code: 'timed_out' } }],
    });
    expect((await tenant.call('GET', at())).json.languages).toContain(spanish);
  });

  it('becomes the next version after that of another job; if it is canceled, the edits of the other job stay', async () => {
    const [one, other] = [
      (await translate({ language_ids: [spanish] })).json.job_id,
      (await translate({ language_ids: [spanish] })).json.job_id,
    ];
    const made = (job_id: string) =>
      run('translate-language', { ...inputOf(job_id), index: 0, language_id: spanish });
    await made(one);
    expect(await made(other)).toMatchObject({ version: 2 });
    await tenant.call('POST', `/v1/jobs/${one}/cancel`);
    await run('clear-translation', inputOf(one));
    expect((await listed()).map(({ version }: { version: number }) => version)).toEqual([1, 2]);
  });

  it('keeps the words in the lists of the template', async () => {
    const ids = [12, 13, 18].map((last) => `019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a${last}`);
    const [template_id, whitelist, dictionary] = ids as [string, string, string];
    await tenant.table.put({
      ...configurationKey(tenant.id, 'templates', template_id),
      whitelist_ids: [whitelist],
      domain_dictionary_ids: [dictionary],
    });
    await tenant.table.put({
      ...configurationKey(tenant.id, 'whitelists', whitelist),
      words: ['Red House', 'Green'],
    });
    await tenant.table.put({
      ...configurationKey(tenant.id, 'dictionaries', dictionary),
      dictionary: { garden: ['Garden of the Queen'] },
    });
    asset = await tenant.readyAsset({ template_id });
    original = await tenant.transcribed(asset, ['The red house of', 'Mr. Green is old. He sees the garden.']);
    const all = (await segmentsOf(await translated())).map(({ text }: { text: string }) => text).join(' ');
    for (const kept of ['red house', 'Green', 'garden']) expect(all).toContain(kept);
  });

  it('omits the words of a blacklist only in the language of the list', async () => {
    const ids = [14, 15, 16, 17].map((last) => `019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a${last}`);
    const [template_id, spanish_list, english_list, whitelist] = ids as [string, string, string, string];
    const put = (type: string, id: string, list: object) =>
      tenant.table.put({ ...configurationKey(tenant.id, type, id), ...list });
    const blacklist_ids = [spanish_list, english_list];
    await put('templates', template_id, { blacklist_ids, whitelist_ids: [whitelist] });
    await put('blacklists', spanish_list, { words: ['ROJA', 'perro', 'Kinora'], language_id: spanish });
    await put('blacklists', english_list, { words: ['casa'], language_id: english });
    await put('whitelists', whitelist, { words: ['Kinora'] });
    asset = await tenant.readyAsset({ template_id });
    original = await tenant.transcribed(asset, ['The house is red.', 'Kinora eats.']);
    const all = (await segmentsOf(await translated())).map(({ text }: { text: string }) => text);
    expect(all).toEqual(['La casa es.', expect.stringContaining('Kinora')]);
  });

  it('is removed if its job is canceled; a later version is undone', async () => {
    const first = await translated();
    const before = await segmentsOf(first);
    await tenant.call(
      'PATCH',
      `${at()}/transcriptions/${original}/segments/${(await segmentsOf(original))[0].segment_id}`,
      { text: 'The house is green.' },
    );
    const { job_id } = (await translate({ language_ids: [spanish, french] })).json;
    const input = inputOf(job_id);
    await run('translate-language', { ...input, index: 0, language_id: spanish });
    await run('translate-language', { ...input, index: 1, language_id: french });
    expect(await listed()).toHaveLength(3);
    const inFrench = (await listed()).find(
      ({ language_id }: { language_id: string }) => language_id === french,
    ).transcription_id;
    expect(await documentsOf(inFrench)).toHaveLength(1);
    expect((await tenant.call('POST', `/v1/jobs/${job_id}/cancel`)).json.status).toBe('canceled');
    await expect(run('finish-translation', { ...input, ends: [] })).rejects.toMatchObject({
      name: 'canceled',
    });
    for (let repeat = 0; repeat < 2; repeat += 1) await run('clear-translation', input);
    const left = (await listed()) as { language_id: string; version: number }[];
    expect(left.map(({ language_id, version }) => [language_id, version])).toEqual([
      [english, 2],
      [spanish, 3],
    ]);
    expect(await documentsOf(inFrench)).toEqual([]);
    const undone = await segmentsOf(first);
    expect(undone.map(({ text }: { text: string }) => text)).toEqual(
      before.map(({ text }: { text: string }) => text),
    );
  });
});

describe('an edit of the original while it is translated', () => {
  it('makes the translation stale, even if it did not exist yet', async () => {
    const [{ segment_id }] = await segmentsOf(original);
    const path = `${at()}/transcriptions/${original}/segments/${segment_id}`;
    const { transcription_id } = await translatedBy(async (sentences) => {
      expect((await tenant.call('PATCH', path, { text: 'The house is blue.' })).status).toBe(200);
      return [...sentences];
    });
    expect(await listed('?stale=true')).toMatchObject([{ transcription_id }]);
  });
});

describe('an unnamed voice that gets a name', () => {
  it('makes no translation stale', async () => {
    const { transcription_id } = await translatedBy(async (sentences) => [...sentences]);
    for (const { segment_id } of await segmentsOf(transcription_id))
      await tenant.call('DELETE', `${at()}/transcriptions/${transcription_id}/segments/${segment_id}`);
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
    const all = (await segmentsOf(transcription_id)).map(({ text }: { text: string }) => text);
    expect(all[1]).toContain('12');
    expect((await used()) - before).toBe(texts.join(' ').length - 2);
  });
});

describe.skipIf(!hasApertium())('an edit of the original', () => {
  const edit = async (nth: number, change: object) => {
    const { segment_id } = (await segmentsOf(original))[nth];
    const reply = await tenant.call(
      'PATCH',
      `${at()}/transcriptions/${original}/segments/${segment_id}`,
      change,
    );
    expect(reply.status).toBe(200);
    return segment_id as string;
  };
  const stale = (segments: { stale?: boolean }[]) =>
    segments.flatMap(({ stale }, nth) => (stale ? [nth] : []));
  const again = async (segment_ids: string[]) => {
    const reply = await translate({ language_ids: [spanish], segment_ids }, 'partial_retranslation_jobs');
    expect(reply.status).toBe(202);
    return done(reply.json.job_id, 'partial_retranslation');
  };

  it('marks its translated segments, and lists the translation as stale', async () => {
    const made = await translated();
    expect(await listed('?stale=true')).toEqual([]);
    await edit(2, { text: 'and he sees the new garden' });
    expect(
      (await listed('?stale=true')).map(
        ({ transcription_id }: { transcription_id: string }) => transcription_id,
      ),
    ).toEqual([made]);
    expect(
      (await listed('?stale=false')).map(
        ({ transcription_id }: { transcription_id: string }) => transcription_id,
      ),
    ).toEqual([original]);
    expect(stale(await segmentsOf(made))).toEqual([1, 2, 3]);
  });

  it('marks one segment if only its times or its speaker changed, and none after an undo', async () => {
    const made = await translated();
    await edit(4, { end_ms: 5500 });
    expect(stale(await segmentsOf(made))).toEqual([4]);
    expect((await segmentsOf(made))[4].stale_reason).toBe('placement');
    await edit(4, { end_ms: 5000 });
    expect(stale(await segmentsOf(made))).toEqual([]);
  });

  it('leaves nothing stale after the original is restored, unless another text was translated', async () => {
    const made = await translated();
    await edit(2, { text: 'and he sees the new garden' });
    const restored = (version: number) =>
      tenant.call('POST', `${at()}/transcriptions/${original}/restore`, { version });
    expect((await restored(1)).status).toBe(200);
    expect(stale(await segmentsOf(made))).toEqual([]);
    expect(await listed('?stale=true')).toEqual([]);
    await restored(2);
    expect(stale(await segmentsOf(made))).toEqual([1, 2, 3]);
    expect(await listed('?stale=true')).toHaveLength(1);
  });

  it('is followed by a retranslation of its sentence that changes nothing else', async () => {
    const made = await translated();
    const [first] = await segmentsOf(made);
    await tenant.call('PATCH', `${at()}/transcriptions/${made}/segments/${first.segment_id}`, {
      text: 'La casa, por cierto, es roja.',
    });
    const id = await edit(2, { text: 'and he sees the new garden' });
    const before = await segmentsOf(made);
    const job = await again([id]);
    expect(job).toMatchObject({
      status: 'succeeded',
      items: [{ result: { transcription_id: made, version: 3 } }],
    });
    const after = await segmentsOf(made);
    expect([after[0], after[4]]).toEqual([before[0], before[4]]);
    expect(
      after
        .slice(1, 4)
        .map(({ text }: { text: string }) => text)
        .join(' '),
    ).toContain('nuevo');
    expect(stale(after)).toEqual([]);
    expect(await listed('?stale=true')).toEqual([]);
  });

  it('keeps the translation stale until all edits are translated', async () => {
    const made = await translated();
    const one = await edit(0, { text: 'The house is green.' });
    const last = await edit(4, { text: 'The cat eats.' });
    await again([one]);
    expect(stale(await segmentsOf(made))).toEqual([4]);
    expect(await listed('?stale=true')).toHaveLength(1);
    await again([last]);
    expect(await listed('?stale=true')).toEqual([]);
  });

  const correct = (made: string, segment_id: string, change: object, headers = {}) =>
    tenant.call('PATCH', `${at()}/transcriptions/${made}/segments/${segment_id}`, change, headers);
  const isStale = async () => (await listed('?stale=true')).length > 0;

  it('is confirmed if a person edits the translated segment, with the ETag of a stale translation', async () => {
    const made = await translated();
    await edit(0, { text: 'The house is green.' });
    await edit(4, { text: 'The cat eats.' });
    const before = await tenant.call('GET', `${at()}/transcriptions/${made}`);
    const [first, , , , last] = before.json.segments;
    const etag = { 'if-match': before.headers.ETag! };
    expect((await correct(made, first.segment_id, { text: 'La casa es verde.' }, etag)).status).toBe(200);
    expect((await correct(made, first.segment_id, { text: 'Otra.' }, etag)).status).toBe(412);
    expect([stale(await segmentsOf(made)), await isStale()]).toEqual([[4], true]);
    // A person can also confirm a segment without changing it.
    await correct(made, last.segment_id, { text: last.text });
    expect([stale(await segmentsOf(made)), await isStale()]).toEqual([[], false]);
    await tenant.call('POST', `${at()}/transcriptions/${made}/restore`, { version: 1 });
    expect([stale(await segmentsOf(made)), await isStale()]).toEqual([[0, 4], true]);
  });

  it('that changes only times moves the translated segment if the request names it, without an engine', async () => {
    const made = await translated();
    const last = (await segmentsOf(made))[4];
    await correct(made, last.segment_id, { text: 'Come el perro.' });
    const id = await edit(4, { end_ms: 5500 });
    const before = (await tenant.call('GET', '/v1/usages/current_month')).json;
    await again([id]);
    const after = (await segmentsOf(made))[4];
    expect([after.text, after.end_ms, await isStale()]).toEqual(['Come el perro.', 5500, false]);
    expect((await tenant.call('GET', '/v1/usages/current_month')).json.metrics).toEqual(before.metrics);
  });

  it('that deletes a segment keeps the translation stale until a request names it or a person deletes the translated one', async () => {
    const made = await translated();
    const originals = await segmentsOf(original);
    for (const { segment_id } of [originals[0], originals[4]])
      await tenant.call('DELETE', `${at()}/transcriptions/${original}/segments/${segment_id}`);
    expect(stale(await segmentsOf(made))).toEqual([0, 4]);
    expect((await segmentsOf(made))[0].stale_reason).toBe('deleted');
    const body = { language_ids: [french], segment_ids: [originals[0].segment_id] };
    await translated(french);
    expect((await translate(body, 'partial_retranslation_jobs')).status).toBe(422);
    await again([originals[0].segment_id]);
    const left = await segmentsOf(made);
    expect([left.length, stale(left), await isStale()]).toEqual([4, [3], true]);
    await tenant.call('DELETE', `${at()}/transcriptions/${made}/segments/${left[3].segment_id}`);
    expect([(await segmentsOf(made)).length, await isStale()]).toEqual([3, false]);
  });

  it("keeps a person's corrections if the whole text is translated again", async () => {
    const made = await translated();
    const [first] = await segmentsOf(made);
    await correct(made, first.segment_id, { text: 'La casa, por cierto, es roja.' });
    await edit(0, { text: 'The house is green.' });
    await edit(4, { text: 'The cat eats.' });
    await translated();
    const after = await segmentsOf(made);
    expect(after[0].text).toBe('La casa, por cierto, es roja.');
    expect(after[4].text).toContain('gato');
    expect([stale(after), await isStale()]).toEqual([[0], true]);
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
    expect([await told(), stale(await segmentsOf(made)), await isStale()]).toEqual([['Ana null'], [0], true]);
    await edit(0, { text: texts[0] });
    await tenant.call('POST', speakers, { name: 'Ana' });
    expect(await isStale()).toBe(false);
  });

  it('is distinguished from edits by people in the list of versions', async () => {
    const made = await translated();
    const [first] = await segmentsOf(made);
    await correct(made, first.segment_id, { text: 'La casa, por cierto, es roja.' });
    const id = await edit(4, { text: 'The cat eats.' });
    await again([id]);
    await translated();
    const { data } = (await tenant.call('GET', `${at()}/transcriptions/${made}/versions`)).json;
    expect(data.map(({ change }: { change: object }) => change)).toEqual([
      { action: 'translated', segments: 4, restored_version: null },
      { action: 'translated', segments: 1, restored_version: null },
      { action: 'edited', segments: 1, restored_version: null },
      { action: 'created', segments: 5, restored_version: null },
    ]);
  });
});
