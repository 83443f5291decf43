import { defineStep, samplePlanned } from '../../../platform/steps/define-step.ts';
import { clipStep, type PlannedInput } from '../actions/clip-step.ts';
import { ensureSound } from '../actions/render-pieces.ts';
import { withClipProgress } from '../actions/report-progress.ts';

export const settings = defineStep<PlannedInput>({
  name: 'RenderSound',
  description: 'Makes the sound of a clip, with its intro and outro',
  memory: 1769,
  timeout: 900,
  ffmpeg: true,
  room: 4096,
  permissions: { tables: { Core: ['get', 'query', 'update'] }, media: ['Read', 'Write', 'Upload'] },
  event: samplePlanned,
});

export const handler = clipStep<PlannedInput, object>(settings, async (input, context) => {
  const planned = await context.files.plan(input, input.file);
  return withClipProgress(input, 'sound', context, {
    work: async (tell) => {
      await ensureSound({ ids: input, planned, ...context }, (ms) => tell(ms / planned.plan.duration_ms));
      return {};
    },
  });
});
