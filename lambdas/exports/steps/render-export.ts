import type { AssetJobInput } from '../../../platform/kernel/job-step.ts';
import { whenDeleted } from '../../../platform/kernel/step.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import type { RenderedClip } from '../../clips/rules/clip-outcomes.ts';
import { beginClipExport } from '../actions/export-clip.ts';
import { exportStep, snapshotKey } from '../actions/export-step.ts';
import { renderExport } from '../actions/render-file.ts';
import { contentTypeOf } from '../rules/export-job.ts';

interface RenderInput extends AssetJobInput {
  readonly made?: RenderedClip | null;
}

export const settings = defineStep<RenderInput>({
  name: 'RenderExport',
  description: 'Makes the file of an export once, so that every attempt writes the same bytes',
  memory: 1769,
  timeout: 300,
  permissions: { tables: { Core: ['get', 'query', 'update'] }, media: ['Read', 'Write', 'Delete'] },
  event: sampleJob,
});

export const handler = exportStep<RenderInput, object>(settings, async (input, context) => {
  const { tenant, objects, jobs, job, now } = context;
  await jobs.begin(input.asset_id, input.job_id, now());
  if (job.video_clip_id !== undefined) {
    // The file of a clip is already stored. WriteExport reads it from there.
    await beginClipExport(job, input.made ?? null, now(), context);
    return {};
  }
  const key = snapshotKey(tenant, input);
  if ((await objects.size(key)) !== null) return {};
  const file = await renderExport(job, context).catch(whenDeleted);
  await objects.write(key, file, contentTypeOf(job));
  return {};
});
