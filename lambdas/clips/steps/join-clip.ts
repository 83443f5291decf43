import { defineStep, samplePlanned } from '../../../platform/steps/define-step.ts';
import { Usage } from '../../../platform/usage/metering.ts';
import { requireSource } from '../../assets/records/source-media.ts';
import { clipStep, type PlannedInput } from '../actions/clip-step.ts';
import { joinClip, meterCopied } from '../actions/join-clip.ts';
import { withClipProgress } from '../actions/report-progress.ts';
import type { RenderedClip } from '../rules/clip-outcomes.ts';

interface JoinInput extends PlannedInput, Pick<RenderedClip, 'rendered' | 'reused'> {}

export const settings = defineStep<JoinInput>({
  name: 'JoinClip',
  description: 'Joins the chunks and the sound of a clip into its file',
  memory: 1769,
  timeout: 900,
  ffmpeg: true,
  permissions: { tables: { Core: ['get', 'put', 'query', 'update'] }, media: ['Read', 'Write', 'Upload'] },
  event: { ...samplePlanned, rendered: 1, reused: 0 },
});

export const handler = clipStep<JoinInput, RenderedClip>(settings, async (input, context) => {
  const { video_clip_id, file, rendered, reused, job_id } = input;
  const { clips, files, job, now, signal, table, tenant } = context;
  const planned = await files.plan(input, file);
  await withClipProgress(input, 'join', context, {
    work: async (reached) => {
      const media = await requireSource(input, context);
      await joinClip(input, planned, { files, media, now, signal, reached });
    },
  });
  await meterCopied(input, planned, new Usage(table, tenant), job.created_at);
  await clips.unclaim(input, job_id);
  return { video_clip_id, file, rendered, reused };
});
