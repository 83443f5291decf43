/**
 * The one way from a state machine to a step. A step receives its job's ids, works, and may run again with the
 * same input: it must end in the same state. What is thrown leaves under its code, so that Retry and Catch can match.
 */
import middy from '@middy/core';
import type { JobErrorCode, StepFailure } from '../../contract/kit/errors.ts';
import type { AssetId } from '../../shared/ids.ts';
import { JobError } from '../../shared/job-errors.ts';
import { NotFound, Problem } from '../../shared/problems.ts';
import { asTenantId, type TenantId } from '../../shared/tenant.ts';
import { clock } from '../runtime/clock.ts';
import { clearWorkFolders } from '../runtime/work-folder.ts';
import type { Named } from '../steps/define-step.ts';
import { deliverPublished } from './deliver-events.ts';
import { describeError, log, logWithMetrics } from './log.ts';
import { type Invocation, timeLeft } from './time-left.ts';

/** What every execution carries, beside ids. Ids only: contents would show in the execution's history. */
export interface TenantInput {
  readonly tenant: string;
}

/** What executions that work on an asset carry. */
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

/** Thrown by a step that finds its job canceled, or what it works on deleted or taken over: the machine then clears up. */
export class Canceled extends Error {
  constructor() {
    super('The job was canceled, or what it works on was deleted or taken over');
    this.name = 'canceled';
  }
}

/** Ends a step as canceled where what it looks for was deleted; other errors stay what they are. */
export function whenDeleted(error: unknown): never {
  throw error instanceof NotFound ? new Canceled() : error;
}

/** For what is null where the job was canceled. */
export function unlessCanceled<Found>(found: Found | null): Found {
  if (found === null) throw new Canceled();
  return found;
}

interface StepEvent extends TenantInput {
  readonly started?: number;
}

/** Makes the Lambda handler of a step. */
export function step<Given extends TenantInput, Result>(
  { name }: Named,
  work: (input: Given, context: StepContext) => Promise<Result>,
) {
  return middy<Given & StepEvent, Result>()
    .use(observed(name))
    .handler(async (input, invocation: Invocation) => {
      const tenant = asTenantId(input.tenant);
      const leftMs = timeLeft(invocation);
      // Lambda keeps the disk of an environment whose process it had to end.
      await clearWorkFolders();
      try {
        return await work(input, { tenant, now: clock.now, newId: clock.newId, leftMs }).catch(underItsCode);
      } finally {
        await deliverPublished(tenant);
      }
    });
}

/** All problems have one name, and a state machine sees no more than that. */
function underItsCode(error: unknown): never {
  if (error instanceof Problem) error.name = error.code;
  throw error;
}

interface StepRun {
  readonly event: TenantInput;
  readonly context: Invocation;
}

/** The part of its time that a run has left where operators should look why. */
const NEAR_TIMEOUT = 0.2;

const observed = (name: string) => {
  const begun = new WeakMap<object, { at: number; left: number | undefined }>();
  const report = ({ event, context }: StepRun, outcome: string) => {
    const { at, left } = begun.get(event) ?? { at: performance.now(), left: undefined };
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
      begun.set(event, { at: performance.now(), left: context.getRemainingTimeInMillis?.() });
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

/** How steps fail because something outside of Kinora does not do its part. */
const providerFailures: ReadonlySet<string> = new Set<JobErrorCode | StepFailure>([
  'engine_unavailable',
  'provider_unavailable',
  'provider_throttled',
  'provider_given_up',
]);

/** What operators have to know of; null where the failure says all there is. An internal error tells callers nothing of it. */
function unexpectedOf(error: Error | null | undefined): unknown {
  if (error instanceof Canceled) return null;
  if (!(error instanceof JobError)) return error;
  return error.code === 'internal_error' ? (error.cause ?? error) : null;
}

/** What the log may show of an input. */
const idsIn = (event: TenantInput) =>
  Object.fromEntries(Object.entries(event).filter(([name]) => name.endsWith('_id')));
