import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { dubKey } from '../../../../lambdas/voice-over/records/dub-files.ts';
import { wavFile } from '../../../../media/ffmpeg/extract-sound.ts';
import { sourceKey, speechKey } from '../../../../platform/objects/media-objects.ts';
import { assetKey, assetPartition, configurationKey, jobKey } from '../../../../platform/table/keys.ts';
import { type AssetId, asJobId } from '../../../../shared/ids.ts';
import { languageByCode } from '../../../../shared/languages.ts';
import { hasEspeak } from '../../../engines/speech/espeak-installed.ts';
import { aac, fixturePath, h264, makeMedia, pcmOf, picture, tone } from '../../../fixtures/media.ts';
import { english, spanish } from '../../../support/api.ts';
import { processed } from '../../../support/processed.ts';
import { failureOf, runStep } from '../../../support/run-step.ts';
import { startTestApi } from '../../../support/test-api.ts';

const french = languageByCode('fr')!.language_id;
const japanese = languageByCode('ja')!.language_id;
const template_id = '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a12';
const ingest_job_id = asJobId('019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a14');

let media: Buffer;

const api = await startTestApi();
const tenant = await api.tenant('speaker');

beforeAll(async () => {
  media = await readFile(await makeMedia('four.mp4', [...picture(4), ...tone(4), ...h264, ...aac]));
});

const source_tracks = [
  { number: 1, language: null, title: null, codec: 'aac', channels: 1, is_default: true, chosen: 'only' },
] as const;

let asset: AssetId;
let translation: string;
const at = () => `/v1/assets/${asset}`;

async function given(facts: object = {}): Promise<void> {
  asset = await tenant.readyAsset({ duration_ms: 4000, source_tracks, ...facts });
  await tenant.objects.write(sourceKey(tenant.id, asset), media, 'video/mp4');
  await tenant.transcribed(asset, ['Hello there.', 'How are you?', 'Good bye.']);
  const translated = { source: 'translated', language_id: spanish };
  translation = await tenant.transcribed(asset, ['Hola.', '¿Qué tal?', 'Adiós.'], translated);
}
beforeEach(() => given());

const templated = (members: object) =>
  tenant.table.put({ ...configurationKey(tenant.id, 'templates', template_id), ...members });

interface Segment {
  readonly segment_id: string;
}

const speak = (body: object = { language_ids: [spanish] }) =>
  tenant.call('POST', `${at()}/process_voice_over_jobs`, body);
const tracks = async () => (await tenant.call('GET', `${at()}/audio_tracks`)).json.data;
const segmentsOf = async (id: string): Promise<Segment[]> =>
  (await tenant.call('GET', `${at()}/transcriptions/${id}`)).json.segments;
const edit = async (nth: number, text: string) => {
  const { segment_id } = (await segmentsOf(translation))[nth]!;
  await tenant.call('PATCH', `${at()}/transcriptions/${translation}/segments/${segment_id}`, { text });
};
const derived = (part = '') => tenant.objects.keys(`t/${tenant.id}/assets/${asset}/derived/${part}`);
const spokenCharacters = async () => {
  const { metrics } = (await tenant.call('GET', '/v1/usages/current_month')).json;
  return metrics.find(({ metric }: { metric: string }) => metric === 'spoken_characters').quantity;
};
const jobShown = async (job_id: string) => (await tenant.call('GET', `/v1/jobs/${job_id}`)).json;
const failure = (name: string, message: string) => failureOf(Object.assign(new Error(message), { name }));

const inputOf = (job_id: string) => ({ tenant: tenant.id, asset_id: asset, job_id, kind: 'voice_over' });

/** A new job after the step that plans its languages. */
async function begun(body?: object) {
  const input = inputOf((await speak(body)).json.job_id);
  const { languages } = await runStep('plan-voice-over', input);
  return { job_id: input.job_id, input, languages };
}

/** A new job after the step that plans its only language. */
async function planned(body?: object) {
  const { job_id, input, languages } = await begun(body);
  const given = { ...input, ...languages[0], groups: 1 };
  const { groups } = await runStep('plan-dub', given);
  return { job_id, input, given, spoken: () => runStep('speak-segments', { ...given, group: groups[0] }) };
}

/** Runs the steps of one language as the state machine does. */
async function language(input: object, one: { language_id: string }): Promise<object> {
  try {
    const { groups, mux } = await runStep('plan-dub', { ...input, ...one });
    const given = { ...input, ...one, groups: groups.length };
    for (const group of groups) await runStep('speak-segments', { ...given, group });
    const made = await runStep('mix-dub', given);
    return mux ? await runStep('mux-dub', { ...given, made }) : made;
  } catch (error) {
    return { language_id: one.language_id, failure: failureOf(error as Error) };
  }
}

/** Runs the steps as the state machine does. */
async function dubbed(body?: object) {
  const { job_id, input, languages } = await begun(body);
  const ends: object[] = [];
  for (const one of languages) ends.push(await language(input, one));
  await runStep('finish-voice-over', { ...input, ends });
  return (await tenant.call('GET', `${at()}/process_voice_over_jobs/${job_id}`)).json;
}

describe('a request for a voice over', () => {
  it('starts a job with an item for each language', async () => {
    const reply = await speak();
    expect(reply.status).toBe(202);
    expect(reply.headers.Location).toBe(`${at()}/process_voice_over_jobs/${reply.json.job_id}`);
    expect(reply.json).toMatchObject({
      type: 'voice_over',
      status: 'queued',
      items: [{ language_id: spanish, status: 'queued' }],
    });
    expect(api.machines.calls.at(-1)).toContain('VOICE_OVER');
  });

  it.each([
    ['the language that is spoken', english, 'cannot have a voice over'],
    ['a language that no engine speaks', japanese, 'does not support speech'],
  ])('is rejected for %s', async (_, language_id, said) => {
    const reply = await speak({ language_ids: [spanish, language_id] });
    expect([reply.status, reply.json.code]).toEqual([422, 'language_unsupported']);
    expect(reply.json.errors[0].pointer).toBe('/language_ids/1');
    expect(reply.json.detail).toContain(said);
  });

  it('is rejected if the translation has no segments', async () => {
    for (const { segment_id } of await segmentsOf(translation))
      await tenant.call('DELETE', `${at()}/transcriptions/${translation}/segments/${segment_id}`);
    const reply = await speak();
    expect([reply.status, reply.json.code]).toEqual([409, 'invalid_state']);
    expect(reply.json.detail).toContain('no segments');
  });

  it('is rejected for a language without a translation, and names the request that creates one', async () => {
    const reply = await speak({ language_ids: [french] });
    expect([reply.status, reply.json.code]).toEqual([409, 'invalid_state']);
    expect(reply.json.detail).toContain('not translated into French');
    expect(reply.json.detail).toContain(`POST ${at()}/translation_jobs`);
  });

  it('uses the languages of the template except the spoken one, if it names none', async () => {
    await templated({ voice_over_language_ids: [english, spanish] });
    for (const body of [{}, { language_ids: [] }]) {
      expect((await speak(body)).json.code).toBe('invalid_state');
      await given({ template_id });
      const { items } = (await speak(body)).json;
      expect(items.map(({ language_id }: { language_id: string }) => language_id)).toEqual([spanish]);
      await given();
    }
  });

  it('is rejected if voices must be cloned and no engine can do it', async () => {
    const clone_voice = true;
    const asked = await speak({ language_ids: [spanish], voice_over_config: { clone_voice } });
    expect([asked.status, asked.json.errors[0].pointer]).toEqual([422, '/voice_over_config/clone_voice']);
    expect(asked.json.detail).toContain('VOICE_CLONING_URL');
    await templated({ voice_over_config: { clone_voice } });
    await given({ template_id });
    expect((await speak()).status).toBe(422);
    const without = { language_ids: [spanish], voice_over_config: { clone_voice: false } };
    expect((await speak(without)).status).toBe(202);
  });

  it('is rejected for an asset that is not ready, has no speech, or has no picture for mux', async () => {
    await given({ width: null });
    const picture = await speak({ language_ids: [spanish], mux: true });
    expect([picture.status, picture.json.errors[0].pointer]).toEqual([422, '/mux']);
    await given({ size_bytes: 21 * 2 ** 30 });
    const large = await speak({ language_ids: [spanish], mux: true });
    expect([large.status, large.json.errors[0].pointer]).toEqual([422, '/mux']);
    expect(large.json.detail).toContain('the maximum for a video is 20 GiB');
    for (const facts of [{ status: 'uploading' as const }, {}]) {
      asset = await tenant.readyAsset(facts);
      expect((await speak()).json.code).toBe('invalid_state');
    }
  });

  it('is rejected for media that takes too long to mix; an ingest fails each language before speaking', async () => {
    await given({ duration_ms: 2 * 3_600_000 + 1 });
    const reply = await speak();
    expect([reply.status, reply.json.code]).toEqual([409, 'invalid_state']);
    expect(reply.json.detail).toContain('the maximum for a voice over is 120');
    await given();
    const { job_id } = (await speak()).json;
    await tenant.table.update({
      key: assetKey(tenant.id, asset),
      expression: 'SET duration_ms = :long',
      values: { long: 9_000_000 },
    });
    const planned = runStep('plan-dub', { ...inputOf(job_id), language_id: spanish });
    await expect(planned).rejects.toMatchObject({ code: 'media_limit_exceeded' });
  });

  it('runs in an ingest if its template says so', async () => {
    const { id, job } = await processed(tenant);
    await templated({ voice_over_config: { mute_original_voice: true } });
    await tenant.table.update({
      key: assetKey(tenant.id, id),
      expression: 'SET template_id = :template',
      values: { template: template_id },
    });
    await tenant.transcribed(id, ['Hello there.']);
    await tenant.transcribed(id, ['Hola.'], { source: 'translated', language_id: spanish });
    const ids = { asset_id: id, job_id: job, language_id: spanish };
    await runStep('plan-dub', { tenant: tenant.id, kind: 'ingest', index: 0, languages: 1, ...ids });
    const plan = await tenant.objects.read(dubKey(tenant.id, ids, 'plan.json.gz'));
    expect(JSON.parse(gunzipSync(plan!).toString()).config).toEqual({
      clone_voice: false,
      mute_original_voice: true,
    });
  });
});

describe.skipIf(!hasEspeak())('a voice over', () => {
  it('ends its job with an audio track, updates the asset, and is metered by characters', async () => {
    const before = await spokenCharacters();
    const job = await dubbed();
    const [track] = await tracks();
    expect(job).toMatchObject({
      status: 'succeeded',
      progress: 1,
      items: [
        {
          status: 'succeeded',
          progress: 1,
          result: { audio_track_id: track.audio_track_id, synthesised: 3, kept: 0 },
        },
      ],
      result: { audio_track_ids: [track.audio_track_id] },
    });
    expect(track).toMatchObject({
      source: 'voice_over',
      language_id: spanish,
      codec: 'aac',
      duration_ms: 4000,
      stale: false,
      video: null,
    });
    expect((await tenant.call('GET', at())).json.voice_overs).toEqual([
      { language_id: spanish, status: 'ready', error: null },
    ]);
    expect((await spokenCharacters()) - before).toBeGreaterThanOrEqual('Hola.¿Qué tal?Adiós.'.length);
    const path = `${at()}/audio_tracks/${track.audio_track_id}`;
    const { url } = (await tenant.call('GET', `${path}/download_url`)).json;
    expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(track.size_bytes);
    const fit = (await tenant.call('GET', `${path}/fit`)).json;
    const segments = (await segmentsOf(translation)).map(({ segment_id }) => ({ segment_id }));
    expect(fit).toMatchObject({ transcription_id: translation, transcription_version: 1, segments });
    // The segments of this translation name no originals.
    expect(fit.missing).toMatchObject([
      { start_ms: 0, end_ms: 1000 },
      { start_ms: 1000 },
      { start_ms: 2000 },
    ]);
    expect(fit.segments[0]).toMatchObject({ start_ms: 0, slot_ms: 1000, overflow_ms: 0, late_ms: 0 });
  });

  it('uses different voices for the speakers, each with the gender that the original suggests', async () => {
    await given({ ingest_job_id });
    const speakers: Record<string, string> = {};
    for (const name of ['Ben', 'Ana'])
      speakers[name] = (await tenant.call('POST', `${at()}/speakers`, { name })).json.speaker_id;
    for (const { transcription_id } of (await tenant.call('GET', `${at()}/transcriptions`)).json.data) {
      const path = `${at()}/transcriptions/${transcription_id}`;
      const said = (await segmentsOf(transcription_id)).map(({ segment_id }, nth) => {
        return { segment_id, speaker_id: speakers[nth === 1 ? 'Ana' : 'Ben'] };
      });
      expect((await tenant.call('PATCH', `${path}/segments`, { segments: said })).status).toBe(200);
    }
    /** One second of a voice with that pitch. It is a buzz, like the sound of vocal cords. */
    const buzz = (hertz: number) =>
      Int16Array.from({ length: 16_000 }, (_, at) => 8000 * (1 - 2 * (((at * hertz) / 16_000) % 1)));
    const samples = Int16Array.from([...buzz(105), ...buzz(215), ...buzz(105)]);
    const speech = speechKey(tenant.id, asset, ingest_job_id);
    await tenant.objects.write(speech, wavFile(new Uint8Array(samples.buffer)), 'audio/wav');
    expect((await dubbed()).status).toBe('succeeded');
    const [{ audio_track_id }] = await tracks();
    const fit = (await tenant.call('GET', `${at()}/audio_tracks/${audio_track_id}/fit`)).json;
    const [one, two, three] = fit.segments.map(({ voice }: { voice: string }) => voice);
    expect([one, two, three]).toEqual([expect.stringMatching(/^m/), expect.stringMatching(/^f/), one]);
  });

  it('mutes the original if the request says so, or otherwise if the template does', async () => {
    await templated({ voice_over_config: { mute_original_voice: true } });
    await given({ template_id });
    /** The peak of the quietest moment between words (full scale is 32,767). The original is a tone that never stops. */
    const quietest = async (mute_original_voice?: boolean) => {
      const asked = mute_original_voice === undefined ? {} : { voice_over_config: { mute_original_voice } };
      expect((await dubbed({ language_ids: [spanish], ...asked })).status).toBe('succeeded');
      const [{ audio_track_id }] = await tracks();
      const { url } = (await tenant.call('GET', `${at()}/audio_tracks/${audio_track_id}/download_url`)).json;
      const file = fixturePath('muted.m4a');
      await writeFile(file, Buffer.from(await (await fetch(url)).arrayBuffer()));
      const pcm = await pcmOf(file);
      const peaks = Array.from({ length: 100 }, (_, nth) => {
        const moment = pcm.subarray((400 + 20 * nth) * 32, (420 + 20 * nth) * 32);
        return Math.max(...Array.from({ length: 320 }, (_, at) => Math.abs(moment.readInt16LE(2 * at))));
      });
      return Math.min(...peaks);
    };
    expect(await quietest()).toBeLessThan(30);
    expect(await quietest(false)).toBeGreaterThan(150);
    await templated({ voice_over_config: { mute_original_voice: false } });
    expect(await quietest(true)).toBeLessThan(30);
  });

  it('can be added to the video of an old asset without a list of audio tracks', async () => {
    await tenant.table.update({
      key: assetKey(tenant.id, asset),
      expression: 'REMOVE source_tracks',
    });
    expect(await dubbed({ language_ids: [spanish], mux: true })).toMatchObject({ status: 'succeeded' });
  });

  it('adds one version of the track if it is repeated, even if its steps run twice, and speaks only the edited segments', async () => {
    const { result } = await dubbed({ language_ids: [spanish], mux: true });
    const [audio_track_id] = result.audio_track_ids;
    const path = `${at()}/audio_tracks/${audio_track_id}`;
    const first = await tenant.call('GET', path);
    const { url } = (await tenant.call('GET', `${path}/video_download_url`)).json;
    const bytes = await (await fetch(url)).arrayBuffer();
    expect(first.json.video).toEqual({ media_type: 'video/mp4', size_bytes: bytes.byteLength });
    await edit(1, '¿Cómo estás?');
    const stale = await tenant.call('GET', path);
    expect(stale.json.stale).toBe(true);
    const before = await spokenCharacters();
    const { job_id, input, languages } = await begun();
    const made = await language(input, languages[0]);
    expect(await language(input, languages[0])).toEqual(made);
    for (let repeat = 0; repeat < 2; repeat += 1)
      await runStep('finish-voice-over', { ...input, ends: [made] });
    const job = await jobShown(job_id);
    expect(job.items[0].result).toEqual({ audio_track_id, synthesised: 1, kept: 2, missing_count: 3 });
    expect(await derived('speech/')).toHaveLength(3);
    expect((await derived('voice_over/')).filter((key) => !key.includes(job_id))).toEqual([]);
    expect((await spokenCharacters()) - before).toBeLessThan(3 * '¿Cómo estás?'.length + 1);
    const again = await tenant.call('GET', path);
    expect(again.json).toMatchObject({ stale: false, created_at: first.json.created_at });
    expect(again.headers.ETag).toBe('"2"');
    expect(new Set([first, stale, again].map(({ headers }) => headers.ETag)).size).toBe(3);
    // The request for this version did not ask for a video.
    expect(again.json.video).toBeNull();
    expect((await tenant.call('GET', `${path}/video_download_url`)).json.code).toBe('invalid_state');
  });

  it('keeps the results of the other languages if one fails', async () => {
    await tenant.transcribed(asset, ['Bonjour.'], { source: 'translated', language_id: french });
    const { job_id, input, languages } = await begun({ language_ids: [french, spanish] });
    const busy = { language_id: french, failure: failure('provider_unavailable', 'Busy.') };
    await runStep('finish-voice-over', { ...input, ends: [busy, await language(input, languages[1])] });
    const detail = 'Busy. Create the job again later.';
    expect(await jobShown(job_id)).toMatchObject({
      status: 'partially_succeeded',
      items: [
        { status: 'failed', error: { code: 'provider_unavailable', detail }, result: null },
        { status: 'succeeded' },
      ],
    });
    expect(await tracks()).toHaveLength(1);
    expect((await tenant.call('GET', at())).json.voice_overs).toMatchObject([
      { language_id: french, status: 'failed' },
      { language_id: spanish, status: 'ready' },
    ]);
  });

  it('keeps, after a failure, only speech that the next job can use', async () => {
    const filesOf = async (job_id: string) => (await derived()).filter((key) => key.includes(job_id));
    const late = failure('timed_out', 'Late.');
    for (const isOfLanguage of [true, false]) {
      const { job_id, input, spoken } = await planned();
      if (isOfLanguage) await spoken();
      expect(await filesOf(job_id)).toHaveLength(1);
      const ends = [{ language_id: spanish, failure: late }];
      if (isOfLanguage) await runStep('finish-voice-over', { ...input, ends });
      else await runStep('fail-voice-over', { ...input, failure: late });
      expect(await filesOf(job_id)).toEqual([]);
      expect((await jobShown(job_id)).status).toBe('failed');
    }
    expect((await dubbed()).items[0].result).toMatchObject({ synthesised: 0, kept: 3 });
  });

  it('leaves no data if the asset is deleted', async () => {
    const { job_id, input, spoken } = await planned();
    await spoken();
    await tenant.table.delete(assetKey(tenant.id, asset));
    await tenant.table.delete(jobKey(assetPartition(tenant.id, asset), 'voice_over', asJobId(job_id)));
    await runStep('clear-voice-over', input);
    expect(await tenant.objects.keys(`t/${tenant.id}/assets/${asset}/`)).toEqual([]);
  });

  it('keeps its track if the video cannot be made, and reports the reason', async () => {
    const { job_id, input, given } = await planned({ language_ids: [spanish], mux: true });
    const made = await runStep('mix-dub', given);
    const video_failure = failure('timed_out', 'Too slow.');
    await runStep('finish-voice-over', { ...input, ends: [{ ...made, video_failure }] });
    const [{ audio_track_id, video }] = await tracks();
    expect(video).toBeNull();
    const detail = 'The audio track was made, but the video was not. Too slow.';
    const error = { code: 'timed_out', detail };
    expect(await jobShown(job_id)).toMatchObject({
      status: 'partially_succeeded',
      result: { audio_track_ids: [audio_track_id] },
      items: [{ status: 'partially_succeeded', error, result: { audio_track_id } }],
    });
    expect((await tenant.call('GET', at())).json.voice_overs).toMatchObject([{ status: 'ready' }]);
  });

  it('advances the progress of its item and its job', async () => {
    const { job_id, spoken } = await planned();
    await spoken();
    const job = await jobShown(job_id);
    expect(job).toMatchObject({ status: 'running', items: [{ status: 'running', progress: 0.7 }] });
    expect(job.progress).toBeCloseTo(0.7 * 0.98);
  });

  it('is metered immediately and only once, even if it fails or its job is canceled', async () => {
    const { job_id, input, given, spoken } = await planned();
    const before = await spokenCharacters();
    for (let repeat = 0; repeat < 2; repeat += 1) await spoken();
    const after = await spokenCharacters();
    expect(after - before).toBeGreaterThanOrEqual('Hola.¿Qué tal?Adiós.'.length);
    // The mix speaks a piece again that another job removed. The piece counts once for each job.
    await tenant.objects.deleteAll(`t/${tenant.id}/assets/${asset}/derived/speech/`);
    await runStep('mix-dub', given);
    await tenant.call('POST', `/v1/jobs/${job_id}/cancel`);
    await runStep('clear-voice-over', input);
    expect(await spokenCharacters()).toBe(after);
  });

  it('leaves no data and keeps the old track if its job is canceled', async () => {
    await dubbed();
    const [before] = await tracks();
    await edit(0, 'Buenos días.');
    const { job_id, input, languages } = await begun();
    const made = await language(input, languages[0]);
    expect((await tenant.call('POST', `/v1/jobs/${job_id}/cancel`)).json.status).toBe('canceled');
    const finished = runStep('finish-voice-over', { ...input, ends: [made] });
    await expect(finished).rejects.toMatchObject({ name: 'canceled' });
    for (let repeat = 0; repeat < 2; repeat += 1) await runStep('clear-voice-over', input);
    expect(await tracks()).toEqual([{ ...before, stale: true }]);
    expect((await derived()).filter((key) => key.includes(job_id))).toEqual([]);
    expect(await derived('speech/')).toHaveLength(3);
  });
});

describe('a voice over in cloned voices', () => {
  /** The requests that the fake service received. It has the documented API. */
  let asked: string[];
  beforeEach(async () => {
    asked = [];
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url!.split('?')[0]}`);
      request.resume().on('end', () => {
        if (request.url!.endsWith('/add')) response.end('{"voice_id":"cloned"}');
        else if (request.method === 'DELETE') response.end('{}');
        else response.end(Buffer.alloc(24_000, 7));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    vi.stubEnv('VOICE_CLONING_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    vi.stubEnv('VOICE_CLONING_KEY', 'secret');
    return () => {
      vi.unstubAllEnvs();
      server.close();
    };
  });

  /** An asset with four seconds of speech. */
  async function spoken() {
    await given({ ingest_job_id });
    const speech = speechKey(tenant.id, asset, ingest_job_id);
    await tenant.objects.write(speech, wavFile(Buffer.alloc(32 * 4000, 1)), 'audio/wav');
  }

  const clones = { language_ids: [spanish], voice_over_config: { clone_voice: true } };

  it("clones the speaker's voice once, removes it, and does not need it for stored speech", async () => {
    await spoken();
    expect((await dubbed(clones)).items[0].result).toMatchObject({ synthesised: 3, kept: 0 });
    const speaking = 'POST /v1/text-to-speech/cloned';
    expect(asked).toEqual(['POST /v1/voices/add', speaking, speaking, speaking, 'DELETE /v1/voices/cloned']);
    expect((await dubbed(clones)).items[0].result).toMatchObject({ synthesised: 0, kept: 3 });
    expect(asked).toHaveLength(5);
  });

  it('clones no speaker twice if planning is repeated, and removes each voice after a failure', async () => {
    await spoken();
    const { input, given } = await planned(clones);
    await runStep('plan-dub', given);
    expect(asked).toEqual(['POST /v1/voices/add']);
    // Simulates a failure of the plan at the next speaker. Then no plan names the cloned voice.
    await tenant.objects.delete(dubKey(tenant.id, given, 'plan.json.gz'));
    const ends = [{ language_id: spanish, failure: failure('engine_unavailable', 'Nothing.') }];
    await runStep('finish-voice-over', { ...input, ends });
    expect(asked).toEqual(['POST /v1/voices/add', 'DELETE /v1/voices/cloned']);
  });

  it('fails if no speech of the speaker is left, and uses no other voice', async () => {
    expect(await dubbed(clones)).toMatchObject({
      status: 'failed',
      items: [{ error: { code: 'engine_unavailable' } }],
    });
    expect(asked).toEqual([]);
  });
});
