/** What runs by the clock instead of for a job, by logical id of its function. Source: `lambdas/<subject>/steps/`. */
import { jobMachines } from '../../contract/kit/job-kinds.ts';
import type { StepSettings } from './steps.ts';

export interface ScheduleSettings extends Omit<StepSettings, 'ffmpeg'> {
  /**
   * Minutes from one run to the next; a run's time-out is shorter, so that no two runs overlap. Null where the environment's file
   * says how many, or that there are none.
   */
  readonly everyMinutes: number | null;
}

export const schedules: Readonly<Record<string, ScheduleSettings>> = {
  Sweep: {
    description:
      'Makes good what a process left undone that died: events to deliver, jobs to end, assets to delete',
    everyMinutes: 1,
    memory: 256,
    timeout: 50,
    permissions: { tables: { Core: ['delete', 'get', 'put', 'query'] }, admin: true },
    starts: [...jobMachines, 'DeleteAsset', 'DeliverEvent'],
    watches: [...jobMachines, 'DeleteAsset'],
  },
  // It is there in every environment, so that somebody may invoke it; whether by the clock, `canary` says.
  Canary: {
    description:
      'Tries the main job through the API: a few seconds of speech become subtitles, and are deleted',
    everyMinutes: null,
    memory: 256,
    timeout: 900,
    permissions: { tables: { Auth: ['delete', 'get', 'put', 'query'] } },
    callsApi: true,
  },
};

export const scheduleNames = (): string[] => Object.keys(schedules).sort();

/** EventBridge Scheduler User Guide, "Rate-based schedules": the unit is singular for one. */
export const rateOf = (everyMinutes: number): string =>
  `rate(${everyMinutes} ${everyMinutes === 1 ? 'minute' : 'minutes'})`;
