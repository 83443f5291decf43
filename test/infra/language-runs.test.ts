import { describe, expect, it } from 'vitest';
import { groupsOf, MOST_GROUPS } from '../../lambdas/voice-over/rules/progress-parts.ts';
import { FunctionError } from '../../local/test/stepfunctions/harness.ts';
import {
  type FakeFunction,
  failing,
  failingFor,
  job,
  MOST_BYTES,
  MOST_EVENTS,
  planOf,
  runOf,
  type Steps,
} from '../support/machine-runs.ts';

const spoken = (languages: readonly string[], steps: Steps = {}) =>
  runOf(
    'VoiceOver',
    { PlanVoiceOver: planOf('languages', 'language_id', languages), ...steps },
    { input: { ...job, kind: 'voice_over' } },
  );
const dub = (language_id: string) => ({ language_id, audio_track_id: 't', video: null });

describe('a translation', () => {
  const translated = (languages: readonly string[], steps: Steps = {}) =>
    runOf('Translation', { PlanTranslation: planOf('languages', 'language_id', languages), ...steps });
  const made = (language_id: string) => ({ language_id, transcription_id: 't', version: 1, characters: 9 });

  it.each([[['es']], [['es', 'fr', 'it', 'ca', 'pt']]])(
    'into %j reports how each language ended',
    async (languages) => {
      const { status, payloadsOf } = await translated(languages);
      expect(status).toBe('SUCCEEDED');
      const indexes = payloadsOf('TranslateLanguage').map(({ index }) => index);
      expect(indexes.sort()).toEqual(languages.map((_, index) => index));
      expect(payloadsOf('FinishTranslation')).toEqual([{ ...job, ends: languages.map(made) }]);
    },
  );

  it('continues with the other languages if one fails, and reports the reason', async () => {
    const TranslateLanguage = failingFor('TranslateLanguage', 'language_id', 'de', 'language_unsupported');
    const { payloadsOf } = await translated(['es', 'de', 'fr'], { TranslateLanguage });
    expect(payloadsOf('FinishTranslation')[0].ends).toEqual([
      made('es'),
      { language_id: 'de', failure: expect.objectContaining({ Error: 'language_unsupported' }) },
      made('fr'),
    ]);
  });
});

describe('a voice over', () => {
  it('speaks the groups of each language, mixes them, and reports the outcome of each language', async () => {
    const { status, payloadsOf, timesOf } = await spoken(['es', 'fr', 'it']);
    expect(status).toBe('SUCCEEDED');
    expect(payloadsOf('SpeakSegments')).toHaveLength(6);
    expect(payloadsOf('SpeakSegments')[0]).toMatchObject({ ...job, languages: 3, groups: 2, group: {} });
    const ends = ['es', 'fr', 'it'].map(dub);
    expect(payloadsOf('FinishVoiceOver')).toEqual([{ ...job, kind: 'voice_over', ends }]);
    expect(timesOf('MuxDub')).toBe(0);
  });

  it('makes videos if they are requested; one that fails keeps its sound, and has the reason', async () => {
    const PlanDub = () => ({ groups: [], mux: true });
    const ends = async (steps: Steps) =>
      (await spoken(['es'], { PlanDub, ...steps })).payloadsOf('FinishVoiceOver')[0].ends;
    expect(await ends({})).toEqual([{ ...dub('es'), video: 'made' }]);
    expect(await ends({ MuxDub: failing('timed_out') })).toMatchObject([
      { ...dub('es'), video_failure: { Error: 'timed_out' } },
    ]);
  });

  it.each(['PlanDub', 'SpeakSegments', 'MixDub'])(
    'continues with the other languages if %s fails for one, and reports the reason',
    async (step) => {
      const fails = failingFor(step, 'language_id', 'de', 'engine_unavailable');
      const { payloadsOf } = await spoken(['es', 'de'], { [step]: fails });
      expect(payloadsOf('FinishVoiceOver')[0].ends).toEqual([
        dub('es'),
        { language_id: 'de', failure: expect.objectContaining({ Error: 'engine_unavailable' }) },
      ]);
    },
  );

  it('has room in its history and its payloads for twenty languages and ten thousand segments', async () => {
    const groups = groupsOf(10_000);
    expect(groups).toHaveLength(MOST_GROUPS);
    const { history } = await spoken(['es'], { PlanDub: () => ({ groups, mux: true }) });
    expect(20 * history.length).toBeLessThan(MOST_EVENTS * 0.5);
    expect(20 * JSON.stringify(groups).length).toBeLessThan(MOST_BYTES * 0.5);
  });
});

describe('a voice-over provider that throttles', () => {
  const PlanDub = () => ({ groups: groupsOf(10_000), mux: true });
  const ended = async (SpeakSegments: FakeFunction) => {
    const { history, payloadsOf } = await spoken(['es'], { PlanDub, SpeakSegments });
    expect(20 * history.length).toBeLessThan(MOST_EVENTS);
    return payloadsOf('FinishVoiceOver')[0].ends;
  };

  it('is called again for each group, and the history has room for this', async () => {
    const asked = new Map<number, number>();
    const SpeakSegments: FakeFunction = ({ group }) => {
      const times = (asked.get(group.index) ?? 0) + 1;
      asked.set(group.index, times);
      if (times <= 3) throw new FunctionError('provider_throttled');
      return {};
    };
    expect(await ended(SpeakSegments)).toEqual([{ ...dub('es'), video: 'made' }]);
  });

  it('fails its language after the last retry, and the history has room for this', async () => {
    expect(await ended(failing('provider_throttled'))).toMatchObject([
      { failure: { Error: 'provider_throttled' } },
    ]);
  });
});
