/** Joins the parts of an overlay or branding clip, and finds out whether it can be used. */

import { isPicture, probePicture } from '../../../engines/media/picture.ts';
import { probe } from '../../../engines/media/probe.ts';
import { type OpenMedia, reading } from '../../../engines/media/range-reader.ts';
import { sniffMedia } from '../../../engines/media/sniff.ts';
import { jobStep, TO_ITS_END } from '../../../platform/kernel/job-step.ts';
import { Canceled, unlessCanceled } from '../../../platform/kernel/step.ts';
import { mediaTools } from '../../../platform/runtime/media-tools.ts';
import { mediaLimitExceeded, mediaUnreadable } from '../../../platform/shared/job-errors.ts';
import type { RangeSource } from '../../../platform/shared/media.ts';
import { brandingKey, brandingPrefix } from '../../../platform/store/objects.ts';
import { type BrandingUploadInput, brandingServices } from '../actions/upload.ts';
import { FILE_LIMITS, type FileFacts, type FileJob, type FileType, videoFacts } from '../rules/files.ts';

export const handler = jobStep<BrandingUploadInput, object, FileJob>(
  'CheckBrandingFile',
  ({ type, file_id, job_id }, tenant) => brandingServices(tenant, type).files.jobs.find(file_id, job_id),
  async (input, { tenant, now, job, signal }) => {
    const { files, objects } = brandingServices(tenant, input.type);
    const { file_id, job_id, type } = input;
    const key = brandingKey(tenant, type, file_id);
    await files.jobs.begin(file_id, job_id, now());
    await objects.completeUpload(key, job.own.upload_id, job.own.etags);
    signal.throwIfAborted();
    await files.jobs.advance(file_id, job_id, 0.3);
    const source = requireBytes(await objects.source(key));
    const facts = await reading(source, (media) => factsOf(type, media, signal), signal);
    const ending = unlessCanceled(await files.jobs.ending(file_id, job_id, now(), { result: facts }));
    const isKept = await files.finish(file_id, job_id, facts, now(), ending);
    if (!isKept) {
      // It was deleted while it was joined: what was joined afterwards would belong to nobody.
      await objects.deleteAll(brandingPrefix(tenant, type, file_id));
      throw new Canceled();
    }
    if (!(await files.jobs.settle(file_id, job_id, now(), { result: facts }))) throw new Canceled();
    return {};
  },
  TO_ITS_END,
);

function requireBytes(source: RangeSource | null): RangeSource {
  if (source === null) {
    throw mediaUnreadable('The parts expired before they were joined. Upload the file again.');
  }
  const { size } = source;
  if (size === 0) throw mediaUnreadable('The file is empty.');
  if (size <= FILE_LIMITS.max_bytes) return source;
  throw mediaLimitExceeded(`The file has ${size} bytes; at most ${FILE_LIMITS.max_bytes} are taken.`);
}

const wanted: Readonly<Record<FileType, string>> = {
  branding_overlays: 'Upload a picture (PNG, JPEG, WebP or GIF) or a video.',
  branding_clips: 'Upload a video.',
};

async function factsOf(type: FileType, media: OpenMedia, signal: AbortSignal): Promise<FileFacts> {
  if (type === 'branding_clips' || !(await isPicture(media))) {
    const otherThing = await sniffMedia(media);
    if (otherThing) {
      throw mediaUnreadable(`The file seems to be ${otherThing}, whatever its name says. ${wanted[type]}`);
    }
    return videoFacts(await probe(mediaTools, media, FILE_LIMITS, signal));
  }
  const { width, height } = await probePicture(mediaTools, media, FILE_LIMITS.max_pixels, signal);
  return { media_type: 'image', size_bytes: media.size, width, height, duration_ms: null };
}
