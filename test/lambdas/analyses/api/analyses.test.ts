import { uuidv7 } from 'uuidv7';
import { describe, expect, it } from 'vitest';
import { AnalysisResults } from '../../../../lambdas/analyses/records/analysis-results.ts';
import { soundDescriptionsOf } from '../../../../lambdas/sound-descriptions/records.ts';
import { audioTracksOf } from '../../../../lambdas/voice-over/records/audio-tracks.ts';
import { createWaveform } from '../../../../media/sound/waveform.ts';
import { namedId } from '../../../../shared/derived-ids.ts';
import type { AssetId } from '../../../../shared/ids.ts';
import { english, spanish } from '../../../support/api.ts';
import { newJobId } from '../../../support/ids.ts';
import { startTestApi } from '../../../support/test-api.ts';

const dates = { created_at: '2026-11-21T09:00:00.000Z', updated_at: '2026-11-21T09:00:00.000Z' };

const api = await startTestApi();
const acme = await api.tenant('acme');
const results = new AnalysisResults(acme.table, acme.objects, acme.id);
const sounds = soundDescriptionsOf(acme.table, acme.id);

/** The other lists are in test/api/pages.test.ts. */
it.each(['centers_of_interest', 'faces', 'autocenter'])(
  '%s are empty before an analysis has run',
  async (name) => {
    const { status, json } = await acme.call('GET', `/v1/assets/${await acme.readyAsset()}/${name}`);
    expect([status, json.data, json.total]).toEqual([200, [], 0]);
  },
);

describe('centers of interest', () => {
  const given = { start_ms: 2000, end_ms: 4000, x: 0.5, y: 0.25 };

  it('are created, listed by time and deleted', async () => {
    const path = `/v1/assets/${await acme.readyAsset()}/centers_of_interest`;
    const later = await acme.call('POST', path, { ...given, label: 'Ana', width: 0.1, height: 0.2 });
    const sooner = await acme.call('POST', path, { ...given, start_ms: 0 });
    expect([later.status, later.headers.Location]).toEqual([201, `${path}/${later.json.coi_id}`]);
    expect(sooner.json).toMatchObject({ width: null, height: null, label: null });
    expect((await acme.call('GET', path)).json.data).toEqual([sooner.json, later.json]);
    expect((await acme.call('DELETE', later.headers.Location!)).status).toBe(204);
    expect((await acme.call('DELETE', later.headers.Location!)).status).toBe(404);
    expect((await acme.call('GET', path)).json.data).toEqual([sooner.json]);
  });

  it.each([
    ['an end before the start', { ...given, end_ms: 2000 }, '/end_ms'],
    ['an end after the media', { ...given, end_ms: 60_001 }, '/end_ms'],
    ['a place outside of the picture', { ...given, x: 1.1 }, '/x'],
    ['a width without a height', { ...given, width: 0.2 }, '/height'],
    ['a box that exceeds the picture', { ...given, width: 0.2, height: 0.6 }, '/height'],
    ['an empty box', { ...given, width: 0, height: 0.2 }, '/width'],
    ['an unknown member', { ...given, z: 1 }, '/z'],
  ])('are rejected with %s', async (_, body, pointer) => {
    const reply = await acme.call('POST', `/v1/assets/${await acme.readyAsset()}/centers_of_interest`, body);
    expect([reply.status, reply.json.errors[0].pointer]).toEqual([422, pointer]);
  });
});

/** A sound of four seconds. */
const found = (asset_id: AssetId, start_ms: number, kind: 'music' | 'applause', name: string) => ({
  description_id: namedId(new Date(dates.created_at), name),
  asset_id,
  start_ms,
  end_ms: start_ms + 4000,
  text: kind,
  kind,
  confidence: null,
  version: 1,
  ...dates,
});

describe('sound descriptions', () => {
  it('are read and deleted; WebVTT shows the remaining ones', async () => {
    const asset = await acme.readyAsset();
    const transcription = await acme.transcribed(asset, ['hello']);
    const sound = found(asset, 20_000, 'applause', 'read');
    const { description_id } = sound;
    await sounds.create(asset, description_id, sound);
    const path = `/v1/assets/${asset}/sound_descriptions/${description_id}`;
    const vtt = (query = '') =>
      acme.call('GET', `/v1/assets/${asset}/transcriptions/${transcription}/vtt${query}`);
    expect((await acme.call('GET', path)).json).toMatchObject({ description_id, text: 'applause' });
    const before = await vtt();
    expect(before.text).toContain('[applause]');
    expect((await vtt('?include_sound_descriptions=false')).text).not.toContain('applause');
    expect((await acme.call('DELETE', path)).status).toBe(204);
    expect((await acme.call('GET', path)).status).toBe(404);
    const after = await vtt();
    expect(after.text).not.toContain('applause');
    expect(after.headers.ETag).not.toBe(before.headers.ETag);
  });
});

describe('findings of sounds', () => {
  const listed = async (asset: AssetId) => {
    const { json } = await acme.call('GET', `/v1/assets/${asset}/sound_descriptions`);
    return json.data.map(({ text, start_ms }: { text: string; start_ms: number }) => [text, start_ms]);
  };

  it('replace the earlier ones, and deleted descriptions stay deleted', async () => {
    const asset = await acme.readyAsset();
    const [music, applause] = [found(asset, 1000, 'music', 'one'), found(asset, 9000, 'applause', 'two')];
    await sounds.replace(asset, [music, applause]);
    await sounds.replace(asset, [music, applause]);
    expect(await listed(asset)).toEqual([
      ['music', 1000],
      ['applause', 9000],
    ]);
    const path = `/v1/assets/${asset}/sound_descriptions/${music.description_id}`;
    expect((await acme.call('DELETE', path)).status).toBe(204);
    const later = found(asset, 20_000, 'applause', 'three');
    await sounds.replace(asset, [music, later]);
    expect(await listed(asset)).toEqual([['applause', 20_000]]);
  });

  it('are shown in the language of the subtitles', async () => {
    const asset = await acme.readyAsset();
    const transcription = await acme.transcribed(asset, ['hola'], { language_id: spanish });
    await sounds.replace(asset, [found(asset, 20_000, 'music', 'four')]);
    const vtt = await acme.call('GET', `/v1/assets/${asset}/transcriptions/${transcription}/vtt`);
    expect(vtt.text).toContain('[música]');
    expect(await listed(asset)).toEqual([['music', 20_000]]);
  });
});

describe('autocenter', () => {
  it('returns the spans that the crop path follows, with centers of interest in place of findings', async () => {
    const asset = await acme.readyAsset();
    const path = [
      { at_ms: 0, x: 0.3, y: 0.5 },
      { at_ms: 60_000, x: 0.3, y: 0.5 },
    ];
    const span = { start_ms: 0, end_ms: 60_000, x: 0.3, y: 0.5, path } as const;
    const found = { ...span, source: 'face', confidence: 0.9 } as const;
    await results.writeList(asset, 'autocenter', newJobId(), [found]);
    const list = async () => (await acme.call('GET', `/v1/assets/${asset}/autocenter`)).json.data;
    expect(await list()).toEqual([found]);
    const given = { start_ms: 20_000, end_ms: 30_000, x: 0.8, y: 0.5 };
    await acme.call('POST', `/v1/assets/${asset}/centers_of_interest`, given);
    expect(await list()).toMatchObject([
      { start_ms: 0, end_ms: 20_000, source: 'face' },
      { ...given, source: 'center_of_interest', confidence: null },
      { start_ms: 30_000, end_ms: 60_000, source: 'face' },
    ]);
  });

  it('returns the centers of interest if there are no findings yet', async () => {
    const asset = await acme.readyAsset();
    const given = { start_ms: 0, end_ms: 30_000, x: 0.8, y: 0.5 };
    await acme.call('POST', `/v1/assets/${asset}/centers_of_interest`, given);
    const sources = (await acme.call('GET', `/v1/assets/${asset}/autocenter`)).json.data;
    expect(sources.map(({ source }: { source: string }) => source)).toEqual([
      'center_of_interest',
      'picture',
    ]);
  });
});

describe('the waveform', () => {
  it('has no peaks until the audio is analyzed', async () => {
    const asset = await acme.readyAsset();
    const path = `/v1/assets/${asset}/waveform`;
    expect((await acme.call('GET', path)).json).toMatchObject({ version: 2, bits: 8, length: 0, data: [] });
    const peaks = createWaveform();
    peaks.push(Int16Array.from({ length: 500 }, (_, i) => i * 60));
    const waveform = peaks.end();
    await results.writeWaveform(asset, newJobId(), waveform);
    expect((await acme.call('GET', path)).json).toEqual(waveform);
  });
});

describe('results of analyses', () => {
  it('are returned as they were written, and replaced by a later job', async () => {
    const asset = await acme.readyAsset();
    const frames = { start_ms: 0, end_ms: 900, start_frame: 0, end_frame: 22 };
    const shot = { ...frames, transition: 'cut', confidence: 1 } as const;
    await results.writeList(asset, 'camera_shoots', newJobId(), [shot, shot]);
    await results.writeList(asset, 'camera_shoots', newJobId(), [shot]);
    expect((await acme.call('GET', `/v1/assets/${asset}/camera_shoots`)).json.data).toEqual([shot]);
  });

  it('of metadata are listed without details, and returned one by one with details', async () => {
    const asset = await acme.readyAsset();
    const metadata_id = uuidv7();
    const head = {
      metadata_id,
      asset_id: asset,
      language_id: english,
      title: 'Opening',
      summary: null,
      sentiment: null,
      classifications: [],
      ...dates,
    };
    const details = { keywords: [{ text: 'k', relevance: 1 }], entities: [], chapters: [], texts: [] };
    await results.addMetadata({ ...head, version: 1 }, details);
    const path = `/v1/assets/${asset}/metadata`;
    expect((await acme.call('GET', path)).json.data).toEqual([head]);
    const one = await acme.call('GET', `${path}/${metadata_id}`);
    expect([one.json, one.headers.ETag]).toEqual([{ ...head, ...details }, '"1"']);
  });
});

describe('an audio track', () => {
  it('is returned without its object key, and can be downloaded from the returned URL', async () => {
    const asset = await acme.readyAsset();
    const audio_track_id = uuidv7();
    const object_key = `t/acme/assets/${asset}/derived/voice_over/1/es.m4a`;
    const track = {
      audio_track_id,
      asset_id: asset,
      language_id: english,
      source: 'original' as const,
      codec: 'aac',
      channels: 2,
      sample_rate: 48_000,
      duration_ms: 1000,
      size_bytes: 5,
      ...dates,
    };
    await acme.objects.write(object_key, 'sound', 'audio/mp4');
    await audioTracksOf(acme.table, acme.id).create(asset, audio_track_id, {
      ...track,
      object_key,
      version: 1,
    });
    const path = `/v1/assets/${asset}/audio_tracks`;
    expect((await acme.call('GET', path)).json.data).toEqual([{ ...track, stale: false, video: null }]);
    expect((await acme.call('GET', `${path}/${audio_track_id}`)).json).toMatchObject(track);
    const { url, expires_at } = (await acme.call('GET', `${path}/${audio_track_id}/download_url`)).json;
    expect(await (await fetch(url)).text()).toBe('sound');
    expect(Date.parse(expires_at)).toBeGreaterThan(Date.now());
  });
});
