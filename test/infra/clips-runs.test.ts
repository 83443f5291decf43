import { describe, expect, it } from 'vitest';
import { MOST_LANES, runsOf } from '../../lambdas/clips/rules/job-parts.ts';
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

const range = (count: number) => Array.from({ length: count }, (_, at) => at);
const missing = (chunks: number) => {
  const runs = runsOf(range(chunks));
  const parts = [...runs, { lane: 'sound' }];
  return { state: 'missing', file: 'f', lanes: runs.length, parts, rendered: chunks, reused: 0 };
};
const there = { video_clip_id: 'a', file: 'f', rendered: 0, reused: 20 };
const rendered = (ids: readonly string[], steps: Steps = {}) => {
  const plans = { PlanClips: planOf('clips', 'video_clip_id', ids), PlanClip: () => missing(20) };
  return runOf('Clips', { ...plans, ...steps }, { input: { ...job, kind: 'clips' } });
};

describe('a job that renders clips', () => {
  it('renders the chunks and the sound of each clip, joins them, and reports the outcome of each clip', async () => {
    const { status, payloadsOf, timesOf } = await rendered(['a', 'b']);
    expect(status).toBe('SUCCEEDED');
    const chunks = payloadsOf('RenderChunk');
    expect(chunks).toHaveLength(2 * MOST_LANES);
    expect(chunks[0]).toMatchObject({ ...job, kind: 'clips', file: 'f', lanes: MOST_LANES });
    const all = chunks.flatMap(({ part }) => part.chunks).sort((one, other) => one - other);
    expect(all).toEqual(range(20).flatMap((at) => [at, at]));
    expect(timesOf('RenderSound')).toBe(2);
    const ends = ['a', 'b'].map((video_clip_id) => ({ video_clip_id, file: 'f', rendered: 20, reused: 0 }));
    expect(payloadsOf('FinishClips')).toEqual([{ ...job, kind: 'clips', ends }]);
  });

  it('runs again until all of its chunks are rendered', async () => {
    const RenderChunk: FakeFunction = (_, { count }) => ({ done: count === 2 });
    const { timesOf } = await rendered(['a'], { PlanClip: () => missing(1), RenderChunk });
    expect(timesOf('RenderChunk')).toBe(3);
  });

  it('renders nothing if the file exists, and only the sound if all chunks exist', async () => {
    const asItWas = await rendered(['a'], { PlanClip: () => ({ state: 'made', made: there }) });
    expect(asItWas.names).toEqual(['PlanClips', 'PlanClip', 'FinishClips']);
    expect(asItWas.payloadsOf('FinishClips')).toMatchObject([{ ends: [there] }]);
    const { names } = await rendered(['a'], { PlanClip: () => missing(0) });
    expect(names).toEqual(['PlanClips', 'PlanClip', 'RenderSound', 'JoinClip', 'FinishClips']);
  });

  it('waits for another job that renders the same clip', async () => {
    const PlanClip: FakeFunction = (_, { count }) =>
      count < 3 ? { state: 'awaited' } : { state: 'made', made: there };
    const { names } = await rendered(['a'], { PlanClip });
    expect(names).toEqual(['PlanClips', 'PlanClip', 'PlanClip', 'PlanClip', 'PlanClip', 'FinishClips']);
  });

  it('has room in its history for fifty clips that wait for another job for a day', async () => {
    // Four clips wait in parallel.
    const [LANES, CLIPS, DAY_MS] = [4, 50, 86_400_000];
    const wait_ms = (DAY_MS * LANES) / CLIPS;
    let began: number | undefined;
    const PlanClip: FakeFunction = (_, { clock }) => {
      began ??= clock.now();
      return clock.now() - began < wait_ms ? { state: 'awaited' } : { state: 'made', made: there };
    };
    const { history, took } = await rendered(['a'], { PlanClip });
    expect(CLIPS * history.length).toBeLessThan(MOST_EVENTS * 0.9);
    expect(took).toBeLessThan(wait_ms * 1.2);
  });

  it.each(['PlanClip', 'RenderChunk', 'RenderSound', 'JoinClip'])(
    'continues with the other clips if %s fails for one, and reports the reason',
    async (step) => {
      const fails = failingFor(step, 'video_clip_id', 'b', 'media_unreadable');
      const { payloadsOf } = await rendered(['a', 'b'], { [step]: fails });
      const [{ ends }] = payloadsOf('FinishClips');
      expect(ends).toMatchObject([
        { video_clip_id: 'a' },
        { video_clip_id: 'b', failure: { Error: 'media_unreadable' } },
      ]);
      expect(ends[0]).not.toHaveProperty('failure');
    },
  );

  it('has room in its history and its payloads for fifty clips of three hours', async () => {
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
  const first = { ...job, video_clip_id: 'a', kind: 'export', render: 'first' };
  const exported = (steps: Steps) =>
    runOf('Export', { PlanClip: () => missing(1), ...steps }, { input: first });

  it('renders the clip first if requested, and reports the result', async () => {
    const { status, names, payloadsOf } = await exported({});
    expect(status).toBe('SUCCEEDED');
    expect([...names].sort()).toEqual(
      ['PlanClip', 'RenderChunk', 'RenderSound', 'JoinClip', 'RenderExport', 'WriteExport'].sort(),
    );
    expect(payloadsOf('RenderExport')).toMatchObject([
      { made: { video_clip_id: 'a', file: 'f', rendered: 1 } },
    ]);
  });

  it('fails if the clip cannot be rendered, and is cleared if it was canceled', async () => {
    const failed = await exported({ RenderChunk: failing('media_unreadable') });
    expect(failed.names.at(-1)).toBe('FailExport');
    expect(failed.payloadsOf('FailExport')).toMatchObject([{ failure: { Error: 'media_unreadable' } }]);
    expect((await exported({ JoinClip: failing('canceled') })).names.at(-1)).toBe('ClearExport');
  });

  it('is rendered once, and written in as many calls as needed', async () => {
    const WriteExport: FakeFunction = (_, { count }) => ({ written: count === 2 });
    const { status, names } = await runOf('Export', { WriteExport });
    expect(status).toBe('SUCCEEDED');
    expect(names).toEqual(['RenderExport', 'WriteExport', 'WriteExport', 'WriteExport']);
  });
});
