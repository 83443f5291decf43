/** Answers that many operations give. */
import { jobKinds } from '../../contract/kit/job-kinds.ts';
import { isTerminal, type JobStatus, type JobType, type JobViewOf } from '../../shared/jobs.ts';

/** 201 with the place and version of what was created. */
export const created = <Body>(body: Body, location: string, etag: string) => ({
  status: 201 as const,
  body,
  etag,
  headers: { Location: location },
});

/** 202 with the place where the job is followed. `retryAfter` in seconds. */
export const accepted = <Body>(body: Body, location: string, retryAfter = 1) => ({
  status: 202 as const,
  body,
  headers: { Location: location, 'Retry-After': String(retryAfter) },
});

/** 202 with a job, followed at the path of its kind. */
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

/** 200 with a job as it stands; one that goes on says when to look again. */
export const followed = <Job extends { readonly status: JobStatus }>(job: Job) => ({
  status: 200 as const,
  body: job,
  ...(!isTerminal(job.status) && { headers: { 'Retry-After': '1' } }),
});
