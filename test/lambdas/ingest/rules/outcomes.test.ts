import { describe, expect, it } from 'vitest';
import {
  endedOutcomes,
  itemsOf,
  plannedOutcomes,
  ready,
  unavailableFailure,
} from '../../../../lambdas/ingest/rules/outcomes.ts';
import type { Outcome } from '../../../../shared/assets.ts';

const missing = unavailableFailure('No engine does it.');
const onlyTranscription = (kind: string) => (kind === 'transcription' ? null : missing);
const everything = () => null;
const talk = { has_audio: true, has_video: true };
const template = {
  enabled_ocr: true,
  blacklist_ids: ['a'],
  translation_language_ids: ['es', 'fr'],
  voice_over_language_ids: ['es'],
};

describe('what becomes of an ingest', () => {
  it('is told of every analysis: running where an engine does it, unavailable with the reason where none does', () => {
    const { analyses } = plannedOutcomes(talk, null, onlyTranscription);
    expect(analyses.transcription).toEqual({ status: 'running', error: null });
    expect(analyses.faces).toEqual({ status: 'unavailable', error: missing });
  });

  it('has the audio tracks at once: what probed the media has listed them', () => {
    expect(plannedOutcomes(talk, null, onlyTranscription).analyses.audio_tracks).toEqual(ready);
    const silent = plannedOutcomes({ has_audio: false, has_video: true }, null, everything);
    expect(silent.analyses.audio_tracks).toMatchObject({ status: 'skipped' });
  });

  it('is skipped where nobody asked, or the media has nothing of the kind', () => {
    const { analyses } = plannedOutcomes({ has_audio: false, has_video: true }, null, everything);
    expect(analyses).toMatchObject({
      transcription: { status: 'skipped' },
      sound_descriptions: { status: 'skipped' },
      ocr: { status: 'skipped' },
      word_lists: { status: 'skipped' },
      faces: { status: 'running' },
    });
  });

  it('names what the template asks for, and no engine does, as failed items of the job', () => {
    const items = itemsOf(
      endedOutcomes(plannedOutcomes(talk, template, onlyTranscription), null, { transcription: ready }),
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

  it('is not ready because an engine is there, where no step does it', () => {
    const { translations, analyses } = endedOutcomes(plannedOutcomes(talk, template, everything), null, {
      transcription: ready,
    });
    expect(analyses.transcription!.status).toBe('ready');
    expect([analyses.ocr!.status, translations[0]!.status]).toEqual(['unavailable', 'unavailable']);
    expect(translations[0]!.error!.detail).toContain('planned');
  });

  it('is told of each language as its translation ended, or as the transcription did where there is none', () => {
    const planned = plannedOutcomes(talk, template, everything);
    const done = new Map([['es', { status: 'ready', error: null } as const]]);
    const { translations } = endedOutcomes(planned, null, { transcription: ready }, done);
    expect(translations.map(({ status }) => status)).toEqual(['ready', 'unavailable']);
    const error = { ...missing, code: 'language_uncertain' } as const;
    const doubtful = { ...planned.analyses, transcription: { status: 'failed', error } as const };
    expect(endedOutcomes({ ...planned, analyses: doubtful }, null).translations).toMatchObject([
      { language_id: 'es', status: 'failed', error },
      { language_id: 'fr', status: 'failed', error },
    ]);
  });

  it('is told of each voice as it ended, or as its translation did where there is none', () => {
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
      endedOutcomes(planned, null, { transcription: ready }, translated, spoken).voice_overs,
    ).toMatchObject([
      { language_id: 'es', status: 'ready' },
      { language_id: 'de', status: 'unavailable', error },
      { language_id: 'it', status: 'unavailable' },
    ]);
  });

  it('has failed with the error of the job where it was under way', () => {
    const error = { ...missing, code: 'timed_out' } as const;
    const { analyses } = endedOutcomes(plannedOutcomes(talk, null, onlyTranscription), error);
    expect(analyses.transcription).toEqual({ status: 'failed', error });
    expect(analyses.faces!.status).toBe('unavailable');
  });
});
