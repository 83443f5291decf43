/**
 * EventBridge Scheduler on this machine: invokes the targets of the template's schedules at their times. Runs of a schedule do not
 * overlap. A time is skipped while the previous run continues, the local cloud is stopped or the machine sleeps.
 */
import { randomUUID } from 'node:crypto';
import type { Authorizer } from './iam/authorizer.ts';
import type { Outcome } from './lambda/index.ts';
import { type Clock, createClock } from './stepfunctions/clock.ts';
import type { ScheduleView } from './template/compute.ts';

export type ScheduleOptions = {
  schedules: ScheduleView[];
  /** The ARNs of the functions that can be invoked. */
  functionArns: string[];
  region: string;
  accountId: string;
  invoke: (functionArn: string, payload: string, signal: AbortSignal) => Promise<Outcome>;
  /** Checks whether the role of a schedule may invoke its target. */
  authorizer?: Authorizer;
  report: (line: string) => void;
  clock?: Clock;
};

export type Schedules = {
  /** Aborts running functions, and starts no more. */
  close(): Promise<void>;
};

/** The maximum sleep of the clock, ms. After this time, the clock notices that the machine slept or that its time was changed. */
const LONGEST_SLEEP_MS = 10_000;

/** Starts all supported schedules. Reports the supported schedules and the ignored schedules. */
export function startSchedules(given: ScheduleOptions): Schedules {
  const options = { clock: createClock(Date.now, LONGEST_SLEEP_MS), ...given };
  const closing = new AbortController();
  const followed = options.schedules.flatMap((schedule) => {
    const fault = faultOf(schedule, options.functionArns);
    if (fault === undefined) return [follow(schedule, options, closing.signal)];
    options.report(`Not run here: the schedule ${schedule.logicalId}, ${schedule.expression}: ${fault}`);
    return [];
  });
  if (followed.length > 0) options.report(`Schedules: ${followed.length} by the clock`);
  return {
    async close() {
      closing.abort();
      await Promise.all(followed);
    },
  };
}

function faultOf({ expression, targetArn }: ScheduleView, functionArns: string[]): string | undefined {
  if (periodOf(expression) === undefined) return 'only rate(…) in minutes, hours or days is understood';
  return functionArns.includes(targetArn)
    ? undefined
    : `its target ${targetArn} is no function of the template`;
}

const unitsMs: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** Returns the milliseconds of a `rate(…)`. In EventBridge's grammar, the unit is singular for 1. Undefined for other expressions. */
export function periodOf(expression: string): number | undefined {
  const [, digits, unit, plural] = /^rate\(([1-9]\d*) (minute|hour|day)(s?)\)$/.exec(expression) ?? [];
  if (unit === undefined || (digits === '1') !== (plural === '')) return undefined;
  return Number(digits) * unitsMs[unit]!;
}

/** The maximum time to the first run of a schedule, ms. A laptop seldom runs for the whole period of a daily schedule. */
const FIRST_RUN_MS = 60_000;

type Options = ScheduleOptions & Required<Pick<ScheduleOptions, 'clock'>>;

/** Runs a schedule until the signal aborts. Resolves when its last run has ended. */
async function follow(schedule: ScheduleView, options: Options, signal: AbortSignal): Promise<void> {
  const { clock } = options;
  const period = periodOf(schedule.expression)!;
  let due = clock.now() + Math.min(period, FIRST_RUN_MS);
  let wasWell = true;
  while (await reached(due, clock, signal)) {
    const fault = await runOnce(schedule, due, options, signal);
    // Reports only the first of consecutive failures. The log of the function contains all of them.
    if (fault !== undefined && wasWell && !signal.aborted) {
      options.report(`The schedule ${schedule.logicalId} failed: ${fault}`);
    }
    wasWell = fault === undefined;
    due += period * (1 + Math.floor((clock.now() - due) / period));
  }
}

/** Runs the schedule once. Returns the fault. Undefined if the run succeeded. */
async function runOnce(
  schedule: ScheduleView,
  due: number,
  { invoke, authorizer, ...place }: Options,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    if (schedule.roleArn !== undefined) {
      const caller = { roleArn: schedule.roleArn, sessionName: schedule.logicalId };
      const invoking = { action: 'lambda:InvokeFunction', resource: schedule.targetArn, context: {} };
      authorizer?.authorize(caller, [invoking]);
    }
    const outcome = await invoke(schedule.targetArn, payloadOf(schedule, due, place), signal);
    return 'error' in outcome ? `${outcome.error.errorType}: ${outcome.error.errorMessage}` : undefined;
  } catch (error) {
    return String(error);
  }
}

/** Returns the input of the schedule, or else the event that EventBridge sends. In the event of a rule, `detail` is an object. */
function payloadOf(
  { input, source, arn }: ScheduleView,
  due: number,
  { region, accountId }: Pick<ScheduleOptions, 'region' | 'accountId'>,
): string {
  if (input !== undefined) return input;
  return JSON.stringify({
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source,
    account: accountId,
    time: new Date(due).toISOString().replace(/\.\d+Z$/, 'Z'),
    region,
    resources: [arn],
    detail: source === 'aws.events' ? {} : '{}',
  });
}

/** Waits until `due`. Resolves to false if the signal aborts first. */
const reached = (due: number, clock: Clock, signal: AbortSignal): Promise<boolean> =>
  clock.until(due, signal).then(
    () => true,
    () => false,
  );
