import { describe, expect, it } from 'vitest';
import { AnalysisResults } from '../../../lambdas/analyses/records/analysis-results.ts';
import { jobFailure } from '../../../platform/jobs/job-failure.ts';
import { derivedKey } from '../../../platform/objects/media-objects.ts';
import type { SoundEvent, SoundMap } from '../../../shared/sound.ts';
import { english, spanish } from '../../support/api.ts';
import { processed } from '../../support/processed.ts';
import { runStep } from '../../support/run-step.ts';
import { startTestApi } from '../../support/test-api.ts';

const api = await startTestApi();
const tenant = await api.tenant('meaning');

const running = { status: 'running', error: null } as const;
const map: SoundMap = {
  duration_ms: 60_000,
  sounds: [{ start_ms: 0, end_ms: 60_000, kind: 'speech', level_db: -20 }],
  utterances: [{ start_ms: 0, end_ms: 60_000 }],
  pauses: [],
  turns: [],
};
const events: SoundEvent[] = [
  { start_ms: 20_000, end_ms: 26_000, kind: 'music', confidence: 1 },
  { start_ms: 26_000, end_ms: 27_000, kind: 'applause', confidence: 1 },
  { start_ms: 27_000, end_ms: 40_000, kind: 'noise', confidence: 1 },
  { start_ms: 40_000, end_ms: 52_000, kind: 'silence', confidence: null },
];

const said = 'Ana Ruiz from Washington, D.C. is a wonderful guest in Madrid and we love her work'.split(' ');

async function step(name: string, input: object) {
  return runStep(name, input);
}

/** Runs the steps on these words, and returns their output. */
async function analysed(texts: readonly string[], language = 'en-US', heard: Partial<SoundMap> = { events }) {
  const { id, job, assets } = await processed(tenant, {
    language_id: language.startsWith('es') ? spanish : undefined,
  });
  const analyses = { transcription: running, sound_descriptions: running, metadata: running };
  await assets.advance({ asset_id: id, job_id: job }, { stage: 'transcription', progress: 0.5 }, new Date(), {
    analyses,
  });
  const write = (stage: 'audio' | 'words', name: string, content: object) =>
    tenant.objects.write(
      derivedKey(tenant.id, id, { step: stage, version: job, name }),
      JSON.stringify(content),
      'application/json',
    );
  await write('audio', 'sound.json', { ...map, ...heard });
  const words = texts.map((text, at) => ({
    text,
    start_ms: at * 400,
    end_ms: at * 400 + 300,
    confidence: 0.9,
  }));
  await write('words', '0.json', { words, language, tells_speech_apart: true });
  const input = { tenant: tenant.id, asset_id: id, job_id: job, pieces: 1 };
  await step('merge-transcription', input);
  const sounds = await step('describe-sounds', input);
  const text = await step('analyze-text', input);
  return { id, job, input, sounds, text };
}

const title = {
  text: 'Madrid Election Results',
  ...{ start_ms: 1000, end_ms: 5000, confidence: 0.96 },
  box: { x: 0.1, y: 0.4, width: 0.8, height: 0.2 },
};
const unread = { ...title, text: 'XKCD 42' };

/** A video without speech, with this text in its picture. */
async function mute(text: typeof title, more: object, outcome: object = running) {
  const { id, job, assets } = await processed(tenant, more);
  const analyses = { ocr: { status: 'ready', error: null }, metadata: outcome } as never;
  await assets.advance(
    { asset_id: id, job_id: job },
    { stage: 'metadata', progress: 0.5 } as never,
    new Date(),
    { analyses },
  );
  await new AnalysisResults(tenant.table, tenant.objects, tenant.id).writeList(id, 'texts', job, [text]);
  const input = { tenant: tenant.id, asset_id: id, job_id: job };
  const ends = [await step('analyze-text', input), await step('analyze-text', input)];
  expect(ends[1]).toEqual(ends[0]);
  const { json: list } = await tenant.call('GET', `/v1/assets/${id}/metadata`);
  expect(list.data).toHaveLength(1);
  const { json: metadata } = await tenant.call(
    'GET',
    `/v1/assets/${id}/metadata/${list.data[0].metadata_id}`,
  );
  return { end: ends[0]!, metadata };
}

const found = async (query: string) => {
  const { json } = await tenant.call('GET', `/v1/assets?${query}`);
  return json.data.map(({ asset_id }: { asset_id: string }) => asset_id) as string[];
};

describe('sounds and texts of an ingest', () => {
  it('are shown as ready on the asset, and list filters find the asset by them', async () => {
    const { id, input, sounds, text } = await analysed(said);
    // A repeat of the steps changes nothing.
    expect([await step('describe-sounds', input), await step('analyze-text', input)]).toEqual([sounds, text]);
    await step('finish-ingest', { ...input, heard: sounds, text });
    const { json: asset } = await tenant.call('GET', `/v1/assets/${id}`);
    expect([asset.analyses.sound_descriptions.status, asset.analyses.metadata.status]).toEqual([
      'ready',
      'ready',
    ]);

    const { json: descriptions } = await tenant.call('GET', `/v1/assets/${id}/sound_descriptions`);
    const told = descriptions.data.map(({ text, start_ms }: { text: string; start_ms: number }) => [
      text,
      start_ms,
    ]);
    expect(told).toEqual([
      ['music', 20_000],
      ['silence', 40_000],
    ]);

    const { json: list } = await tenant.call('GET', `/v1/assets/${id}/metadata`);
    expect(list.data).toMatchObject([{ language_id: english, sentiment: { label: 'Positive' } }]);
    const { json: metadata } = await tenant.call(
      'GET',
      `/v1/assets/${id}/metadata/${list.data[0].metadata_id}`,
    );
    const ana = metadata.entities.find(({ text }: { text: string }) => text === 'Ana Ruiz');
    expect(ana).toMatchObject({ type: 'person', mentions: [{ start_ms: 0, end_ms: 700 }] });
    expect(metadata.chapters).toMatchObject([{ start_ms: 0 }]);

    expect(await found('sentiment=Positive')).toContain(id);
    expect(await found('sentiment=Negative')).not.toContain(id);
    expect(await found('entities=ana%20ruiz')).toContain(id);
    expect(await found(`entities=${encodeURIComponent('Madrid, Ana Ruiz')}`)).toContain(id);
    expect(await found('entities=Madrid,Nobody')).not.toContain(id);
  });

  it('are left out if no engine ran, there is no speech, or the language is unknown', async () => {
    const silent = await analysed([], 'en-US', {});
    expect([silent.sounds, silent.text]).toEqual([
      { analyses: {} },
      { analyses: { metadata: { status: 'skipped', error: null } } },
    ]);
    const french = await analysed('bonjour à tous et bienvenue'.split(' '), 'fr-FR');
    expect(french.text).toMatchObject({
      analyses: { metadata: { status: 'unavailable', error: { code: 'engine_unavailable' } } },
    });
    const { json } = await tenant.call('GET', `/v1/assets/${french.id}/metadata`);
    expect(json.data).toEqual([]);
    await step('finish-ingest', { ...french.input, heard: french.sounds, text: french.text });
    const { json: asset } = await tenant.call('GET', `/v1/assets/${french.id}`);
    expect(asset.analyses.metadata.error.detail).toContain('"fr"');
  });

  it('are analyzed in the language that the caller named, if there are texts only in the picture', async () => {
    const { end, metadata } = await mute(title, { language_id: english });
    expect(end).toEqual({ analyses: { metadata: { status: 'ready', error: null } } });
    expect(metadata).toMatchObject({ language_id: english, texts: [title] });
    const madrid = { text: 'Madrid', mentions: [{ start_ms: 1000, end_ms: 5000 }] };
    expect(metadata.entities).toContainEqual(expect.objectContaining(madrid));
  });

  it('can be read as texts in the picture even if their analysis fails', async () => {
    const unclear = await mute(unread, {});
    expect(unclear.end).toMatchObject({
      analyses: { metadata: { status: 'unavailable', error: { code: 'language_uncertain' } } },
    });
    expect(unclear.metadata).toMatchObject({ language_id: null, sentiment: null, texts: [unread] });
    const nobody = { status: 'unavailable', error: jobFailure('engine_unavailable', 'None here.') };
    expect((await mute(title, { language_id: english }, nobody)).metadata.texts).toEqual([title]);
  });

  it('can fail, and the asset still becomes ready', async () => {
    const { id, input } = await analysed(said);
    const failure = { Error: 'provider_unavailable', Cause: '' };
    await step('finish-ingest', { ...input, heard: { failure }, text: { failure } });
    const { json: asset } = await tenant.call('GET', `/v1/assets/${id}`);
    expect(asset.status).toBe('ready');
    for (const kind of ['sound_descriptions', 'metadata'])
      expect(asset.analyses[kind]).toMatchObject({
        status: 'failed',
        error: { code: 'provider_unavailable' },
      });
  });

  it('are removed if the job is canceled', async () => {
    const { id, job, input } = await analysed(said);
    expect(await found('entities=Madrid')).toContain(id);
    expect((await tenant.call('POST', `/v1/jobs/${job}/cancel`)).status).toBeLessThan(300);
    await step('clear-ingest', input);
    for (const name of ['sound_descriptions', 'metadata'])
      expect((await tenant.call('GET', `/v1/assets/${id}/${name}`)).json.data).toEqual([]);
    expect(await found('entities=Madrid')).not.toContain(id);
    expect(await found('sentiment=Positive')).not.toContain(id);
  });
});
