/** What runs when executions end badly, by logical id of its function. Source: `lambdas/<subject>/steps/`. */
import { jobMachines } from '../../contract/kit/job-kinds.ts';
import type { StepSettings } from './steps.ts';

export interface ListenerSettings extends Omit<StepSettings, 'ffmpeg'> {
  /** Machines whose executions it hears of, by name of the definition. */
  readonly hears: readonly string[];
}

export const listeners: Readonly<Record<string, ListenerSettings>> = {
  SettleExecution: {
    description: 'Has a job settled whose execution failed, ran out of time or was aborted',
    memory: 256,
    timeout: 60,
    permissions: { tables: { Core: 'write' } },
    hears: jobMachines,
    starts: jobMachines,
    watches: jobMachines,
  },
};

export const listenerNames = (): string[] => Object.keys(listeners).sort();

/** Ends of which a machine cannot tell by a step of its own. Step Functions Developer Guide, "EventBridge" (`cw-events`). */
export const badEnds: readonly string[] = ['FAILED', 'TIMED_OUT', 'ABORTED'];
