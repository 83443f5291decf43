/** Responses that many operations share. */
import { jobKinds } from '../../contract/kit/job-kinds.ts';
import { isTerminal, type JobStatus, type JobType, type JobViewOf } from '../../shared/jobs.ts';

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

/** 202 with a job. The address follows from its kind. */
export const acceptedJob = <Type extends JobType>(job: JobViewOf<Type>) => {
  const path = jobKinds[job.type].path.replace(/\{(\w+)\}/g, (_, name) =>
    String(job[name as keyof typeof job]),
  );
  return accepted(job, path);
};

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
