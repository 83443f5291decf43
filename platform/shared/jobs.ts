/** Jobs: work that goes on after its request was answered. */
import type { JobFailure } from './assets.ts';

export type JobStatus =
  | 'scheduled'
  | 'queued'
  | 'running'
  | 'succeeded'
  | 'partially_succeeded'
  | 'failed'
  | 'canceled';

export type JobType = 'ingest' | 'translation' | 'voice_over' | 'partial_retranslation' | 'clips' | 'export';

export interface JobItem {
  readonly language_id?: string;
  readonly video_clip_id?: string;
  readonly status: JobStatus;
  readonly progress: number;
  readonly error: JobFailure | null;
  readonly result: Record<string, unknown> | null;
}

export interface Job {
  readonly job_id: string;
  readonly type: JobType;
  readonly asset_id: string;
  readonly status: JobStatus;
  /** 0 to 1; never falls. */
  readonly progress: number;
  readonly items: readonly JobItem[];
  readonly result: Record<string, unknown> | null;
  readonly error: JobFailure | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

/** States that never change again. */
export const terminalStates: readonly JobStatus[] = [
  'succeeded',
  'partially_succeeded',
  'failed',
  'canceled',
];

export const isTerminal = (status: JobStatus): boolean => terminalStates.includes(status);

/** What every job is before its work begins, whatever it works on. */
export const queuedJob = (id: string, now: Date): Omit<Job, 'type' | 'asset_id'> => ({
  job_id: id,
  status: 'queued',
  progress: 0,
  items: [],
  result: null,
  error: null,
  created_at: now.toISOString(),
  started_at: null,
  finished_at: null,
});

export const newJob = (id: string, type: JobType, asset_id: string, now: Date): Job => ({
  ...queuedJob(id, now),
  type,
  asset_id,
});

export function jobView(stored: Job): Job {
  const { job_id, type, asset_id, status, progress, items, result, error } = stored;
  const { created_at, started_at, finished_at } = stored;
  return {
    job_id,
    type,
    asset_id,
    status,
    progress,
    items,
    result,
    error,
    created_at,
    started_at,
    finished_at,
  };
}
