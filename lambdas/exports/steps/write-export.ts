/** Writes the file of an export to its storage, part by part while there is time. Ends the job after the last part. */

import { throttled } from '../../../platform/jobs/throttle-writes.ts';
import { Canceled } from '../../../platform/kernel/step.ts';
import { storageWriter } from '../../../platform/runtime/exporting.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { isTerminal } from '../../../shared/jobs.ts';
import { shareOfRendering } from '../../clips/actions/report-progress.ts';
import { clipSource } from '../actions/export-clip.ts';
import { type ExportInput, exportJobs, exportStep, snapshotKey } from '../actions/export-step.ts';
import { openStorage } from '../actions/open-storage.ts';
import { contentTypeOf, editionOf, exportSubject } from '../rules/export-job.ts';

/**
 * With less time left, ms, no further part starts. One part and the completion fit into it, with three attempts of a
 * minute.
 */
const FOR_THE_END_MS = 400_000;
/** With less time left, ms, a call stops waiting for a response, so that it can report the error. */
const TO_SAY_SO_MS = 40_000;
/** Pause between writes of the progress, ms. */
const REST_MS = 2500;
/** The end of the job takes the rest of the progress. */
const SHARE_OF_PARTS = 0.98;

export const settings = defineStep<ExportInput>({
  name: 'WriteExport',
  description: 'Writes a file to an external storage',
  memory: 1769,
  timeout: 900,
  permissions: {
    tables: { Core: ['delete', 'get', 'put', 'query', 'update'] },
    admin: true,
    media: ['Read', 'Delete'],
    engines: { secrets: ['unwrap'], exporting: ['write'] },
  },
  starts: ['DeliverEvent'],
  event: sampleJob,
});

export const handler = exportStep<ExportInput, { readonly written: boolean }>(
  settings,
  async (input, { tenant, now, job, signal, leftMs }) => {
    const { asset_id, job_id } = input;
    const ends = performance.now() + leftMs();
    const objects = mediaObjects(tenant);
    const table = publishingTable(tenant);
    const jobs = exportJobs(tenant, table);
    const key = snapshotKey(tenant, input);
    if (isTerminal(job.status)) {
      await objects.delete(key);
      return { written: true };
    }
    const isClip = job.video_clip_id !== undefined;
    const source = isClip ? await clipSource(job, tenant) : await objects.source(key);
    // The file was deleted with its asset, or the clip was rendered again.
    if (source === null) throw new Canceled();
    const before = isClip ? shareOfRendering.export : 0;
    const telling = throttled((fraction: number) => jobs.advance(asset_id, job_id, fraction), REST_MS);
    try {
      const path = job.path!;
      const file = {
        path,
        content_type: contentTypeOf(job),
        made_of: exportSubject(job),
        edition: editionOf(job),
        source,
      };
      const writer = await storageWriter();
      const written = await writer.write(file, await openStorage(job, tenant, table), {
        signal,
        overwrite: job.own.overwrite,
        resume: job.own.resume,
        remember: async (resume) => {
          // Do not start an upload that no record names.
          if (!(await jobs.keep(asset_id, job_id, { ...job.own, resume }))) throw new Canceled();
        },
        onProgress: (fraction) => telling.tell(before + fraction * (SHARE_OF_PARTS - before)),
        until: ends - FOR_THE_END_MS,
        deadline: ends - TO_SAY_SO_MS,
      });
      if (written === null) return { written: false };
      const result = { external_storage_id: job.external_storage_id!, path, ...written };
      if (!(await jobs.settle(asset_id, job_id, now(), { result }))) throw new Canceled();
      await objects.delete(key);
      return { written: true };
    } finally {
      await telling.close();
    }
  },
);
