import { describe, expect, it } from 'vitest';
import { MAX_PIECES } from '../../engines/transcription/plan-pieces.ts';
import { MOST_SPANS } from '../../lambdas/ingest/rules/picture-spans.ts';
import {
  type FakeFunction,
  failing,
  failingFor,
  hanging,
  MOST_EVENTS,
  range,
  runOf,
  type Steps,
} from '../support/machine-runs.ts';

/** An ingest of a sound with this number of pieces. */
const ingested = (steps: Steps, count = 2) =>
  runOf('Ingest', {
    PrepareAudio: () => ({ audio: { key: 'audio', duration_ms: 1000 }, pieces: range(count) }),
    ...steps,
  });

const canceled = failing('canceled');

describe('an ingest', () => {
  it('extracts the speech in as many invocations as needed; each continues the previous one', async () => {
    const whole = { audio: { key: 'audio', duration_ms: 1000 }, pieces: range(2) };
    const PrepareAudio: FakeFunction = (_, { count }) =>
      count < 2 ? { resume: { upload_id: 'u', etags: Array(count).fill('e') } } : whole;
    const { status, payloadsOf, timesOf } = await ingested({ PrepareAudio });
    expect([status, timesOf('TranscribePiece')]).toEqual(['SUCCEEDED', 2]);
    expect(payloadsOf('PrepareAudio').map(({ resume }) => resume)).toEqual([
      null,
      { upload_id: 'u', etags: [] },
      { upload_id: 'u', etags: ['e'] },
    ]);
    expect(payloadsOf('FinishIngest')[0]).toMatchObject({ audio: { duration_ms: 1000 } });
  });

  it('polls a provider that cannot be stopped until it has ended', async () => {
    const ClearIngest: FakeFunction = (_, { count }) => ({ quiet: count >= 2 });
    const { status, timesOf } = await ingested({ ProbeMedia: canceled, ClearIngest });
    expect([status, timesOf('ClearIngest')]).toEqual(['SUCCEEDED', 3]);
  });

  it('waits for parallel steps after one step noticed the cancellation, but not long if there are none', async () => {
    const tookMs = async (step: string) =>
      (await ingested({ [step]: canceled, FinishIngest: canceled })).took;
    expect(await tookMs('TranscribePiece')).toBeGreaterThanOrEqual(6000);
    expect(await tookMs('PrepareAudio')).toBeGreaterThanOrEqual(6000);
    expect(await tookMs('ProbeMedia')).toBeLessThan(2000);
  });

  it('makes the engine discard all pieces if it is canceled while it transcribes', async () => {
    const steps = { TranscribePiece: canceled, FinishIngest: canceled };
    const { status, payloadsOf } = await ingested(steps, 3);
    expect([status, payloadsOf('MergeTranscription')]).toEqual(['SUCCEEDED', []]);
    expect(payloadsOf('ClearIngest')[0]).toMatchObject({ pieces: 3 });
  });

  it('ends if the transcription of a piece never ends', async () => {
    const { status, timesOf, failure } = await ingested({ TranscribePiece: hanging }, 1);
    expect([status, timesOf('TranscribePiece'), failure?.code]).toEqual(['SUCCEEDED', 2, 'timed_out']);
  });
});

describe('the result of the analysis of sounds and texts', () => {
  it.each([
    ['DescribeSounds', 'heard'],
    ['AnalyzeText', 'text'],
  ])(
    'by %s is passed to the last step; a failure is passed too, and fails nothing else',
    async (step, name) => {
      const told = async (steps: Steps) => {
        const { status, names, payloadsOf } = await ingested(steps);
        expect(status).toBe('SUCCEEDED');
        expect(names.filter((one) => ['FailIngest', 'TranslateIngest'].includes(one))).toEqual([]);
        return payloadsOf('FinishIngest')[0][name];
      };
      expect(await told({})).toHaveProperty('analyses');
      expect(await told({ [step]: failing('internal_error') })).toMatchObject({
        failure: { Error: 'internal_error' },
      });
    },
  );

  it('is available only after speech and pictures, because texts need both', async () => {
    const { names } = await ingested({});
    for (const step of ['DescribeSounds', 'MergePictures'])
      expect(names.indexOf('AnalyzeText')).toBeGreaterThan(names.indexOf(step));
    expect(names.indexOf('DescribeSounds')).toBeGreaterThan(names.indexOf('MergeTranscription'));
  });
});

describe('the pictures of an ingest', () => {
  it('are analyzed in parallel with the sound, and their outcomes are passed to the last step', async () => {
    const { names, payloadsOf, timesOf } = await ingested({});
    expect(timesOf('LookAtPictures')).toBe(2);
    expect(names.indexOf('PlanPictures')).toBeLessThan(names.indexOf('TranscribePiece'));
    expect(payloadsOf('FinishIngest')[0]).toMatchObject({
      audio: { duration_ms: 1000 },
      pictures: { analyses: { camera_shoots: { status: 'ready' } } },
    });
  });

  it.each(['PlanPictures', 'LookAtPictures', 'MergePictures'])(
    'do not affect the sound if %s fails, and the reason is passed to the last step',
    async (step) => {
      const { payloadsOf, timesOf } = await ingested({ [step]: failing('media_limit_exceeded') });
      expect([timesOf('FailIngest'), timesOf('MergeTranscription')]).toEqual([0, 1]);
      expect(payloadsOf('FinishIngest')[0].pictures.failure.Error).toBe('media_limit_exceeded');
    },
  );

  it('are skipped for media without video, and sound for media without audio', async () => {
    const heard = await ingested({ ProbeMedia: () => ({ has_audio: true, has_video: false }) });
    expect(heard.timesOf('PlanPictures')).toBe(0);
    expect(heard.payloadsOf('FinishIngest')[0]).toMatchObject({ pictures: null });
    const seen = await ingested({ ProbeMedia: () => ({ has_audio: false, has_video: true }) });
    expect(seen.timesOf('PrepareAudio')).toBe(0);
    expect(seen.payloadsOf('FinishIngest')[0]).toMatchObject({ audio: null });
  });
});

describe('the languages of the template', () => {
  const last = async (steps: Steps) => {
    const { status, payloadsOf } = await ingested(steps);
    expect(status).toBe('SUCCEEDED');
    return payloadsOf('FinishIngest')[0];
  };
  const failure = { Error: 'language_unsupported' };

  it('are translated, and one that fails does not fail the ingest', async () => {
    const MergeTranscription = () => ({ translate: ['es', 'de'] });
    const TranslateIngest = failingFor('TranslateIngest', 'language_id', 'de', failure.Error);
    expect(await last({ MergeTranscription, TranslateIngest })).toMatchObject({
      translations: [
        { language_id: 'es', version: 1 },
        { language_id: 'de', failure },
      ],
    });
    expect(await last({})).toMatchObject({ translations: [] });
  });

  it('are spoken after their translation, and one that fails does not fail the ingest', async () => {
    const { status, payloadsOf } = await ingested({
      MergeTranscription: () => ({ translate: ['es', 'de', 'fr', 'it'], speak: ['es', 'de', 'fr'] }),
      TranslateIngest: failingFor('TranslateIngest', 'language_id', 'de', failure.Error),
      MixDub: failingFor('MixDub', 'language_id', 'fr', failure.Error),
    });
    expect(status).toBe('SUCCEEDED');
    expect(payloadsOf('PlanDub').map(({ language_id }) => language_id)).toEqual(['es', 'fr']);
    expect(payloadsOf('PlanDub')[1]).toMatchObject({ kind: 'ingest', index: 1, languages: 3 });
    expect(payloadsOf('FinishIngest')[0].dubs).toMatchObject([
      { language_id: 'es', audio_track_id: 't' },
      { language_id: 'fr', failure },
    ]);
  });
});

describe('the history of an ingest', () => {
  /** The events of one more item. */
  const eventsOfEach = async (run: (count: number) => ReturnType<typeof ingested>) =>
    ((await run(12)).history.length - (await run(2)).history.length) / 10;

  it('has room for the pieces of the longest media, each repeated twice', async () => {
    const eventsOfPiece = await eventsOfEach((count) => ingested({}, count));
    const eventsOfRepetition = 3;
    expect(MAX_PIECES * (eventsOfPiece + 2 * eventsOfRepetition)).toBeLessThan(MOST_EVENTS * 0.6);
  });

  it('has room for the pictures of the longest media, each repeated once', async () => {
    const looked = (count: number) => ingested({ PlanPictures: () => ({ spans: range(count) }) });
    expect(MOST_SPANS * ((await eventsOfEach(looked)) + 3)).toBeLessThan(MOST_EVENTS * 0.4);
  });

  it('has room for an engine that is polled for half a day about six pieces', async () => {
    const [POLL_S, HALF_A_DAY_MS] = [10, 43_200_000];
    let began: number | undefined;
    const TranscribePiece: FakeFunction = (_, { clock }) => {
      began ??= clock.now();
      const isDone = clock.now() - began >= HALF_A_DAY_MS;
      return { status: isDone ? 'done' : 'running', retry_after_s: POLL_S };
    };
    const { status, history, invocations, took } = await ingested({ TranscribePiece }, 1);
    expect(status).toBe('SUCCEEDED');
    expect(took).toBeLessThan(HALF_A_DAY_MS * 1.06);
    expect(6 * history.length).toBeLessThan(MOST_EVENTS * 0.4);
    const polls = invocations.filter(({ name }) => name === 'TranscribePiece').map(({ at }) => at);
    expect([polls[1]! - polls[0]!, polls[2]! - polls[1]!]).toEqual([POLL_S * 1000, POLL_S * 1000]);
  });
});
