import { describe, expect, it } from 'vitest';
import { finalOutcomes, itemsOf, plannedOutcomes, ready } from '../../../../lambdas/ingest/rules/outcomes.ts';
import { jobFailure } from '../../../../platform/jobs/job-failure.ts';
import type { Outcome } from '../../../../shared/assets.ts';

const missing = jobFailure('engine_unavailable', 'No engine does it.');
const onlyTranscription = (kind: string) => (kind === 'transcription' ? null : missing);
const everything = () => null;
const talk = { has_audio: true, has_video: true };
const template = {
  enabled_ocr: true,
  blacklist_ids: ['a'],
  translation_language_ids: ['es', 'fr'],
  voice_over_language_ids: ['es'],
};

describe('outcomes of an ingest', () => {
  it('plan each analysis as running, or as unavailable with the reason if no engine supports it', () => {
    const { analyses } = plannedOutcomes(talk, null, onlyTranscription);
    expect(analyses.transcription).toEqual({ status: 'running', error: null });
    expect(analyses.faces).toEqual({ status: 'unavailable', error: missing });
  });

  it('mark the audio tracks as ready immediately, because the probe has listed them', () => {
    expect(plannedOutcomes(talk, null, onlyTranscription).analyses.audio_tracks).toEqual(ready);
    const silent = plannedOutcomes({ has_audio: false, has_video: true }, null, everything);
    expect(silent.analyses.audio_tracks).toMatchObject({ status: 'skipped' });
  });

  it('skip work that was not requested, or for which the media has no track', () => {
    const { analyses } = plannedOutcomes({ has_audio: false, has_video: true }, null, everything);
    expect(analyses).toMatchObject({
      transcription: { status: 'skipped' },
      sound_descriptions: { status: 'skipped' },
      ocr: { status: 'skipped' },
      word_lists: { status: 'skipped' },
      faces: { status: 'running' },
    });
  });

  it('list work that the template requests and no engine supports as failed items of the job', () => {
    const items = itemsOf(
      finalOutcomes(plannedOutcomes(talk, template, onlyTranscription), {
        error: null,
        done: { transcription: ready },
      }),
    );
    expect(items.map(({ kind, language_id, status }) => [kind, language_id, status])).toEqual([
      ['transcription', undefined, 'succeeded'],
      ['ocr', undefined, 'failed'],
      ['word_lists', undefined, 'failed'],
      ['translation', 'es', 'failed'],
      ['translation', 'fr', 'failed'],
      ['voice_over', 'es', 'failed'],
    ]);
    expect(items.filter(({ status }) => status === 'failed').every(({ error }) => error === missing)).toBe(
      true,
    );
  });

  it('mark work as unavailable if an engine exists but no step uses it', () => {
    const { translations, analyses } = finalOutcomes(plannedOutcomes(talk, template, everything), {
      error: null,
      done: { transcription: ready },
    });
    expect(analyses.transcription!.status).toBe('ready');
    expect([analyses.ocr!.status, translations[0]!.status]).toEqual(['unavailable', 'unavailable']);
    expect(translations[0]!.error!.detail).toContain('planned');
  });

  it('give each language the status of its translation, or of the transcription if that failed', () => {
    const planned = plannedOutcomes(talk, template, everything);
    const done = new Map([['es', { status: 'ready', error: null } as const]]);
    const { translations } = finalOutcomes(planned, {
      error: null,
      done: { transcription: ready },
      translated: done,
    });
    expect(translations.map(({ status }) => status)).toEqual(['ready', 'unavailable']);
    const error = { ...missing, code: 'language_uncertain' } as const;
    const doubtful = { ...planned.analyses, transcription: { status: 'failed', error } as const };
    expect(finalOutcomes({ ...planned, analyses: doubtful }, { error: null }).translations).toMatchObject([
      { language_id: 'es', status: 'failed', error },
      { language_id: 'fr', status: 'failed', error },
    ]);
  });

  it('give each voice over the status of its speech, or of its translation if that failed', () => {
    const asked = { translation_language_ids: ['fr'], voice_over_language_ids: ['es', 'de', 'it'] };
    const planned = plannedOutcomes(talk, asked, everything);
    expect(planned.translations.map(({ language_id }) => language_id)).toEqual(['fr', 'es', 'de', 'it']);
    const error = { ...missing, code: 'language_unsupported' } as const;
    const translated = new Map<string, Outcome>([
      ['es', ready],
      ['de', { status: 'unavailable', error } as const],
      ['it', ready],
    ]);
    const spoken = new Map([['es', ready]]);
    expect(
      finalOutcomes(planned, { error: null, done: { transcription: ready }, translated, spoken }).voice_overs,
    ).toMatchObject([
      { language_id: 'es', status: 'ready' },
      { language_id: 'de', status: 'unavailable', error },
      { language_id: 'it', status: 'unavailable' },
    ]);
  });

  it('fail running work with the error of the job', () => {
    const error = { ...missing, code: 'timed_out' } as const;
    const { analyses } = finalOutcomes(plannedOutcomes(talk, null, onlyTranscription), { error });
    expect(analyses.transcription).toEqual({ status: 'failed', error });
    expect(analyses.faces!.status).toBe('unavailable');
  });
});
