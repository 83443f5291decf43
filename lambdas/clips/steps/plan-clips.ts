import { planStep } from '../../../platform/kernel/job-step.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import type { ClipInput, ClipsInput } from '../actions/clip-step.ts';
import type { ClipsOwn } from '../rules/clips-job.ts';
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

export const handler = planStep<ClipsOwn, Planned>(settings, 'clips', {
  size: CLIP_SIZE,
  idsOf: ({ video_clip_ids }) => video_clip_ids,
  list: (ids) => ({
    clips: ids.map((video_clip_id, index) => ({ index, clips: ids.length, video_clip_id })),
  }),
});
