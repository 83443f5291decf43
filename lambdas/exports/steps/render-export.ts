/** Makes the file of an export once, so that every attempt writes the same bytes. */

import { whenDeleted } from '../../../platform/kernel/step.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import type { RenderedClip } from '../../clips/rules/clip-outcomes.ts';
import { beginClipExport } from '../actions/export-clip.ts';
import { type ExportInput, exportJobs, exportStep, snapshotKey } from '../actions/export-step.ts';
import { renderExport } from '../actions/render-file.ts';
import { contentTypeOf } from '../rules/export-job.ts';

interface RenderInput extends ExportInput {
  /** The clip that was rendered for the export; null if none had to be rendered. */
  readonly made?: RenderedClip | null;
}

export const settings = defineStep<RenderInput>({
  name: 'RenderExport',
  description: 'Makes the file of an export',
  memory: 1769,
  timeout: 300,
  permissions: { tables: { Core: ['get', 'query', 'update'] }, media: ['Read', 'Write', 'Delete'] },
  event: sampleJob,
});

export const handler = exportStep<RenderInput, object>(settings, async (input, { tenant, now, job }) => {
  const objects = mediaObjects(tenant);
  await exportJobs(tenant).begin(input.asset_id, input.job_id, now());
  if (job.video_clip_id !== undefined) {
    // The file is stored with the clip. WriteExport reads it there.
    await beginClipExport(job, input.made ?? null, now(), { tenant, table: coreTable(tenant) });
    return {};
  }
  const key = snapshotKey(tenant, input);
  if ((await objects.size(key)) !== null) return {};
  const file = await renderExport(job, { table: coreTable(tenant), objects, tenant }).catch(whenDeleted);
  await objects.write(key, file, contentTypeOf(job));
  return {};
});
