/** Marks a clip job as running, and lists its clips. */
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { type ClipInput, type ClipsInput, clipStep, clipsJobs } from '../actions/clip-step.ts';
import { CLIP_SIZE } from '../rules/job-parts.ts';

interface Planned {
  readonly clips: readonly Pick<ClipInput, 'index' | 'clips' | 'video_clip_id'>[];
}

export const settings = defineStep<ClipsInput>({
  name: 'PlanClips',
  description: 'Marks a clip job as running, and lists its clips',
  memory: 256,
  timeout: 60,
  permissions: { tables: { Core: ['get', 'update'] } },
  event: { ...sampleJob, kind: 'clips' },
});

export const handler = clipStep<ClipsInput, Planned>(
  settings,
  async ({ asset_id, job_id }, { tenant, now, job }) => {
    const jobs = clipsJobs(tenant);
    const { video_clip_ids } = job.own;
    await jobs.begin(asset_id, job_id, now());
    await jobs.planParts(
      asset_id,
      job_id,
      video_clip_ids.map(() => CLIP_SIZE),
    );
    const clips = video_clip_ids.length;
    return { clips: video_clip_ids.map((video_clip_id, index) => ({ index, clips, video_clip_id })) };
  },
);
