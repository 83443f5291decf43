/** What runs when executions end, by logical id of its function. Source: `lambdas/<subject>/steps/`. */
import { jobMachines } from '../../contract/kit/job-kinds.ts';
import type { StepSettings } from './steps.ts';

export interface ListenerSettings extends Omit<StepSettings, 'ffmpeg'> {
  /** Machines whose executions it hears of, by name of the definition. */
  readonly hears: readonly string[];
}

export const listeners: Readonly<Record<string, ListenerSettings>> = {
  SettleExecution: {
    description: 'Has a job settled whose execution died, and begins those whose turn it is',
    memory: 256,
    timeout: 60,
    permissions: { tables: { Core: ['delete', 'get'] }, admin: true },
    hears: jobMachines,
    starts: jobMachines,
    watches: jobMachines,
  },
};

export const listenerNames = (): string[] => Object.keys(listeners).sort();

/**
 * All ends, by the rule that hears of them. Of three a machine cannot tell by a step of its own; each leaves a place to another job. Step
 * Functions Developer Guide, "EventBridge (CloudWatch Events) for Step Functions execution status changes".
 */
export const ends = {
  /** Done, as jobs that are canceled are in the end, or stopped by hand. */
  Rule: ['SUCCEEDED', 'ABORTED'],
  /** What somebody has to look at: this rule rings. */
  FailedRule: ['FAILED', 'TIMED_OUT'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
