/** Jobs that render clips. Each step of the machine runs as in the machine. */
import type { Tenant } from './api.ts';
import { failureOf, runStep } from './run-step.ts';

interface Job {
  readonly job_id: string;
  readonly asset_id: string;
}

interface ClipOfJob {
  readonly video_clip_id: string;
}

interface Planned {
  readonly state: 'awaited' | 'made' | 'missing';
  readonly made?: object;
  readonly file?: string;
  readonly lanes?: number;
  readonly rendered?: number;
  readonly reused?: number;
  readonly parts?: readonly { readonly lane: number | 'sound'; readonly chunks?: readonly number[] }[];
}

export function renderingOf(tenant: Tenant) {
  const run = async (name: string, { job_id, asset_id }: Job, more: object = {}) => {
    return runStep(name, { tenant: tenant.id, asset_id, job_id, kind: 'clips', ...more });
  };
  const plan = async (job: Job, one: ClipOfJob) => (await run('plan-clip', job, one)) as Planned;

  /** The parts of a clip, in order, at most `most`. */
  const pieces = async (job: Job, one: ClipOfJob, planned: Planned, most = Number.POSITIVE_INFINITY) => {
    for (const part of planned.parts!.slice(0, most)) {
      const given = { ...one, file: planned.file, lanes: planned.lanes, part };
      await run(part.lane === 'sound' ? 'render-sound' : 'render-chunk', job, given);
    }
  };

  const join = (job: Job, one: ClipOfJob, { file, lanes, rendered, reused }: Planned) =>
    run('join-clip', job, { ...one, file, lanes, rendered, reused }) as Promise<object>;

  const clip = async (job: Job, one: ClipOfJob): Promise<object> => {
    try {
      const planned = await plan(job, one);
      if (planned.state === 'made') return planned.made!;
      await pieces(job, one, planned);
      return await join(job, one, planned);
    } catch (error) {
      return { video_clip_id: one.video_clip_id, failure: failureOf(error as Error) };
    }
  };

  const clipsOf = async (job: Job) =>
    ((await run('plan-clips', job)) as { clips: readonly ClipOfJob[] }).clips;

  return {
    run,
    plan,
    pieces,
    join,
    clip,
    clipsOf,

    download: (asset_id: string, ...video_ids: string[]) =>
      tenant.call('POST', `/v1/assets/${asset_id}/video_clips/download`, { video_ids }),

    done: async (job: Job) => {
      const ends: object[] = [];
      for (const one of await clipsOf(job)) ends.push(await clip(job, one));
      await run('finish-clips', job, { ends });
      return (await tenant.call('GET', `/v1/jobs/${job.job_id}`)).json;
    },
  };
}
