/** Writes the file of an export to its storage, part by part while there is time. Ends the job after the last part. */
import { throttled } from '../../../platform/jobs/throttle-writes.ts';
import type { AssetJobInput } from '../../../platform/kernel/job-step.ts';
import { Canceled } from '../../../platform/kernel/step.ts';
import { storageWriter } from '../../../platform/runtime/exporting.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { defined } from '../../../shared/checked-access.ts';
import { isTerminal } from '../../../shared/jobs.ts';
import { shareOfRendering } from '../../clips/actions/report-progress.ts';
import { clipSource } from '../actions/export-clip.ts';
import { exportStep, snapshotKey } from '../actions/export-step.ts';
import { openStorage } from '../actions/open-storage.ts';
import { contentTypeOf, editionOf, exportSubject } from '../rules/export-job.ts';

/** If less time than this is left, ms, no part starts. A part and the completion can each take three attempts of a minute. */
const FOR_THE_END_MS = 400_000;
/** If less time than this is left, ms, a request to the storage is aborted, so that the step can report the error. */
const TO_SAY_SO_MS = 40_000;
/** The progress after the last part. The end of the job adds the rest. */
const SHARE_OF_PARTS = 0.98;

export const settings = defineStep<AssetJobInput>({
  name: 'WriteExport',
  description: 'Writes a file to an external storage',
  memory: 1769,
  timeout: 900,
  permissions: {
    tables: { Core: ['delete', 'get', 'put', 'query', 'update'] },
    media: ['Read', 'Delete'],
    engines: { secrets: ['unwrap'], exporting: ['write'] },
  },
  publishes: true,
  event: sampleJob,
});

export const handler = exportStep<AssetJobInput, { readonly written: boolean }>(
  settings,
  async (input, { tenant, table, objects, files, jobs, now, job, signal, leftMs }) => {
    const { asset_id, job_id } = input;
    const ends = performance.now() + leftMs();
    const key = snapshotKey(tenant, input);
    if (isTerminal(job.status)) {
      await objects.delete(key);
      return { written: true };
    }
    const isClip = job.video_clip_id !== undefined;
    const source = isClip ? await clipSource(job, { files }) : await objects.source(key);
    // The file was deleted with its asset, or the clip was rendered again.
    if (source === null) throw new Canceled();
    const before = isClip ? shareOfRendering.export : 0;
    const telling = throttled((fraction: number) => jobs.advance(asset_id, job_id, fraction));
    try {
      const path = defined(job.path);
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
          // If the job is no longer running, no upload may start: without a record, nothing would remove the upload.
          if (!(await jobs.keep(asset_id, job_id, { ...job.own, resume }))) throw new Canceled();
        },
        onProgress: (fraction) => telling.tell(before + fraction * (SHARE_OF_PARTS - before)),
        until: ends - FOR_THE_END_MS,
        deadline: ends - TO_SAY_SO_MS,
      });
      if (written === null) return { written: false };
      const result = { external_storage_id: defined(job.external_storage_id), path, ...written };
      if (!(await jobs.settle(asset_id, job_id, { now: now(), end: { result } }))) throw new Canceled();
      await objects.delete(key);
      return { written: true };
    } finally {
      await telling.close();
    }
  },
  { tableOf: publishingTable },
);
