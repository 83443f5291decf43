import { withOpenMedia } from '../../../media/ffmpeg/serve-ranges.ts';
import { jobStep, TO_ITS_END } from '../../../platform/kernel/job-step.ts';
import { Canceled, unlessCanceled } from '../../../platform/kernel/step.ts';
import { brandingKey, brandingPrefix } from '../../../platform/objects/media-objects.ts';
import { mediaTools } from '../../../platform/runtime/media-tools.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { beyondClaim, reserveInStep } from '../../../platform/runtime/reserve-in-step.ts';
import { defineStep, sampleUpload } from '../../../platform/steps/define-step.ts';
import type { TenantId } from '../../../shared/ids.ts';
import { mediaUnreadable } from '../../../shared/job-errors.ts';
import type { RangeSource } from '../../../shared/media.ts';
import { joinParts } from '../../uploads/actions/join-parts.ts';
import {
  type BrandingServices,
  type BrandingUploadInput,
  brandingServices,
  recordStorage,
} from '../actions/branding-uploads.ts';
import { normalizeFile } from '../actions/normalize-file.ts';
import { FILE_LIMITS, type FileFacts, type FileJob, type UsableFile } from '../rules/branding-files.ts';

export const settings = defineStep<BrandingUploadInput>({
  name: 'CheckBrandingFile',
  description:
    'Joins the parts of an overlay or branding clip, checks the file, and converts it for rendering',
  memory: 3008,
  timeout: 900,
  ffmpeg: true,
  room: 2048,
  // Quotas are reserved in the Ephemeral table.
  permissions: {
    tables: {
      Core: ['batchGet', 'check', 'delete', 'get', 'put', 'query', 'update'],
      Ephemeral: ['get', 'update'],
    },
    media: ['Read', 'Upload', 'Delete'],
  },
  publishes: true,
  event: sampleUpload,
});

export const handler = jobStep<BrandingUploadInput, object, FileJob>(
  settings,
  ({ type, file_id, job_id }, tenant) =>
    brandingServices(tenant, type, publishingTable).files.jobs.find(file_id, job_id),
  async (input, { tenant, now, job, signal, leftMs }) => {
    const services = brandingServices(tenant, input.type, publishingTable);
    const { files, objects } = services;
    const { file_id, job_id, type } = input;
    const key = brandingKey(tenant, type, file_id);
    await files.jobs.begin(file_id, job_id, now());
    const source = await joinParts(key, job.own, objects, FILE_LIMITS);
    signal.throwIfAborted();
    if (source.size === 0) throw mediaUnreadable('The file is empty.');
    await files.jobs.advance(file_id, job_id, 0.3);
    const { facts, file } =
      (await files.made(file_id, job_id)) ??
      (await makeNormalForm(input, tenant, { job, source, signal, now, leftMs }, services));
    const ending = unlessCanceled(await files.jobs.writesOfEnd(file_id, job_id, now(), { result: facts }));
    const isKept = await files.finish(input, { ...facts, file }, now(), ending);
    if (!isKept) {
      // The file was deleted while its parts were joined. No later step would remove the joined object.
      await objects.deleteAll(brandingPrefix(tenant, type, file_id));
      throw new Canceled();
    }
    await objects.deleteOthers(brandingPrefix(tenant, type, file_id), new Set([key, file.key]));
    if (!(await files.jobs.settle(file_id, job_id, { now: now(), end: { result: facts } })))
      throw new Canceled();
    return {};
  },
  TO_ITS_END,
);

interface Making {
  readonly job: FileJob;
  readonly source: RangeSource;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly leftMs: () => number;
}

/** Converts, stores and meters the file. A repeat writes the same object and is counted once. */
async function makeNormalForm(
  input: BrandingUploadInput,
  tenant: TenantId,
  { job, source, signal, now, leftMs }: Making,
  { objects, usage }: BrandingServices,
): Promise<{ facts: FileFacts; file: UsableFile }> {
  const { type, file_id, job_id } = input;
  const { created_at: at } = job;
  const used = { use_id: job_id, at, job_id, by: null };
  await usage.record({ ...used, meter: 'uploads', quantity: 1 });
  await usage.record({ ...used, meter: 'uploaded_bytes', quantity: source.size });
  let said_ms = 0;
  const reserveMinutes = (quantity: number) =>
    reserveInStep(file_id, job, [{ meter: 'rendered_ms', quantity, by: null, is_estimate: false }], tenant);
  const probed = async (duration_ms: number) => {
    said_ms = duration_ms;
    await reserveMinutes(duration_ms);
  };
  const keyFor = (ending: string) => `${brandingPrefix(tenant, type, file_id)}${job_id}.${ending}`;
  const { facts, file, bytes } = await withOpenMedia(
    source,
    (media) => normalizeFile(type, { tools: mediaTools, media, signal, leftMs, probed }, objects, keyFor),
    signal,
  );
  const { duration_ms } = file;
  if (duration_ms !== null) {
    const beyond_ms = beyondClaim(duration_ms, said_ms);
    // Reserves the rest: an animated picture states no duration, and other files can state a duration that is too
    // short.
    if (beyond_ms > 0) await reserveMinutes(beyond_ms);
    await usage.record({ ...used, meter: 'rendered_ms', quantity: duration_ms });
  }
  await recordStorage(input, { tenant, bytes: source.size + bytes, now: now(), usage });
  return { facts, file };
}
