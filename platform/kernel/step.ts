/**
 * Makes the Lambdas of state machines. A step receives the ids of its job, and does its work. It may run again with the
 * same input, and must then end in the same state. A step throws each error with the error's code as name, so that Retry
 * and Catch can match the code.
 */
import middy from '@middy/core';
import type { JobErrorCode, StepFailure } from '../../contract/kit/errors.ts';
import { type AssetId, asTenantId, type TenantId } from '../../shared/ids.ts';
import { JobError } from '../../shared/job-errors.ts';
import { NotFound, Problem } from '../../shared/problems.ts';
import { clock } from '../runtime/clock.ts';
import { describeError, log, logWithMetrics } from '../runtime/log.ts';
import { clearWorkFolders } from '../runtime/work-folder.ts';
import type { Named } from '../steps/define-step.ts';
import { deliverPublished } from './deliver-events.ts';
import { type Invocation, timeLeft } from './time-left.ts';

/** The input that all executions share. Inputs contain only ids, because the history of an execution shows them. */
export interface TenantInput {
  readonly tenant: string;
}

export interface StepInput extends TenantInput {
  readonly asset_id: AssetId;
}

export interface StepContext {
  readonly tenant: TenantId;
  readonly now: () => Date;
  readonly newId: () => string;
  /** Milliseconds until Lambda ends this invocation. */
  readonly leftMs: () => number;
}

/** Thrown by a step if its job was canceled, its asset was deleted, or another job processes the asset. The machine then cleans up. */
export class Canceled extends Error {
  constructor() {
    super('The job was canceled, or what it works on was deleted or taken over');
    this.name = 'canceled';
  }
}

/** Ends a step as canceled if the record it needs was deleted. Other errors stay as they are. */
export function whenDeleted(error: unknown): never {
  throw error instanceof NotFound ? new Canceled() : error;
}

/** Throws Canceled for null, which functions return if the job was canceled. */
export function unlessCanceled<Found>(found: Found | null): Found {
  if (found === null) throw new Canceled();
  return found;
}

interface StepEvent extends TenantInput {
  readonly started?: number;
}

export function step<Given extends TenantInput, Result>(
  { name }: Named,
  work: (input: Given, context: StepContext) => Promise<Result>,
) {
  return middy<Given & StepEvent, Result>()
    .use(observed(name))
    .handler(async (input, invocation: Invocation) => {
      const tenant = asTenantId(input.tenant);
      const leftMs = timeLeft(invocation);
      // The disk may have folders of an earlier run: Lambda keeps the disk even if it ends the process.
      await clearWorkFolders();
      try {
        return await work(input, { tenant, now: clock.now, newId: clock.newId, leftMs }).catch(underItsCode);
      } finally {
        await deliverPublished(tenant);
      }
    });
}

/** Throws the error with the error's code as name. All problems have the same name, but a state machine needs the code. */
function underItsCode(error: unknown): never {
  if (error instanceof Problem) error.name = error.code;
  throw error;
}

interface StepRun {
  readonly event: TenantInput;
  readonly context: Invocation;
}

/** If a run ends with less than this share of its time left, operators should examine the step. */
const NEAR_TIMEOUT = 0.2;

const observed = (name: string) => {
  const starts = new WeakMap<object, { at: number; left: number | undefined }>();
  const report = ({ event, context }: StepRun, outcome: string) => {
    const { at, left } = starts.get(event) ?? { at: performance.now(), left: undefined };
    const leftNow = context.getRemainingTimeInMillis?.();
    const isNear = left !== undefined && leftNow !== undefined && leftNow < left * NEAR_TIMEOUT;
    const count = (metric: string, counts: boolean) =>
      ({ name: metric, unit: 'Count', value: counts ? 1 : 0 }) as const;
    const duration = Math.round(performance.now() - at);
    logWithMetrics(
      'step',
      [
        count('Steps', true),
        count('StepFailures', outcome !== 'done'),
        count('ProviderErrors', providerFailures.has(outcome)),
        count('NearTimeout', isNear),
        { name: 'StepDuration', unit: 'Milliseconds', value: duration },
      ],
      { step: name, outcome, tenant: event.tenant, ...idsIn(event) },
    );
  };
  return {
    before: ({ event, context }: StepRun) => {
      starts.set(event, { at: performance.now(), left: context.getRemainingTimeInMillis?.() });
    },
    after: (run: StepRun) => report(run, 'done'),
    onError: ({ error, ...run }: StepRun & { error: Error | null | undefined }) => {
      const { event } = run;
      const outcome = error?.name ?? 'unknown';
      const unexpected = unexpectedOf(error);
      if (unexpected !== null) {
        log('error', 'unexpected error', { step: name, ...idsIn(event), ...describeError(unexpected) });
      }
      report(run, outcome);
    },
  };
};

/** Codes of failures whose cause is outside of Kinora. */
const providerFailures: ReadonlySet<string> = new Set<JobErrorCode | StepFailure>([
  'engine_unavailable',
  'provider_unavailable',
  'provider_throttled',
  'provider_given_up',
]);

/** Details for operators. Null if the failure contains all details. Callers never see the details of an internal error. */
function unexpectedOf(error: Error | null | undefined): unknown {
  if (error instanceof Canceled) return null;
  if (!(error instanceof JobError)) return error;
  return error.code === 'internal_error' ? (error.cause ?? error) : null;
}

/** The loggable part of an input. */
const idsIn = (event: TenantInput) =>
  Object.fromEntries(Object.entries(event).filter(([name]) => name.endsWith('_id')));
