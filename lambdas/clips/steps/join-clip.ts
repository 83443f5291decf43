/** Joins the pieces of a clip into its file. Then other jobs may render the clip. */

import { sourceKey } from '../../../platform/objects/media-objects.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { mediaUnreadable } from '../../../shared/job-errors.ts';
import { clipServices, clipStep, type PlannedInput } from '../actions/clip-step.ts';
import { joinClip } from '../actions/join-clip.ts';
import { clipProgress } from '../actions/report-progress.ts';
import type { RenderedClip } from '../rules/clip-outcomes.ts';

interface JoinInput extends PlannedInput, Pick<RenderedClip, 'rendered' | 'reused'> {}

export const settings = defineStep<JoinInput>({
  name: 'JoinClip',
  description: 'Joins the chunks and the sound of a clip into its file',
  memory: 1769,
  timeout: 900,
  ffmpeg: true,
  permissions: { tables: { Core: ['get', 'query', 'update'] }, media: ['Read', 'Write', 'Upload'] },
  event: {
    ...sampleJob,
    kind: 'clips',
    index: 0,
    clips: 1,
    video_clip_id: '019a9d30-1a2b-7c3d-8e4f-5a6b7c8d9e01',
    file: '8f2d6c1b0a9e4f37c5d28b61e09a7f43',
    lanes: 1,
    rendered: 1,
    reused: 0,
  },
});

export const handler = clipStep<JoinInput, RenderedClip>(settings, async (input, { tenant, now, signal }) => {
  const { video_clip_id, file, rendered, reused, job_id } = input;
  const { clips, files, objects } = clipServices(tenant);
  const planned = await files.plan(input, file);
  const progress = clipProgress(input, 'join', tenant);
  try {
    const media = await objects.source(sourceKey(tenant, input.asset_id));
    if (media === null) throw mediaUnreadable('The file of the asset was deleted. Upload it again.');
    await joinClip(input, planned, { files, media, now, signal, reached: progress.tell });
    await progress.done();
    await clips.unclaim(input, job_id);
    return { video_clip_id, file, rendered, reused };
  } finally {
    await progress.close();
  }
});
