import { describe, expect, it } from 'vitest';
import { MAX_PIECES } from '../../engines/transcription/plan-pieces.ts';
import { MOST_SPANS } from '../../lambdas/ingest/rules/picture-spans.ts';
import { readDefinitions } from '../../lib/jobs/definitions.ts';
import { permanent, refused, throttled } from '../../lib/jobs/retrying.ts';
import {
  type FakeFunction,
  FunctionError,
  functionArn,
  run,
} from '../../local/test/stepfunctions/harness.ts';
import { jobFailure } from '../../platform/jobs/job-failure.ts';

const job = {
  tenant: 'demo',
  asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11',
  job_id: '019a9d2d-0c4f-7b62-8f7b-0d1f4c0f5d2e',
};

/** The ingest machine as it is deployed. Only the ARNs differ. */
const ingest = JSON.parse(
  readDefinitions()
    .find(({ name }) => name === 'Ingest')!
    .body.replace(/\$\{(\w+)\}/g, (_, step) => functionArn(step)),
);

/** Step Functions quotas, "Maximum execution history size": an execution with more events fails. */
const MOST_EVENTS = 25_000;

const pieces = (count: number) => Array.from({ length: count }, (_, index) => ({ index }));

/**
 * Runs an ingest. All its steps succeed, except the given ones.
 * @param random source of the random numbers for waits
 */
async function ingested(steps: Readonly<Record<string, FakeFunction>>, count = 2, random = Math.random) {
  const functions: Record<string, FakeFunction> = {
    CompleteUpload: () => ({}),
    ProbeMedia: () => ({ has_audio: true, has_video: true }),
    PrepareAudio: () => ({ audio: { key: 'audio', duration_ms: 1000 }, pieces: pieces(count) }),
    TranscribePiece: () => ({ status: 'done', retry_after_s: 0 }),
    MergeTranscription: () => ({}),
    DescribeSounds: () => ({ analyses: { sound_descriptions: { status: 'ready', error: null } } }),
    TranslateIngest: () => ({ language_id: 'es', transcription_id: 't', version: 1, characters: 1 }),
    PlanPictures: () => ({ spans: pieces(2) }),
    LookAtPictures: () => ({}),
    MergePictures: () => ({ analyses: { camera_shoots: { status: 'ready', error: null } } }),
    AnalyzeText: () => ({ analyses: { metadata: { status: 'ready', error: null } } }),
    FinishIngest: () => ({}),
    FailIngest: () => ({}),
    ClearIngest: () => ({ quiet: true }),
    ...steps,
  };
  const outcome = await run({ definition: ingest, functions, input: job, random });
  const runsOf = (step: string) => outcome.invocations.filter(({ name }) => name === step);
  const [told] = runsOf('FailIngest').map(
    ({ payload }) => (payload as { failure: { Error: string; Cause: string } }).failure,
  );
  return { ...outcome, runsOf, failure: told && jobFailure(told.Error, told.Cause) };
}

/** Throws the error of a function this many times, then succeeds. */
const failing =
  (name: string, times: number, well: unknown): FakeFunction =>
  (_, { count }) => {
    if (count < times) throw new FunctionError(name, 'a sentence');
    return well;
  };
/** Gives the longest waits. */
const longest = () => 0.999;
const always = (name: string) => failing(name, Number.POSITIVE_INFINITY, {});
const hanging: FakeFunction = () => new Promise(() => {});

describe('an ingest', () => {
  it('succeeds if all steps succeed', async () => {
    const { status, failure } = await ingested({});
    expect({ status, failure }).toEqual({ status: 'SUCCEEDED', failure: undefined });
  });

  it.each(permanent.filter((name) => name !== 'canceled'))(
    'does not retry a step after the permanent error %s',
    async (name) => {
      const { runsOf, failure } = await ingested({ ProbeMedia: always(name) });
      expect(runsOf('ProbeMedia')).toHaveLength(1);
      expect(runsOf('FailIngest')).toHaveLength(1);
      expect(failure).toBeDefined();
    },
  );

  it('extracts the speech in as many invocations as needed; each continues the previous one', async () => {
    const whole = { audio: { key: 'audio', duration_ms: 1000 }, pieces: pieces(2) };
    const PrepareAudio: FakeFunction = (_, { count }) =>
      count < 2 ? { resume: { upload_id: 'u', etags: Array(count).fill('e') } } : whole;
    const { status, runsOf } = await ingested({ PrepareAudio });
    expect(status).toBe('SUCCEEDED');
    expect(runsOf('PrepareAudio').map(({ payload }) => (payload as { resume: unknown }).resume)).toEqual([
      null,
      { upload_id: 'u', etags: [] },
      { upload_id: 'u', etags: ['e'] },
    ]);
    expect(runsOf('TranscribePiece')).toHaveLength(2);
    expect(runsOf('FinishIngest')[0]!.payload).toMatchObject({ audio: { duration_ms: 1000 } });
  });

  it('polls a provider that cannot be stopped until it has ended', async () => {
    const ClearIngest: FakeFunction = (_, { count }) => ({ quiet: count >= 2 });
    const { status, runsOf } = await ingested({ ProbeMedia: always('canceled'), ClearIngest });
    expect(status).toBe('SUCCEEDED');
    expect(runsOf('ClearIngest')).toHaveLength(3);
  });

  it('waits for parallel steps after one step noticed the cancellation, but not long if there are none', async () => {
    const canceled = always('canceled');
    const tookMs = async (step: string) =>
      (await ingested({ [step]: canceled, FinishIngest: canceled })).took;
    expect(await tookMs('TranscribePiece')).toBeGreaterThanOrEqual(6000);
    expect(await tookMs('PrepareAudio')).toBeGreaterThanOrEqual(6000);
    expect(await tookMs('ProbeMedia')).toBeLessThan(2000);
  });

  it('makes the engine discard all pieces if it is canceled while it transcribes', async () => {
    const canceled = always('canceled');
    const { status, runsOf } = await ingested({ TranscribePiece: canceled, FinishIngest: canceled }, 3);
    expect(status).toBe('SUCCEEDED');
    expect(runsOf('MergeTranscription')).toEqual([]);
    expect(runsOf('ClearIngest')[0]!.payload).toMatchObject({ pieces: 3 });
  });

  it('removes its objects and ends without a failure if its asset was deleted', async () => {
    const { status, invocations } = await ingested({ ProbeMedia: always('canceled') });
    expect(status).toBe('SUCCEEDED');
    expect(invocations.map(({ name }) => name)).toEqual(['CompleteUpload', 'ProbeMedia', 'ClearIngest']);
  });

  it.each([
    'TransactionCanceledException',
    'TransactionInProgressException',
    'TimeoutError',
    'Error',
    'write_conflict',
    'provider_throttled',
    'provider_unavailable',
  ])('retries a step after the error %s until it succeeds', async (name) => {
    const FinishIngest = failing(name, 3, {});
    const { status, runsOf, failure } = await ingested({ FinishIngest });
    expect(status).toBe('SUCCEEDED');
    expect(runsOf('FinishIngest')).toHaveLength(4);
    expect(failure).toBeUndefined();
  });

  it('becomes slower if a provider throttles requests, even for an hour', async () => {
    const TranscribePiece = failing('provider_throttled', 20, { status: 'done', retry_after_s: 0 });
    const { status, failure, took } = await ingested({ TranscribePiece }, 1, longest);
    expect([status, failure]).toEqual(['SUCCEEDED', undefined]);
    expect(took).toBeGreaterThan(3_600_000);
  });

  it.each(['CompleteUpload', 'TranscribePiece', 'FinishIngest'])(
    'fails within ten minutes with a retryable error if the provider that %s calls is broken',
    async (step) => {
      const { runsOf, failure, took } = await ingested(
        { [step]: always('provider_unavailable') },
        1,
        longest,
      );
      expect(runsOf(step)).toHaveLength(6);
      expect(took).toBeGreaterThan(3 * 60_000);
      expect(took).toBeLessThan(10 * 60_000);
      expect(failure).toMatchObject({
        ...{ code: 'provider_unavailable', retryable: true },
        detail: 'a sentence Create the job again later.',
      });
    },
  );

  it('reports the throttling if it fails after all retries', async () => {
    const { runsOf, failure } = await ingested({ FinishIngest: always('provider_throttled') });
    expect(runsOf('FinishIngest')).toHaveLength(49);
    expect(failure).toMatchObject({ code: 'provider_unavailable', retryable: true });
  });

  it('fails after four retries, and shows no internal details', async () => {
    const { runsOf, failure } = await ingested({ FinishIngest: always('TypeError') });
    expect(runsOf('FinishIngest')).toHaveLength(5);
    expect(failure).toMatchObject({ code: 'internal_error', retryable: true });
  });

  it.each([...refused, ...throttled])(
    'retries a step that Lambda refused with %s, even ten times',
    async (name) => {
      const CompleteUpload: FakeFunction = (_, { count }) => {
        if (count < 10) throw Object.assign(new Error('refused'), { name });
        return {};
      };
      const { runsOf, failure } = await ingested({ CompleteUpload });
      expect(runsOf('CompleteUpload')).toHaveLength(11);
      expect(failure).toBeUndefined();
    },
  );
});

describe('the result of the analysis of sounds and texts', () => {
  it.each([
    ['DescribeSounds', 'heard'],
    ['AnalyzeText', 'text'],
  ])(
    'by %s is passed to the last step; a failure is passed too, and fails nothing else',
    async (step, name) => {
      const told = async (steps: Readonly<Record<string, FakeFunction>>) => {
        const { status, runsOf } = await ingested(steps);
        expect([status, runsOf('FailIngest'), runsOf('TranslateIngest')]).toEqual(['SUCCEEDED', [], []]);
        return (runsOf('FinishIngest')[0]!.payload as Record<string, object>)[name];
      };
      expect(await told({})).toHaveProperty('analyses');
      expect(await told({ [step]: always('internal_error') })).toMatchObject({
        failure: { Error: 'internal_error' },
      });
    },
  );

  it('is available only after speech and pictures, because texts need both', async () => {
    const { invocations } = await ingested({});
    const order = invocations.map(({ name }) => name);
    for (const step of ['DescribeSounds', 'MergePictures']) {
      expect(order.indexOf('AnalyzeText')).toBeGreaterThan(order.indexOf(step));
    }
    expect(order.indexOf('DescribeSounds')).toBeGreaterThan(order.indexOf('MergeTranscription'));
  });
});

describe('the pictures of an ingest', () => {
  it('are analyzed in parallel with the sound, and their outcomes are passed to the last step', async () => {
    const { status, runsOf, invocations } = await ingested({});
    expect(status).toBe('SUCCEEDED');
    expect(runsOf('LookAtPictures')).toHaveLength(2);
    const order = invocations.map(({ name }) => name);
    expect(order.indexOf('PlanPictures')).toBeLessThan(order.indexOf('TranscribePiece'));
    expect(runsOf('FinishIngest')[0]!.payload).toMatchObject({
      audio: { duration_ms: 1000 },
      pictures: { analyses: { camera_shoots: { status: 'ready' } } },
    });
  });

  it.each(['PlanPictures', 'LookAtPictures', 'MergePictures'])(
    'do not affect the sound if %s fails, and the reason is passed to the last step',
    async (step) => {
      const { status, runsOf } = await ingested({ [step]: always('media_limit_exceeded') });
      expect(status).toBe('SUCCEEDED');
      expect([runsOf('FailIngest'), runsOf('MergeTranscription').length]).toEqual([[], 1]);
      const { pictures } = runsOf('FinishIngest')[0]!.payload as { pictures: { failure: { Error: string } } };
      expect(pictures.failure.Error).toBe('media_limit_exceeded');
    },
  );

  it('are skipped for media without video, and sound for media without audio', async () => {
    const heard = await ingested({ ProbeMedia: () => ({ has_audio: true, has_video: false }) });
    expect(heard.runsOf('PlanPictures')).toEqual([]);
    expect(heard.runsOf('FinishIngest')[0]!.payload).toMatchObject({ pictures: null });
    const seen = await ingested({ ProbeMedia: () => ({ has_audio: false, has_video: true }) });
    expect(seen.runsOf('PrepareAudio')).toEqual([]);
    expect(seen.runsOf('FinishIngest')[0]!.payload).toMatchObject({ audio: null });
  });

  it('have room in the history for the longest media', async () => {
    const looked = (count: number) => ingested({ PlanPictures: () => ({ spans: pieces(count) }) });
    const [few, more] = [await looked(2), await looked(12)];
    const eventsOfSpan = (more.history.length - few.history.length) / 10;
    expect(eventsOfSpan).toBe(9);
    expect(MOST_SPANS * (eventsOfSpan + 3)).toBeLessThan(MOST_EVENTS * 0.4);
  });
});

describe('an ingest that a sweep or a cancellation starts again', () => {
  it.each([
    [{ Error: 'States.Timeout', Cause: '' }, ['FailIngest', 'ClearIngest']],
    [{ Error: 'canceled', Cause: '' }, ['ClearIngest']],
  ])('with the failure %j runs only the steps %j', async (failure, steps) => {
    const functions = { FailIngest: () => ({}), ClearIngest: () => ({ quiet: true }) };
    const outcome = await run({ definition: ingest, functions, input: { ...job, failure } });
    expect(outcome.status).toBe('SUCCEEDED');
    expect(outcome.invocations.map(({ name }) => name)).toEqual(steps);
  });
});

describe('a step that never ends', () => {
  it.each(['ProbeMedia', 'TranscribePiece'])('is repeated once, then ends the job: %s', async (step) => {
    const { status, runsOf, failure } = await ingested({ [step]: hanging }, 1);
    expect(runsOf(step)).toHaveLength(2);
    expect(failure).toEqual({
      code: 'timed_out',
      title: 'The job took too long',
      detail: expect.stringContaining('shorter asset'),
      retryable: true,
    });
    expect(status).toBe('SUCCEEDED');
  });

  it.each(['Sandbox.Timedout', 'Lambda.Unknown', 'timed_out'])(
    'is also recognized by the error %s',
    async (name) => {
      const { runsOf, failure } = await ingested({ PrepareAudio: always(name) });
      expect(runsOf('PrepareAudio')).toHaveLength(2);
      expect(failure?.code).toBe('timed_out');
    },
  );

  it('ends after half an hour at most, if its own limit is a quarter of an hour', async () => {
    const { took } = await ingested({ PrepareAudio: hanging });
    expect(took).toBeLessThan(32 * 60_000);
  });
});

describe('the history of an ingest', () => {
  const POLL_S = 10;

  it('has room for the pieces of the longest media, each repeated twice', async () => {
    const [few, more] = [await ingested({}, 2), await ingested({}, 12)];
    const eventsOfPiece = (more.history.length - few.history.length) / 10;
    expect(eventsOfPiece).toBe(13);
    const eventsOfRepetition = 3;
    expect(MAX_PIECES * (eventsOfPiece + 2 * eventsOfRepetition)).toBeLessThan(MOST_EVENTS * 0.6);
  });

  it('has room for an engine that is polled for half a day about six pieces', async () => {
    const HALF_A_DAY_MS = 43_200_000;
    let began: number | undefined;
    const TranscribePiece: FakeFunction = (_, { clock }) => {
      began ??= clock.now();
      const isDone = clock.now() - began >= HALF_A_DAY_MS;
      return { status: isDone ? 'done' : 'running', retry_after_s: POLL_S };
    };
    const { status, history, runsOf, took } = await ingested({ TranscribePiece }, 1);
    expect(status).toBe('SUCCEEDED');
    expect(took).toBeLessThan(HALF_A_DAY_MS * 1.06);
    expect(6 * history.length).toBeLessThan(MOST_EVENTS * 0.4);
    const [first, second, third] = runsOf('TranscribePiece');
    expect([second!.at - first!.at, third!.at - second!.at]).toEqual([POLL_S * 1000, POLL_S * 1000]);
  });
});

describe('an execution whose failure cannot be recorded', () => {
  it('fails with the first error, not with the error of the record', async () => {
    const { status, error, cause } = await ingested({
      ProbeMedia: always('media_unreadable'),
      FailIngest: always('Error'),
    });
    expect({ status, error }).toEqual({ status: 'FAILED', error: 'media_unreadable' });
    expect(cause).toContain('a sentence');
  });

  it('fails with a time-out, which has no cause', async () => {
    const { status, error, cause } = await ingested({ ProbeMedia: hanging, FailIngest: always('Error') });
    expect({ status, error, cause }).toEqual({ status: 'FAILED', error: 'States.Timeout', cause: '' });
  });
});
