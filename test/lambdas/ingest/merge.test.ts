import { describe, expect, it } from 'vitest';
import type { HeardPiece } from '../../../lambdas/ingest/actions/ingest-objects.ts';
import { derivedKey } from '../../../platform/objects/media-objects.ts';
import type { SoundMap, Turn } from '../../../shared/sound.ts';
import { english, spanish } from '../../support/api.ts';
import { hear, processed } from '../../support/processed.ts';
import { runStep } from '../../support/run-step.ts';
import { startTestApi } from '../../support/test-api.ts';

const api = await startTestApi();
const tenant = await api.tenant('listener');

const speechThenMusic: SoundMap = {
  duration_ms: 20_000,
  sounds: [
    { start_ms: 0, end_ms: 10_000, kind: 'speech', level_db: -20 },
    { start_ms: 10_000, end_ms: 20_000, kind: 'music', level_db: -20 },
  ],
  utterances: [
    { start_ms: 0, end_ms: 3000 },
    { start_ms: 5000, end_ms: 8000 },
  ],
  pauses: [],
  turns: [],
};
const spoken = (texts: readonly string[], from_ms = 0, confidence = 0.9) =>
  texts.map((text, i) => ({
    text,
    start_ms: from_ms + i * 400,
    end_ms: from_ms + i * 400 + 300,
    confidence,
  }));
const piece = (words: HeardPiece['words'], more: Partial<HeardPiece> = {}): HeardPiece => ({
  words,
  language: 'en-US',
  tells_speech_apart: false,
  ...more,
});

/** Runs the merging step, and the last step of the job, on these words. */
async function merged(
  heard: readonly HeardPiece[],
  turns: Turn[] = [],
  asked: object = {},
  begunWith: object = {},
) {
  const { id, job, assets } = await processed(tenant, asked);
  const begun = { status: 'running', error: null } as const;
  const running = { analyses: { transcription: begun, word_lists: begun }, ...begunWith };
  await assets.advance(
    { asset_id: id, job_id: job },
    { stage: 'transcription', progress: 0.5 },
    new Date(),
    running,
  );
  await hear(tenant, { id, job }, { ...speechThenMusic, turns }, heard);
  const input = { tenant: tenant.id, asset_id: id, job_id: job, pieces: heard.length };
  const steps = ['merge-transcription', 'merge-transcription', 'finish-ingest'] as const;
  for (const step of steps) await runStep(step, input);
  const { json: asset } = await tenant.call('GET', `/v1/assets/${id}`);
  const { json: ended } = await tenant.call('GET', `/v1/assets/${id}/ingest_jobs/${job}`);
  const { json: list } = await tenant.call('GET', `/v1/assets/${id}/transcriptions`);
  const segments = async () => {
    const [made] = list.data;
    const { json } = await tenant.call('GET', `/v1/assets/${id}/transcriptions/${made.transcription_id}`);
    return json.segments as { text: string; words: { text: string }[]; speaker: string | null }[];
  };
  const text = async () =>
    (await segments()).flatMap(({ words }) => words.map((word) => word.text)).join(' ');
  return { asset, ended, transcriptions: list.data, text, segments, id, job };
}

const talk = 'this is what was said by someone who speaks clearly enough'.split(' ');

describe('the words of pieces', () => {
  it('are joined to one transcription', async () => {
    const { asset, ended, text } = await merged([
      piece(spoken(talk.slice(0, 6))),
      piece(spoken(talk.slice(6), 5000)),
    ]);
    expect(await text()).toBe(talk.join(' '));
    expect([asset.status, asset.analyses.transcription.status]).toEqual(['ready', 'ready']);
    expect(ended.status).toBe('succeeded');
  });

  it('were heard without the terms of the lists if the engine says so, and the outcome of the lists tells it', async () => {
    const { asset, ended } = await merged([
      piece(spoken(talk.slice(0, 6))),
      piece(spoken(talk.slice(6), 5000), { without_terms: true }),
    ]);
    expect(asset.analyses).toMatchObject({
      transcription: { status: 'ready' },
      word_lists: { status: 'failed', error: { code: 'provider_unavailable' } },
    });
    expect([asset.status, ended.status]).toEqual(['ready', 'partially_succeeded']);
  });

  it('have the voice that was speaking at that time', async () => {
    const speakers = async (tells: boolean) => {
      const named = spoken(talk).map((word) => (tells ? { ...word, speaker: 'Anna' } : word));
      const { segments } = await merged(
        [piece(named)],
        [
          { start_ms: 0, end_ms: 2000, voice: 1 },
          { start_ms: 2000, end_ms: 10_000, voice: 2 },
        ],
      );
      return [...new Set((await segments()).map(({ speaker }) => speaker))];
    };
    expect(await speakers(false)).toEqual(['Speaker 1', 'Speaker 2']);
    expect(await speakers(true)).toEqual(['Anna']);
  });

  it('are left out during music, unless the engine itself detects speech', async () => {
    const heard = [...spoken(['hello', 'there']), ...spoken(['la', 'di'], 12_000)];
    expect(await (await merged([piece(heard)])).text()).toBe('hello there');
    expect(await (await merged([piece(heard, { tells_speech_apart: true })])).text()).toBe(
      'hello there la di',
    );
  });
});

describe('the word lists of the template', () => {
  it('are applied to the words, blacklists only in their language, and reported as ready', async () => {
    const { template_id } = (await tenant.call('POST', '/v1/templates', { name: 'Lists' })).json;
    const list = async (kind: string, body: object) =>
      expect((await tenant.call('POST', `/v1/${kind}`, { name: kind, template_id, ...body })).status).toBe(
        201,
      );
    await list('blacklists', { words: ['darn', 'Kinora'], language_id: english });
    await list('blacklists', { words: ['clearly'], language_id: spanish });
    await list('whitelists', { words: ['Kinora'] });
    await list('dictionaries', { dictionary: { eu: ['European Union', 'Europe'] } });
    const said = 'the darn eu hears kinora speak clearly'.split(' ');
    const { asset, ended, segments } = await merged([piece(spoken(said))], [], { template_id });
    const all = await segments();
    expect(all.map(({ text }) => text).join(' ')).toBe('The European Union hears Kinora speak clearly.');
    expect(all.flatMap(({ words }) => words.map(({ text }) => text))).toEqual(
      'the European Union hears Kinora speak clearly'.split(' '),
    );
    expect(asset.analyses.word_lists).toEqual({ status: 'ready', error: null });
    expect(ended.items).toMatchObject([
      { kind: 'transcription' },
      { kind: 'word_lists', status: 'succeeded' },
    ]);
  });
});

describe('speech without a language_id, transcribed by an engine that supports one language', () => {
  const assumed = (fitting: number, confidence = 30) => ({ words: 40, fitting, confidence });

  it('is transcribed if it sounds like that language', async () => {
    const { asset, transcriptions } = await merged([
      piece(spoken(talk), { assumed: assumed(12) }),
      piece([], { assumed: assumed(36) }),
    ]);
    expect(transcriptions).toHaveLength(1);
    expect(asset.languages).toHaveLength(1);
  });

  it('is marked as language_uncertain otherwise, without words', async () => {
    const { asset, ended, transcriptions } = await merged([
      piece(spoken(talk), { assumed: assumed(4) }),
      piece(spoken(talk, 5000), { assumed: assumed(16) }),
    ]);
    expect(transcriptions).toEqual([]);
    expect(asset).toMatchObject({
      status: 'ready',
      language_id: null,
      languages: [],
      analyses: {
        transcription: {
          status: 'failed',
          error: {
            code: 'language_uncertain',
            detail: expect.stringMatching(/only English\. 60 of 80 .*language_id/),
          },
        },
      },
    });
    expect(ended).toMatchObject({
      status: 'partially_succeeded',
      items: [{ kind: 'transcription', status: 'failed', error: { code: 'language_uncertain' } }],
    });
  });

  it('is also marked if half of it matches with low confidence, which happens for Spanish', async () => {
    const { transcriptions } = await merged([piece(spoken(talk), { assumed: assumed(24, 11) })]);
    expect(transcriptions).toEqual([]);
    const noisy = await merged([piece(spoken(talk), { assumed: assumed(30, 11) })]);
    expect(noisy.transcriptions).toHaveLength(1);
  });

  it('gives no transcription and no language if there is none', async () => {
    const { asset, ended, transcriptions } = await merged([piece([])]);
    expect(transcriptions).toEqual([]);
    expect(asset).toMatchObject({ status: 'ready', language_id: null, languages: [] });
    expect(asset.analyses.transcription).toEqual({ status: 'skipped', error: null });
    expect(asset.estimated_ready_at).toBeNull();
    expect(ended).toMatchObject({ status: 'succeeded', items: [] });
  });

  it('is neither translated nor dubbed if its language is known but no words are found', async () => {
    const begun = { language_id: spanish, status: 'running', error: null };
    const { asset, ended, transcriptions } = await merged(
      [piece([])],
      [],
      { language_id: english },
      { translations: [begun], voice_overs: [begun] },
    );
    expect(transcriptions).toMatchObject([{ language_id: english, segment_count: 0 }]);
    expect([...asset.translations, ...asset.voice_overs]).toMatchObject([
      { status: 'skipped' },
      { status: 'skipped' },
    ]);
    expect(ended.status).toBe('succeeded');
  });

  it('is not judged by only a few words', async () => {
    const few = { words: 3, fitting: 0, confidence: 0 };
    expect((await merged([piece(spoken(['yes']), { assumed: few })])).transcriptions).toHaveLength(1);
  });
});

const silence = { duration_ms: 120_000, sounds: [], utterances: [], pauses: [], turns: [] };
const pieces = [
  { index: 0, start_ms: 0, end_ms: 60_000 },
  { index: 1, start_ms: 60_000, end_ms: 120_000 },
];

async function transcribing(name: string) {
  const tenant = await api.tenant(name);
  const { id, job } = await processed(tenant);
  const key = derivedKey(tenant.id, id, { step: 'audio', version: job, name: 'sound.json' });
  await tenant.objects.write(key, JSON.stringify(silence), 'application/json');
  const input = { tenant: tenant.id, asset_id: id, job_id: job, audio: { key, duration_ms: 120_000 } };
  const minutes = async () => (await tenant.used()).transcription_minutes;
  const transcribed = (at: number) => runStep('transcribe-piece', { ...input, piece: pieces[at] });
  return { tenant, job, minutes, transcribed };
}

describe('a piece of the audio', () => {
  it('is metered once, even if its step is retried', async () => {
    const { minutes, transcribed } = await transcribing('patient');
    await transcribed(0);
    await transcribed(0);
    expect(await minutes()).toBe(1);
    await transcribed(1);
    expect(await minutes()).toBe(2);
  });

  it('is metered even if the job is canceled before the other pieces are done', async () => {
    const { tenant, job, minutes, transcribed } = await transcribing('hasty');
    await transcribed(0);
    const { status } = await tenant.call('POST', `/v1/jobs/${job}/cancel`);
    expect(status).toBeLessThan(300);
    await expect(transcribed(1)).rejects.toThrow();
    expect(await minutes()).toBe(1);
  });
});
