import { describe, expect, it } from 'vitest';
import { MOST_LANES, runsOf } from '../../lambdas/clips/rules/job-parts.ts';
import { readDefinitions } from '../../lib/jobs/definitions.ts';
import {
  type FakeFunction,
  FunctionError,
  functionArn,
  run,
} from '../../local/test/stepfunctions/harness.ts';

const job = {
  tenant: 'demo',
  asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11',
  job_id: '019a9d2d-0c4f-7b62-8f7b-0d1f4c0f5d2e',
};

const machine = (name: string) =>
  JSON.parse(
    readDefinitions()
      .find((one) => one.name === name)!
      .body.replace(/\$\{(\w+)\}/g, (_, step) => functionArn(step)),
  );

interface Clip {
  readonly video_clip_id: string;
}

const range = (count: number) => Array.from({ length: count }, (_, at) => at);
const missing = (chunks: number) => {
  const runs = runsOf(range(chunks));
  const parts = [...runs, { lane: 'sound' }];
  return { state: 'missing', file: 'f', lanes: runs.length, parts, rendered: chunks, reused: 0 };
};
const made = (input: unknown) => {
  const { video_clip_id, file, rendered, reused } = input as Clip & Record<string, unknown>;
  return { video_clip_id, file, rendered, reused };
};
const failing =
  (error: string): FakeFunction =>
  () => {
    throw new FunctionError(error, 'A sentence.');
  };

const rendering: Readonly<Record<string, FakeFunction>> = {
  PlanClip: () => missing(20),
  RenderChunk: () => ({ done: true }),
  RenderSound: () => ({}),
  JoinClip: made,
};

async function rendered(
  ids: readonly string[],
  steps: Readonly<Record<string, FakeFunction>> = {},
  input: object = {},
) {
  const functions: Record<string, FakeFunction> = {
    ...rendering,
    PlanClips: () => ({
      clips: ids.map((video_clip_id, index) => ({ index, clips: ids.length, video_clip_id })),
    }),
    FinishClips: () => ({}),
    FailClips: () => ({}),
    ClearClips: () => ({}),
    ...steps,
  };
  const outcome = await run({
    definition: machine('Clips'),
    functions,
    input: { ...job, kind: 'clips', ...input },
  });
  const payloadsOf = (step: string) =>
    outcome.invocations.filter(({ name }) => name === step).map(({ payload }) => payload as object);
  return { ...outcome, payloadsOf, names: outcome.invocations.map(({ name }) => name) };
}

describe('a job that renders clips', () => {
  it('renders the chunks and the sound of each clip, joins them, and reports the outcome of each clip', async () => {
    const { status, payloadsOf } = await rendered(['a', 'b']);
    expect(status).toBe('SUCCEEDED');
    const chunks = payloadsOf('RenderChunk') as { part: { chunks: number[] }; file: string }[];
    expect(chunks).toHaveLength(2 * MOST_LANES);
    expect(chunks[0]).toMatchObject({ ...job, kind: 'clips', file: 'f', lanes: MOST_LANES });
    const all = chunks.flatMap(({ part }) => part.chunks).sort((one, other) => one - other);
    expect(all).toEqual(range(20).flatMap((at) => [at, at]));
    expect(payloadsOf('RenderSound')).toHaveLength(2);
    const ends = ['a', 'b'].map((video_clip_id) => ({ video_clip_id, file: 'f', rendered: 20, reused: 0 }));
    expect(payloadsOf('FinishClips')).toEqual([{ ...job, kind: 'clips', ends }]);
  });

  it('runs again until all of its chunks are rendered', async () => {
    const RenderChunk: FakeFunction = (_, { count }) => ({ done: count === 2 });
    const { names } = await rendered(['a'], { PlanClip: () => missing(1), RenderChunk });
    expect(names.filter((name) => name === 'RenderChunk')).toHaveLength(3);
  });

  it('renders nothing if the file exists, and only the sound if all chunks exist', async () => {
    const there = { video_clip_id: 'a', file: 'f', rendered: 0, reused: 20 };
    const asItWas = await rendered(['a'], { PlanClip: () => ({ state: 'made', made: there }) });
    expect(asItWas.names).toEqual(['PlanClips', 'PlanClip', 'FinishClips']);
    expect(asItWas.payloadsOf('FinishClips')).toMatchObject([{ ends: [there] }]);
    const { names } = await rendered(['a'], { PlanClip: () => missing(0) });
    expect(names).toEqual(['PlanClips', 'PlanClip', 'RenderSound', 'JoinClip', 'FinishClips']);
  });

  it('waits for another job that renders the same clip', async () => {
    const there = { video_clip_id: 'a', file: 'f', rendered: 0, reused: 20 };
    const PlanClip: FakeFunction = (_, { count }) =>
      count < 3 ? { state: 'awaited' } : { state: 'made', made: there };
    const { names } = await rendered(['a'], { PlanClip });
    expect(names).toEqual(['PlanClips', 'PlanClip', 'PlanClip', 'PlanClip', 'PlanClip', 'FinishClips']);
  });

  it('has room in its history for fifty clips that wait for another job for a day', async () => {
    // Step Functions quotas: "Maximum execution history size". Four clips wait in parallel.
    const [MOST_EVENTS, LANES, CLIPS, DAY_MS] = [25_000, 4, 50, 86_400_000];
    const wait_ms = (DAY_MS * LANES) / CLIPS;
    let began: number | undefined;
    const PlanClip: FakeFunction = (_, { clock }) => {
      began ??= clock.now();
      const made = { video_clip_id: 'a', file: 'f', rendered: 0, reused: 20 };
      return clock.now() - began < wait_ms ? { state: 'awaited' } : { state: 'made', made };
    };
    const { history, took } = await rendered(['a'], { PlanClip });
    expect(CLIPS * history.length).toBeLessThan(MOST_EVENTS * 0.9);
    expect(took).toBeLessThan(wait_ms * 1.2);
  });

  it.each(['PlanClip', 'RenderChunk', 'RenderSound', 'JoinClip'])(
    'continues with the other clips if %s fails for one, and reports the reason',
    async (step) => {
      const one: FakeFunction = (input, context) => {
        if ((input as Clip).video_clip_id === 'b') throw new FunctionError('media_unreadable', 'No.');
        return rendering[step]!(input, context);
      };
      const { payloadsOf } = await rendered(['a', 'b'], { [step]: one });
      const [{ ends }] = payloadsOf('FinishClips') as [{ ends: { failure?: { Error: string } }[] }];
      expect(ends.map(({ failure }) => failure?.Error)).toEqual([undefined, 'media_unreadable']);
      expect(ends[1]).toMatchObject({ video_clip_id: 'b' });
    },
  );

  it('is cleared if it was canceled, also by a sweep, and fails if it cannot start', async () => {
    const canceled = await rendered(['a'], { FinishClips: failing('canceled') });
    expect(canceled.names.slice(-2)).toEqual(['FinishClips', 'ClearClips']);
    const swept = (name: string) => rendered([], {}, { failure: { Error: name, Cause: '' } });
    expect((await swept('canceled')).names).toEqual(['ClearClips']);
    expect((await swept('States.Timeout')).names).toEqual(['FailClips']);
    const { payloadsOf } = await rendered([], { PlanClips: failing('TypeError') });
    expect(payloadsOf('FailClips')).toMatchObject([{ failure: { Error: 'TypeError' } }]);
  });

  it('has room in its history and its payloads for fifty clips of three hours', async () => {
    // Step Functions quotas: "Maximum execution history size", "Maximum input or output size".
    const [MOST_EVENTS, MOST_BYTES] = [25_000, 256 * 1024];
    const chunks = 3 * 3600;
    // Each run takes a quarter of an hour or more, and makes one call for each chunk of ten minutes.
    const RenderChunk: FakeFunction = (_, { count }) => ({ done: count % 3 === 2 });
    const PlanClip = () => missing(chunks);
    const one = await rendered(['a'], { PlanClip, RenderChunk });
    expect(50 * one.history.length).toBeLessThan(MOST_EVENTS);
    expect(JSON.stringify(missing(chunks)).length).toBeLessThan(MOST_BYTES * 0.5);
  });
});

describe('an export of a clip', () => {
  async function exported(input: object, steps: Readonly<Record<string, FakeFunction>> = {}) {
    const functions: Record<string, FakeFunction> = {
      ...rendering,
      RenderExport: () => ({}),
      WriteExport: () => ({ written: true }),
      FailExport: () => ({}),
      ClearExport: () => ({}),
      ...steps,
    };
    const outcome = await run({ definition: machine('Export'), functions, input: { ...job, ...input } });
    return { ...outcome, names: outcome.invocations.map(({ name }) => name) };
  }
  const first = { video_clip_id: 'a', kind: 'export', render: 'first' };

  it('renders the clip first if requested, and reports the result', async () => {
    const { status, names, invocations } = await exported(first, { PlanClip: () => missing(1) });
    expect(status).toBe('SUCCEEDED');
    expect(names).toEqual(
      expect.arrayContaining(['PlanClip', 'RenderChunk', 'RenderSound', 'JoinClip', 'RenderExport']),
    );
    const begun = invocations.find(({ name }) => name === 'RenderExport')!;
    expect(begun.payload).toMatchObject({ made: { video_clip_id: 'a', file: 'f', rendered: 1 } });
    expect((await exported({})).names).toEqual(['RenderExport', 'WriteExport']);
  });

  it('fails if the clip cannot be rendered, and is cleared if it was canceled', async () => {
    const failed = await exported(first, { RenderChunk: failing('media_unreadable') });
    expect(failed.names.at(-1)).toBe('FailExport');
    expect(failed.invocations.at(-1)!.payload).toMatchObject({ failure: { Error: 'media_unreadable' } });
    expect((await exported(first, { JoinClip: failing('canceled') })).names.at(-1)).toBe('ClearExport');
  });
});
