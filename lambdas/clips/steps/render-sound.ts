/** Makes the sound of a clip, with its intro and outro. */

import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { defineStep, samplePlanned } from '../../../platform/steps/define-step.ts';
import { Usage } from '../../../platform/usage/metering.ts';
import { clipServices, clipStep, type PlannedInput } from '../actions/clip-step.ts';
import { ensureSound } from '../actions/render-pieces.ts';
import { clipProgress } from '../actions/report-progress.ts';

export const settings = defineStep<PlannedInput>({
  name: 'RenderSound',
  description: 'Makes the sound of a clip',
  memory: 1769,
  timeout: 900,
  ffmpeg: true,
  room: 4096,
  permissions: { tables: { Core: ['get', 'query', 'update'] }, media: ['Read', 'Write', 'Upload'] },
  event: samplePlanned,
});

export const handler = clipStep<PlannedInput, object>(settings, async (input, { tenant, job, signal }) => {
  const { objects, files } = clipServices(tenant);
  const planned = await files.plan(input, input.file);
  const usage = new Usage(coreTable(tenant), tenant);
  const pieces = { ids: input, planned, tenant, objects, files, usage, created_at: job.created_at, signal };
  const progress = clipProgress(input, 'sound', tenant);
  try {
    await ensureSound(pieces, (ms) => progress.tell(ms / planned.plan.duration_ms));
    await progress.done();
    return {};
  } finally {
    await progress.close();
  }
});
