/** Responses that many operations share. */
import { isTerminal, type JobStatus } from '../../shared/jobs.ts';

/** 201 with the address and version of the new resource. */
export const created = <Body>(body: Body, location: string, etag: string) => ({
  status: 201 as const,
  body,
  etag,
  headers: { Location: location },
});

/** 202 with the address of the job. `retryAfter` in seconds. */
export const accepted = <Body>(body: Body, location: string, retryAfter = 1) => ({
  status: 202 as const,
  body,
  headers: { Location: location, 'Retry-After': String(retryAfter) },
});

export const ok = <Body>(body: Body, etag?: string) => ({
  status: 200 as const,
  body,
  ...(etag !== undefined && { etag }),
});

export const noContent = () => ({ status: 204 as const });

/** 200 with a job. Retry-After tells the caller when to look again, if the job has not ended. */
export const followed = <Job extends { readonly status: JobStatus }>(job: Job) => ({
  status: 200 as const,
  body: job,
  ...(!isTerminal(job.status) && { headers: { 'Retry-After': '1' } }),
});
