import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Outcome } from '../../lambda/index.ts';
import { periodOf, type Schedules, startSchedules } from '../../schedules.ts';
import type { Clock } from '../../stepfunctions/clock.ts';
import type { ScheduleView } from '../../template/compute.ts';

const arn = 'arn:aws:lambda:us-east-1:000000000000:function:Sweep';
const everyMinute: ScheduleView = {
  logicalId: 'SweepSchedule',
  arn: 'arn:aws:scheduler:us-east-1:000000000000:schedule/default/SweepSchedule',
  source: 'aws.scheduler',
  expression: 'rate(1 minute)',
  timezone: 'UTC',
  targetArn: arn,
};

interface Run {
  readonly at: string;
  readonly target: string;
  readonly payload: string;
}

let clock: ReturnType<typeof setClock>;
let schedules: Schedules | undefined;
let runs: Run[];
let lines: string[];
let answer: (signal: AbortSignal) => Promise<Outcome>;
const well = async (): Promise<Outcome> => ({ payload: '{}' });

beforeEach(() => {
  clock = setClock(Date.parse('2026-11-21T09:30:00.250Z'));
  runs = [];
  lines = [];
  answer = well;
});
afterEach(() => schedules?.close());

function setClock(start: number): Clock & { passMinutes(minutes: number): Promise<void> } {
  let time = start;
  const waiting = new Set<{ at: number; ring: () => void }>();
  return {
    now: () => time,
    until: (at, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(new Error('cancelled'));
        signal.addEventListener('abort', () => reject(new Error('cancelled')));
        waiting.add({ at, ring: resolve });
      }),
    async passMinutes(minutes) {
      time += minutes * 60_000;
      for (const alarm of waiting) {
        if (alarm.at > time) continue;
        waiting.delete(alarm);
        alarm.ring();
      }
      await settled();
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

function start(...views: ScheduleView[]): void {
  schedules = startSchedules({
    schedules: views,
    functionArns: [arn],
    region: 'us-east-1',
    accountId: '000000000000',
    invoke: (target, payload, signal) => {
      runs.push({ at: new Date(clock.now()).toISOString().slice(11, 16), target, payload });
      return answer(signal);
    },
    report: (line) => lines.push(line),
    clock,
  });
}

const times = () => runs.map(({ at }) => at);

describe('the rate of a schedule', () => {
  it.each([
    ['rate(1 minute)', 60_000],
    ['rate(5 minutes)', 300_000],
    ['rate(1 hour)', 3_600_000],
    ['rate(12 hours)', 43_200_000],
    ['rate(1 day)', 86_400_000],
    ['rate(30 days)', 2_592_000_000],
  ])('is converted to milliseconds: %s is %d ms', (expression, ms) => {
    expect(periodOf(expression)).toBe(ms);
  });

  it.each([
    'rate(1 minutes)',
    'rate(5 minute)',
    'rate(0 minutes)',
    'rate(1.5 hours)',
    'rate(1 week)',
    'cron(0 * * * ? *)',
    'at(2026-11-21T09:30:00)',
  ])('is refused if it is not supported: %s', (expression) => {
    expect(periodOf(expression)).toBeUndefined();
  });
});

describe('a schedule', () => {
  it('runs after its period, and again after each further period', async () => {
    start({ ...everyMinute, expression: 'rate(2 minutes)' }, everyMinute);
    expect(lines).toEqual(['Schedules: 2 by the clock']);
    for (let minute = 0; minute < 4; minute += 1) await clock.passMinutes(1);
    expect(times()).toEqual(['09:31', '09:31', '09:32', '09:33', '09:33', '09:34']);
  });

  it('runs for the first time after one minute, even if its period is longer', async () => {
    start({ ...everyMinute, expression: 'rate(1 day)' });
    await clock.passMinutes(1);
    await clock.passMinutes(60);
    expect(times()).toEqual(['09:31']);
    await clock.passMinutes(24 * 60);
    expect(runs).toHaveLength(2);
  });

  it('sends the event of EventBridge Scheduler', async () => {
    start(everyMinute);
    await clock.passMinutes(1);
    expect(runs[0]!.target).toBe(arn);
    expect(JSON.parse(runs[0]!.payload)).toEqual({
      version: '0',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      'detail-type': 'Scheduled Event',
      source: 'aws.scheduler',
      account: '000000000000',
      time: '2026-11-21T09:31:00Z',
      region: 'us-east-1',
      resources: [everyMinute.arn],
      detail: '{}',
    });
  });

  it('sends the event of an EventBridge rule, or the input of the template', async () => {
    start({ ...everyMinute, source: 'aws.events' }, { ...everyMinute, input: '{"a":1}' });
    await clock.passMinutes(1);
    expect(JSON.parse(runs[0]!.payload)).toMatchObject({ source: 'aws.events', detail: {} });
    expect(runs[1]!.payload).toBe('{"a":1}');
  });

  it('starts no run while another run is active, and skips the times that pass meanwhile', async () => {
    const first = Promise.withResolvers<Outcome>();
    answer = () => first.promise;
    start(everyMinute);
    for (let minute = 0; minute < 3; minute += 1) await clock.passMinutes(1);
    expect(times()).toEqual(['09:31']);
    answer = well;
    first.resolve({ payload: '{}' });
    await settled();
    expect(times()).toEqual(['09:31']);
    await clock.passMinutes(1);
    expect(times()).toEqual(['09:31', '09:34']);
  });

  it('runs once, not sixty times, after the computer was asleep for an hour', async () => {
    start(everyMinute);
    await clock.passMinutes(61);
    await clock.passMinutes(0);
    expect(times()).toEqual(['10:31']);
    await clock.passMinutes(1);
    expect(times()).toEqual(['10:31', '10:32']);
  });

  it('continues after a failed run, and reports the first failure of a series', async () => {
    answer = async () => ({ error: { errorType: 'Sandbox.Timedout', errorMessage: 'too slow' } });
    start(everyMinute);
    await clock.passMinutes(1);
    await clock.passMinutes(1);
    answer = () => Promise.reject(new Error('broken'));
    await clock.passMinutes(1);
    answer = well;
    await clock.passMinutes(1);
    answer = () => Promise.reject(new Error('broken again'));
    await clock.passMinutes(1);
    expect(runs).toHaveLength(5);
    expect(lines.slice(1)).toEqual([
      'The schedule SweepSchedule failed: Sandbox.Timedout: too slow',
      'The schedule SweepSchedule failed: Error: broken again',
    ]);
  });

  it('ends with the local cloud: the current run is aborted, and no other starts', async () => {
    const aborted = Promise.withResolvers<Outcome>();
    answer = (signal) => {
      signal.addEventListener('abort', () => aborted.resolve({ payload: 'null' }));
      return aborted.promise;
    };
    start(everyMinute);
    await clock.passMinutes(1);
    await schedules?.close();
    await clock.passMinutes(5);
    expect(runs).toHaveLength(1);
    expect(lines).toEqual(['Schedules: 1 by the clock']);
  });
});

describe('an unsupported schedule', () => {
  it('is reported with the reason', () => {
    const nightly = { ...everyMinute, logicalId: 'Nightly', expression: 'cron(0 3 * * ? *)' };
    const queued = { ...everyMinute, logicalId: 'Queued', targetArn: 'arn:aws:sqs:us-east-1:0:queue' };
    start(nightly, queued);
    expect(lines).toEqual([
      'Not run here: the schedule Nightly, cron(0 3 * * ? *): only rate(…) in minutes, hours or days is understood',
      'Not run here: the schedule Queued, rate(1 minute): its target arn:aws:sqs:us-east-1:0:queue is no function of the template',
    ]);
  });
});
