import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Assets } from '../../../lambdas/assets/records/assets.ts';
import { materialsHash, materialsOf } from '../../../lambdas/clips/actions/clip-materials.ts';
import { Clips } from '../../../lambdas/clips/records/clips.ts';
import { type Use, usesOf } from '../../../lambdas/ingest/rules/uses.ts';
import type { TranslationOwn } from '../../../lambdas/translation/rules/translation-job.ts';
import { audioTracksOf, dubIdOf } from '../../../lambdas/voice-over/records/audio-tracks.ts';
import { quoteLines, receiptOf } from '../../../platform/admission/bill.ts';
import { amountsOf } from '../../../platform/admission/demand.ts';
import { Jobs } from '../../../platform/jobs/job-records.ts';
import { clipKey, configurationKey } from '../../../platform/table/keys.ts';
import { Usage } from '../../../platform/usage/metering.ts';
import { type AssetId, asAssetId } from '../../../shared/ids.ts';
import { type IngestOwn, newIngestJob } from '../../../shared/ingest-jobs.ts';
import { languageByCode } from '../../../shared/languages.ts';
import { type Limits, unlimited } from '../../../shared/usage.ts';
import { spanish, type Tenant } from '../../support/api.ts';
import { begunUpload } from '../../support/begun-upload.ts';
import { exportingOf } from '../../support/exporting.ts';
import { asTest } from '../../support/function-permissions.ts';
import { newJobId } from '../../support/ids.ts';
import { startTestApi } from '../../support/test-api.ts';

let tenants = 0;

const api = await startTestApi();
// `prices` as functions receive them from an environment's file: USD for a minute, a million characters, a picture.
beforeEach(() => {
  vi.stubEnv('PRICE_TRANSCRIPTION', '0.024');
  vi.stubEnv('PRICE_TRANSLATION', '15');
  vi.stubEnv('PRICE_FACES', '0.001');
});
afterEach(() => vi.unstubAllEnvs());

async function tenantWith(quotas: Limits['quotas'] = {}): Promise<Tenant & { usage: Usage }> {
  tenants += 1;
  const tenant = await api.limited(`costs-${tenants}`, { quotas });
  return { ...tenant, usage: new Usage(tenant.table, tenant.id) };
}

const french = languageByCode('fr')!.language_id;
const said = 'The house is red.';

async function transcribed(tenant: Tenant): Promise<AssetId> {
  const asset = await tenant.readyAsset();
  await tenant.transcribed(asset, [said]);
  return asset;
}

async function clipOf(tenant: Tenant, end_ms: number, branding: object = {}) {
  const asset = await tenant.readyAsset();
  const { json } = await tenant.call('POST', `/v1/assets/${asset}/video_clips`, {
    video_clips: [{ end_ms, ...branding }],
  });
  return { asset, video_clip_id: json.data[0].video_clip_id as string };
}

/** Adds an intro and an outro of this length (ms), for clips with the aspect ratio of their media. */
async function brandingOf(tenant: Tenant, duration_ms: number): Promise<{ branding_id: string }> {
  const made = async (path: string, body: object) => (await tenant.call('POST', path, body)).json;
  const { branding_id } = await made('/v1/brandings', { name: 'B' });
  const { clip_id } = await made('/v1/branding_clips', { name: 'Opener', filename: 'o.mp4' });
  await tenant.table.update({
    key: configurationKey(tenant.id, 'branding_clips', clip_id),
    expression: 'SET #status = :ready, #file = :file',
    names: { '#status': 'status', '#file': 'file' },
    values: { ready: 'ready', file: { key: 'k', media_type: 'video/mp4', duration_ms } },
  });
  const variant = { aspect_ratio: '16:9', intro_id: clip_id, outro_id: clip_id };
  await made(`/v1/brandings/${branding_id}/variants`, variant);
  return { branding_id };
}

/** Records that the clip was rendered from its current source. */
async function render(tenant: Tenant, asset: string, video_clip_id: string): Promise<void> {
  const { table, id } = tenant;
  const clip = await new Clips(table, id).get(asAssetId(asset), video_clip_id);
  const made_of = materialsHash(
    await materialsOf(await new Assets(table, id).get(asAssetId(asset)), { table, tenant: id })(clip),
  );
  await table.update({
    key: clipKey(id, asAssetId(asset), video_clip_id),
    expression: 'SET #render = :render',
    names: { '#render': 'render' },
    values: { render: { file: 'f', made_of, notes: [] } },
  });
}

const quote = (tenant: Tenant, asset: string, query: string) =>
  tenant.call('GET', `/v1/assets/${asset}/quote?${query}`);

const translate = (tenant: Tenant, asset: string) =>
  tenant.call('POST', `/v1/assets/${asset}/translation_jobs`, { language_ids: [spanish] });

const spend = (tenant: Tenant & { usage: Usage }, microusd: number, job_id = newJobId()) =>
  tenant.usage.record({
    use_id: newJobId(),
    meter: 'spoken_characters',
    quantity: 1000,
    at: new Date().toISOString(),
    job_id,
    by: { engine: 'polly', microusd: microusd / 1000 },
  });

it('the cost of engines is a metric, once for each use, and in USD', async () => {
  const tenant = await tenantWith();
  const lines = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const job_id = newJobId();
  const used = { use_id: newJobId(), at: new Date().toISOString(), job_id, quantity: 1000 } as const;
  const by = { engine: 'polly', microusd: 16 };
  const { usageOf } = await import('../../../platform/runtime/usage.ts');
  const usage = usageOf(tenant.table, tenant.id);
  for (const engine of [by, by]) await usage.record({ ...used, meter: 'spoken_characters', by: engine });
  await usage.record({ ...used, meter: 'rendered_ms', by: null });
  const metered = lines.mock.calls
    .map(([line]) => String(line))
    .filter((line) => line.includes('MeteredCost'));
  lines.mockRestore();
  expect(metered.map((line) => JSON.parse(line).MeteredCost)).toEqual([0.016]);
});

describe('a quote', () => {
  it('for a translation counts the characters to translate, at the price of the engine', async () => {
    const tenant = await tenantWith();
    const asset = await transcribed(tenant);
    const { json } = await quote(tenant, asset, `job=translation&languages=${spanish},${french}`);
    const line = {
      metric: 'translated_characters',
      unit: 'characters',
      quantity: 2 * said.length,
      engine: 'apertium',
      cost_usd: 0.00051,
      is_estimate: false,
    };
    expect(json).toMatchObject({ lines: [line], cost_usd: 0.00051, budget: null });
  });

  it('for an ingest is exact in minutes of sound, and an estimate for texts and pictures', async () => {
    const tenant = await tenantWith();
    const { json: asset } = await tenant.call('POST', '/v1/assets', { filename: 'a.mp4' });
    const { json } = await quote(tenant, asset.asset_id, 'job=ingest&duration_ms=3600000');
    const [minutes, pictures] = json.lines;
    // The sound of a video may be shorter than its picture.
    expect(minutes).toMatchObject({ quantity: 60, cost_usd: 1.44, is_estimate: true });
    expect(pictures).toMatchObject({
      metric: 'analyzed_pictures',
      quantity: 3600,
      cost_usd: 3.6,
      is_estimate: true,
    });
    const sound = await quote(tenant, asset.asset_id, 'job=ingest&duration_ms=3600000&has_video=false');
    expect(sound.json.lines[0]).toMatchObject({ quantity: 60, is_estimate: false });
    expect(sound.json.lines.map(({ metric }: { metric: string }) => metric)).not.toContain(
      'analyzed_pictures',
    );
  });

  it('for an ingest counts the pictures in which Rekognition compares faces: at most 2,000', async () => {
    vi.stubEnv('ENGINES', 'aws');
    const { ingestDemands } = await import('../../../lambdas/ingest/actions/ingest-demands.ts');
    const faces = (quantity: number) =>
      ingestDemands([{ capability: 'faces', meter: 'analyzed_pictures', quantity, is_estimate: true }])[0]!
        .quantity;
    expect([100, 3600].map(faces)).toEqual([200, 5600]);
  });

  it('has one line for each engine and metric, like the receipt', async () => {
    const tenant = await tenantWith();
    const by = { engine: 'rekognition', microusd: 1000 };
    const demand = (quantity: number, engine: typeof by | null = by) =>
      ({ meter: 'analyzed_pictures', quantity, is_estimate: true, by: engine }) as const;
    const job_id = newJobId();
    for (const quantity of [60, 20])
      await tenant.usage.record({
        ...{ use_id: newJobId(), at: new Date().toISOString(), job_id, by },
        ...{ meter: 'analyzed_pictures', quantity },
      });
    const { lines } = await receiptOf(tenant.table, tenant.id, job_id);
    expect(quoteLines([demand(60), demand(20)])).toEqual(lines.map((one) => ({ ...one, is_estimate: true })));
    expect(quoteLines([demand(60), demand(1, null)])).toHaveLength(2);
  });

  it('is free if all engines run on the local machine', async () => {
    vi.unstubAllEnvs();
    const tenant = await tenantWith();
    const { json: asset } = await tenant.call('POST', '/v1/assets', { filename: 'a.mp4' });
    const { json } = await quote(tenant, asset.asset_id, 'duration_ms=3600000');
    expect([json.job, json.cost_usd]).toEqual(['ingest', 0]);
    expect(json.lines.length).toBeGreaterThan(2);
  });

  it('for clips counts intro and outro, but no clip whose file is current, at no cost', async () => {
    const tenant = await tenantWith();
    const { asset, video_clip_id } = await clipOf(tenant, 9000, await brandingOf(tenant, 6000));
    const minutes = async () => {
      const { json } = await quote(tenant, asset, `job=clips&clips=${video_clip_id}`);
      return [json.lines[0].quantity, json.cost_usd];
    };
    expect(await minutes()).toEqual([0.35, 0]);
    await render(tenant, asset, video_clip_id);
    expect(await minutes()).toEqual([0, 0]);
  });

  it('does not use clips of another tenant', async () => {
    const { video_clip_id } = await clipOf(await tenantWith(), 1000);
    const other = await tenantWith();
    const own = await other.readyAsset();
    const answers = await Promise.all(
      [video_clip_id, newJobId()].map((id) => quote(other, own, `job=clips&clips=${id}`)),
    );
    expect(answers.map(({ json }) => [json.code, json.detail.replaceAll(/[0-9a-f-]{36}/g, '')])).toEqual(
      Array(2).fill(['invalid_parameter', answers[1]!.json.detail.replaceAll(/[0-9a-f-]{36}/g, '')]),
    );
  });

  it('names missing parameters and unknown ids', async () => {
    const tenant = await tenantWith();
    const { json: asset } = await tenant.call('POST', '/v1/assets', { filename: 'a.mp4' });
    const ready = await transcribed(tenant);
    const codeOf = async (query: string) => (await quote(tenant, ready, query)).json.code;
    for (const query of [
      'job=translation',
      `job=clips&clips=${'x'.repeat(1100)}`,
      `job=translation&languages=${newJobId()}`,
      `job=translation&languages=${languageByCode('en')!.language_id}`,
      `job=clips&clips=${newJobId()}`,
    ])
      expect([query, await codeOf(query)]).toEqual([query, 'invalid_parameter']);
    expect(await codeOf(`job=voice_over&languages=${spanish}`)).toBe('invalid_state');
    const { json } = await quote(tenant, asset.asset_id, 'job=ingest');
    expect([json.code, json.detail]).toEqual(['invalid_parameter', expect.stringContaining('duration_ms')]);
  });

  it('for a voice over is refused in the same cases as its job, also with too many languages or clips', async () => {
    const tenant = await tenantWith();
    const asset = await transcribed(tenant);
    await tenant.transcribed(asset, ['La casa es roja.'], { source: 'translated', language_id: spanish });
    const many = (count: number) => Array.from({ length: count }, newJobId).join();
    const findings = async (query: string) => {
      const { status, json } = await quote(tenant, asset, query);
      return [status, json.errors?.[0]?.parameter, json.errors?.[0]?.code];
    };
    const english = languageByCode('en')!.language_id;
    const refused = (parameter: string, code: string) => [400, parameter, code];
    expect(await findings(`job=voice_over&languages=${spanish}&clone_voice=true`)).toEqual(
      refused('clone_voice', 'engine_unavailable'),
    );
    expect(await findings(`job=voice_over&languages=${english}`)).toEqual(
      refused('languages', 'language_unsupported'),
    );
    expect(await findings(`job=voice_over&languages=${many(21)}`)).toEqual(refused('languages', 'too_many'));
    expect(await findings(`job=clips&clips=${many(51)}`)).toEqual(refused('clips', 'too_many'));
    expect((await quote(tenant, asset, `job=voice_over&languages=${spanish}`)).status).toBe(200);
  });

  it("for a voice over uses the template's choice of cloned voices, if the query states none", async () => {
    vi.stubEnv('VOICE_CLONING_URL', 'http://127.0.0.1:9');
    vi.stubEnv('VOICE_CLONING_KEY', 'secret');
    const tenant = await tenantWith();
    const voice_over_config = { clone_voice: true };
    const { json: template } = await tenant.call('POST', '/v1/templates', { name: 'T', voice_over_config });
    const asset = await tenant.readyAsset({ template_id: template.template_id });
    await tenant.transcribed(asset, [said]);
    await tenant.transcribed(asset, ['La casa es roja.'], { source: 'translated', language_id: spanish });
    const engine = async (more = '') =>
      (await quote(tenant, asset, `job=voice_over&languages=${spanish}${more}`)).json.lines[0].engine;
    expect([await engine(), await engine('&clone_voice=false')]).toEqual(['elevenlabs', 'espeak-ng']);
    vi.unstubAllEnvs();
    const { json } = await quote(tenant, asset, `job=voice_over&languages=${spanish}`);
    expect(json.errors[0].detail).toContain("The asset's template requests it");
  });

  it('has no cost if the engine has no price', () => {
    const unknown = { engine: 'bedrock', microusd: null };
    const demand = { meter: 'translated_characters', quantity: 10, by: unknown, is_estimate: false } as const;
    expect(amountsOf([demand], unlimited)).toHaveLength(1);
    expect(() => amountsOf([demand], { quotas: { cost: 1 } })).toThrow(
      'the price of the engine bedrock is not known',
    );
  });
});

describe('a repeated voice over', () => {
  it('counts only the segments whose text changed after they were spoken', async () => {
    const tenant = await tenantWith();
    const asset = await tenant.readyAsset();
    await tenant.transcribed(asset, [said, 'It is big.']);
    const texts = ['La casa es roja.', 'Es grande.'];
    const translated = await tenant.transcribed(asset, texts, { source: 'translated', language_id: spanish });
    const characters = async () =>
      (await quote(tenant, asset, `job=voice_over&languages=${spanish}`)).json.lines[0].quantity;
    expect(await characters()).toBe(26);
    const at = new Date().toISOString();
    const dub = { transcription_id: translated, transcription_version: 1, job_id: newJobId() };
    const audio_track_id = dubIdOf(asAssetId(asset), spanish);
    await audioTracksOf(tenant.table, tenant.id).create(asAssetId(asset), audio_track_id, {
      ...{ audio_track_id, asset_id: asAssetId(asset), language_id: spanish, kind: 'voice_over' },
      ...{ object_key: 'k', version: 1, created_at: at, updated_at: at },
      dub: { ...dub, replaced_job_id: null, fit_key: 'f', video_key: null },
    } as never);
    expect(await characters()).toBe(0);
    const path = `/v1/assets/${asset}/transcriptions/${translated}/segments`;
    const [{ segment_id }] = (await tenant.call('GET', `/v1/assets/${asset}/transcriptions/${translated}`))
      .json.segments;
    await tenant.call('PATCH', path, { segments: [{ segment_id, text: 'La casa es azul.' }] });
    expect(await characters()).toBe('La casa es azul.'.length);
  });
});

describe('a budget', () => {
  it('refuses the translation that would exceed it, and the quote says so', async () => {
    const tenant = await tenantWith({ cost: 0.001 });
    const asset = await transcribed(tenant);
    await spend(tenant, 800);
    const { json } = await quote(tenant, asset, `job=translation&languages=${spanish}`);
    expect(json.budget).toEqual({ limit_usd: 0.001, spent_usd: 0.0008, fits: false });
    const refused = await translate(tenant, asset);
    expect([refused.status, refused.json.code]).toEqual([403, 'quota_exceeded']);
    expect(refused.json.detail).toContain('0.0008 of 0.001 is used');
  });

  it('is not exceeded by concurrent requests for jobs', async () => {
    const tenant = await tenantWith({ cost: 0.000_6 });
    const assets = await Promise.all(Array.from({ length: 4 }, () => transcribed(tenant)));
    const answers = await Promise.all(assets.map((asset) => translate(tenant, asset)));
    // Each job takes 255 millionths of a USD.
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(2);
  });

  it('is not exceeded if the text grows between the request and its step', async () => {
    const tenant = await tenantWith({ cost: 0.03 });
    const asset = await transcribed(tenant);
    const { json: begun } = await translate(tenant, asset);
    const jobs = new Jobs<'translation', TranslationOwn>(tenant.table, tenant.id, 'translation');
    const { held } = (await jobs.get(asAssetId(asset), begun.job_id)).own;
    expect(held).toEqual({ [spanish]: said.length });
    const { requireReserved } = await import('../../../platform/admission/demand.ts');
    expect(() => requireReserved(said.length, held![spanish], 'text')).not.toThrow();
    expect(() => requireReserved(said.length + 1, held![spanish], 'text')).toThrow('Create the job again');
  });

  it('refuses uploads after it is spent', async () => {
    const tenant = await tenantWith({ cost: 0.01 });
    const { json: asset } = await tenant.call('POST', '/v1/assets', { filename: 'a.mp4' });
    const start = () => tenant.call('POST', `/v1/assets/${asset.asset_id}/start_upload`);
    expect((await start()).status).toBe(200);
    await spend(tenant, 10_000);
    expect((await start()).json.code).toBe('quota_exceeded');
  });
});

describe('fits', () => {
  const kinds = {
    translation: {
      metric: 'translated_characters',
      needs: said.length,
      prepared: async (tenant: Tenant) => {
        const asset = await transcribed(tenant);
        return { asset, query: `languages=${spanish}`, start: () => translate(tenant, asset) };
      },
    },
    voice_over: {
      metric: 'spoken_characters',
      needs: 'La casa es roja.'.length,
      prepared: async (tenant: Tenant) => {
        const asset = await transcribed(tenant);
        const translation = { source: 'translated', language_id: spanish };
        await tenant.transcribed(asset, ['La casa es roja.'], translation);
        const body = { language_ids: [spanish] };
        const path = `/v1/assets/${asset}/process_voice_over_jobs`;
        return { asset, query: `languages=${spanish}`, start: () => tenant.call('POST', path, body) };
      },
    },
    clips: {
      metric: 'rendered_minutes',
      needs: 0.15,
      prepared: async (tenant: Tenant) => {
        const { asset, video_clip_id } = await clipOf(tenant, 9000);
        const path = `/v1/assets/${asset}/video_clips/download_async`;
        const start = () => tenant.call('POST', path, { video_ids: [video_clip_id] });
        return { asset, query: `clips=${video_clip_id}`, start };
      },
    },
    ingest: {
      metric: 'uploads',
      needs: 1,
      prepared: async (tenant: Tenant) => {
        const upload = await begunUpload(tenant);
        const { etags, path, asset_id } = await upload.send('12345');
        /** Also reserves what the ingest reserves once it has probed the media. */
        const start = async () => {
          const accepted = await tenant.call('POST', `${path}/finish_upload`, { etags });
          if (accepted.status !== 202) return accepted;
          const { reserveInStep } = await import('../../../platform/runtime/reserve-in-step.ts');
          const { quotedDemands } = await import('../../../lambdas/quotes/actions/quoted.ts');
          const asset = await new Assets(tenant.table, tenant.id).get(asset_id);
          const query = { job: 'ingest', duration_ms: 1000, has_video: true } as const;
          const demands = await quotedDemands.ingest(asset, query, {} as never);
          const jobs = new Jobs<'ingest', IngestOwn>(tenant.table, tenant.id, 'ingest');
          const job = await jobs.get(asset_id, accepted.json.job_id);
          return asTest(() => reserveInStep(asset_id, job, demands, tenant.id)).then(
            () => accepted,
            ({ code, detail }) => ({ status: 403, json: { code, detail } }),
          );
        };
        return { asset: asset_id, query: 'duration_ms=1000&size_bytes=5', start };
      },
    },
  } as const;

  it.each(Object.entries(kinds))(
    'of a quote for %s agrees with the job, whatever is used, reserved or running',
    async (job, { metric, needs, prepared }) => {
      await fc.assert(
        fc.asyncProperty(
          fc.record({
            /** How often the quota covers the job. */
            quota: fc.constantFrom(null, 0.5, 1, 1.5, 2, 3),
            concurrent_jobs: fc.constantFrom(null, null, 1, 2),
            cost: fc.constantFrom(null, 0.0001, 1000),
            spent_usd: fc.constantFrom(0, 0.0001),
            others: fc.nat(2),
          }),
          async ({ quota, concurrent_jobs, cost, spent_usd, others }) => {
            tenants += 1;
            const quotas = {
              ...(quota !== null && { [metric]: quota * needs }),
              ...(cost !== null && { cost }),
            };
            const tenant = await api.limited(`costs-${tenants}`, { quotas, concurrent_jobs });
            const usage = new Usage(tenant.table, tenant.id);
            const [asked, ...before] = [
              await prepared(tenant),
              ...(await Promise.all(Array.from({ length: others }, () => prepared(tenant)))),
            ];
            for (const other of before) await other.start();
            if (spent_usd > 0) await spend({ ...tenant, usage }, spent_usd * 1e6);
            const { json } = await quote(tenant, asked.asset, `job=${job}&${asked.query}`);
            const { status, json: answer } = await asked.start();
            expect([json.fits, json.refusal?.code, json.refusal?.detail]).toEqual(
              status === 202
                ? [true, undefined, undefined]
                : [false, answer.code, answer.detail.replace(' The parts are kept.', '')],
            );
            if (cost !== null && json.cost_usd !== null && json.fits) expect(json.budget.fits).toBe(true);
          },
        ),
        { numRuns: 12, seed: 21 },
      );
    },
    120_000,
  );
});

describe('GET /v1/limits', () => {
  it('shows every limit of the tenant, with what is used, reserved and left, and when it starts again', async () => {
    tenants += 1;
    const quotas = { translated_characters: 100, cost: 1, stored_bytes: 50 };
    const limits = { quotas, requests_per_minute: 100, concurrent_jobs: 3 };
    const tenant = await api.limited(`costs-${tenants}`, limits);
    const asset = await transcribed(tenant);
    await spend({ ...tenant, usage: new Usage(tenant.table, tenant.id) }, 500_000);
    expect((await translate(tenant, asset)).status).toBe(202);
    const { status, json } = await tenant.call('GET', '/v1/limits');
    expect(status).toBe(200);
    expect(json.requests_per_minute).toMatchObject({ limit: 100, used: 2 });
    expect(Date.parse(json.requests_per_minute.resets_at)).toBeGreaterThan(Date.now());
    expect(json.concurrent_jobs).toEqual({ limit: 3, used: 1 });
    const now = new Date();
    const resets_at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();
    const characters = { metric: 'translated_characters', unit: 'characters' };
    expect(json.quotas).toEqual([
      { ...characters, limit: 100, used: 0, reserved: said.length, left: 100 - said.length, resets_at },
      { metric: 'cost', unit: 'usd', limit: 1, used: 0.5, reserved: 0.000255, left: 0.499745, resets_at },
      { metric: 'stored_bytes', unit: 'bytes', limit: 50, used: 0, reserved: 0, left: 50, resets_at: null },
    ]);
  });

  it('shows null and an empty list if nothing is limited', async () => {
    const { json } = await (await tenantWith()).call('GET', '/v1/limits');
    expect(json).toEqual({ requests_per_minute: null, concurrent_jobs: null, quotas: [] });
  });
});

describe('a quota of rendered minutes', () => {
  it('refuses clips that exceed it with intro and outro, also for download and export, until they are rendered', async () => {
    const tenant = await tenantWith({ rendered_minutes: 0.3 });
    const external_storage_id = await exportingOf(tenant).storage({ type: 'dummy' });
    const { asset, video_clip_id } = await clipOf(tenant, 9000, await brandingOf(tenant, 6000));
    const at = `/v1/assets/${asset}/video_clips`;
    const asked = async () => [
      await tenant.call('POST', `${at}/download_async`, { video_ids: [video_clip_id] }),
      await tenant.call('POST', `${at}/${video_clip_id}/async_export`, { external_storage_id }),
    ];
    const refused = await asked();
    expect(refused.map(({ json }) => json.code)).toEqual(Array(2).fill('quota_exceeded'));
    expect(refused[1]!.json.detail).toContain('up to 0.35 more');
    await render(tenant, asset, video_clip_id);
    expect((await asked()).map(({ status }) => status)).toEqual([202, 202]);
  });
});

describe('an ingest, after the duration of its media is known,', () => {
  const minutes = (count: number): Use[] => [
    { capability: 'transcription', meter: 'transcribed_ms', quantity: 60_000 * count, is_estimate: false },
  ];
  const probed = async (
    tenant: Tenant,
    uses: readonly Use[],
    quotas: Limits['quotas'],
    job_id = newJobId(),
    asked = new Date(),
  ) => {
    const { reserveIngest } = await import('../../../lambdas/ingest/actions/ingest-demands.ts');
    const upload = { upload_id: 'u', etags: ['e'], quotas };
    const job = newIngestJob(job_id, asAssetId(job_id), { upload, now: asked });
    return reserveIngest(job, uses, tenant.id);
  };

  it('fails with quota_exceeded if it needs more minutes or money than the month has left', async () => {
    const tenant = await tenantWith();
    await expect(probed(tenant, minutes(61), { transcription_minutes: 60 })).rejects.toMatchObject({
      code: 'quota_exceeded',
      detail: expect.stringContaining('transcription_minutes'),
    });
    await expect(probed(tenant, minutes(60), { cost: 1.4 })).rejects.toMatchObject({
      code: 'quota_exceeded',
      detail: expect.stringContaining('needs up to 1.44 more'),
    });
    await probed(tenant, minutes(60), { cost: 1.44, transcription_minutes: 60 });
  });

  it('counts against quotas of characters and pictures by typical numbers for such media', async () => {
    const tenant = await tenantWith();
    const media = { duration_ms: 120_000, mc_model: 'normal' } as const;
    const runs = { status: 'running', error: null };
    const planned = {
      analyses: { ocr: runs, metadata: runs },
      translations: [{ language_id: spanish, ...runs }],
      voice_overs: [{ language_id: spanish, ...runs }],
    };
    const uses = usesOf(planned as never, media, null);
    const enough = { translated_characters: 1800, spoken_characters: 1800 };
    const all = { ...enough, analyzed_pictures: 120, analyzed_characters: 1800 };
    for (const metric of Object.keys(all))
      await expect(probed(tenant, uses, { [metric]: 100 })).rejects.toMatchObject({
        code: 'quota_exceeded',
        detail: expect.stringContaining(`quota of ${metric}`),
      });
    await probed(tenant, uses, all);
  });

  it('is counted in the month of its request, even after the next month has started', async () => {
    const tenant = await tenantWith();
    const asked = new Date();
    asked.setUTCDate(0);
    await tenant.usage.record({
      ...{ use_id: newJobId(), job_id: newJobId(), at: asked.toISOString(), by: null },
      ...{ meter: 'transcribed_ms', quantity: 40 * 60_000 },
    });
    const quotas = { transcription_minutes: 60 };
    await expect(probed(tenant, minutes(30), quotas, newJobId(), asked)).rejects.toThrow('40 of 60 is used');
    await probed(tenant, minutes(30), quotas);
  });

  it('is counted once until its end, even if the step is retried', async () => {
    const tenant = await tenantWith();
    const first = newJobId();
    const asked = new Date(Date.now() - 5000);
    await probed(tenant, minutes(40), { transcription_minutes: 60 }, first, asked);
    // A retry comes later. The job keeps the time of the first request.
    await probed(tenant, minutes(40), { transcription_minutes: 60 }, first, asked);
    await expect(probed(tenant, minutes(40), { transcription_minutes: 60 })).rejects.toThrow('up to 40');
    await probed(tenant, minutes(20), { transcription_minutes: 60 });
  });
});

describe('a receipt', () => {
  it('lists the metered use of a job by engine, after the job has ended', async () => {
    const tenant = await tenantWith();
    const asset = await transcribed(tenant);
    const { json: begun } = await translate(tenant, asset);
    const path = `/v1/assets/${asset}/translation_jobs/${begun.job_id}`;
    await Promise.all([spend(tenant, 16_000, begun.job_id), spend(tenant, 16_000, begun.job_id)]);
    expect((await tenant.call('GET', path)).json).not.toHaveProperty('receipt');
    await new Jobs(tenant.table, tenant.id, 'translation').settle(asset as never, begun.job_id, {
      now: new Date(),
      end: { result: { transcription_ids: [] } },
    });
    const spoken = { metric: 'spoken_characters', unit: 'characters', quantity: 2000, engine: 'polly' };
    const lines = [{ ...spoken, cost_usd: 0.032 }];
    expect((await tenant.call('GET', path)).json.receipt).toEqual({ lines, cost_usd: 0.032 });
    expect((await tenant.call('GET', `/v1/jobs/${begun.job_id}`)).json.receipt.cost_usd).toBe(0.032);
    expect(await tenant.used()).toMatchObject({ cost: 0.032 });
  });
});
