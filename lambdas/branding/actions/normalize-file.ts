/** Converts an uploaded file to the form that rendering reads, and stores it. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type NormalForm,
  type Normalizing,
  normalizePicture,
  normalizeVideo,
  probeAnimation,
  type Video,
} from '../../../media/ffmpeg/normalize-upload.ts';
import { probeMedia } from '../../../media/ffmpeg/probe-media.ts';
import { isPicture, probePicture } from '../../../media/ffmpeg/probe-picture.ts';
import { sniffMedia } from '../../../media/ffmpeg/sniff-format.ts';
import type { MediaObjects } from '../../../platform/objects/media-objects.ts';
import { inWorkFolder } from '../../../platform/runtime/work-folder.ts';
import { JobError, mediaLimitExceeded, mediaUnreadable } from '../../../shared/job-errors.ts';
import {
  FILE_LIMITS,
  type FileFacts,
  type FileType,
  factsOf,
  requireFits,
  type UsableFile,
} from '../rules/branding-files.ts';

export interface NormalizedFile {
  readonly facts: FileFacts;
  readonly file: UsableFile;
  readonly bytes: number;
}

type Given = Omit<Normalizing, 'output' | 'timeout_ms'> & {
  readonly signal: AbortSignal;
  readonly leftMs: () => number;
  readonly probed: Probed;
};

/** Called before a video is converted, with the duration that the file states. */
type Probed = (duration_ms: number) => Promise<void>;

/** Time reserved for storing the file or the error, ms. */
const TO_STORE_MS = 90_000;
const endings: Readonly<Record<NormalForm['media_type'], string>> = {
  'image/png': 'png',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
};

const wanted: Readonly<Record<FileType, string>> = {
  branding_overlays: 'Upload a picture (PNG, JPEG, WebP that does not move, GIF) or a video.',
  branding_clips: 'Upload a video.',
};

export const normalizeFile = (
  type: FileType,
  given: Given,
  objects: MediaObjects,
  keyFor: (ending: string) => string,
): Promise<NormalizedFile> =>
  inWorkFolder('normalise-branding', async (folder) => {
    const output = join(folder, 'normal');
    const { form, size } = await convertFile(type, {
      ...given,
      output,
      timeout_ms: Math.max(0, given.leftMs() - TO_STORE_MS),
    }).catch(tookTooLong);
    given.signal.throwIfAborted();
    const { media_type } = form;
    const key = keyFor(endings[media_type]);
    const { size: bytes } = await stat(output);
    await objects.writeParts(key, createReadStream(output), media_type, given.signal);
    return { facts: factsOf(form, size, given.media.size), file: { key, ...form }, bytes };
  });

interface Formed {
  readonly form: NormalForm;
  /** Size of the uploaded picture in pixels, after its rotation. */
  readonly size: { readonly width: number; readonly height: number };
}

export async function convertFile(
  type: FileType,
  given: Normalizing & { readonly probed?: Probed },
): Promise<Formed> {
  const isOverlay = type === 'branding_overlays';
  if (isOverlay && (await isPicture(given.media))) return formOfPicture(given);
  const otherThing = await sniffMedia(given.media);
  if (otherThing) {
    throw mediaUnreadable(`The content of the file seems to be ${otherThing}. ${wanted[type]}`);
  }
  const { video, audio, duration_ms, findings } = await probeMedia(
    given.tools,
    given.media,
    FILE_LIMITS,
    given.signal,
  );
  const [finding] = findings;
  if (finding !== undefined) throw mediaUnreadable(`${finding.detail} Upload the complete file.`);
  if (video === null) throw mediaUnreadable('The file has sound but no picture. Upload a video.');
  requireFits(video, duration_ms, type);
  await given.probed?.(duration_ms);
  const { number: sound = null } =
    (!isOverlay && (audio.find(({ is_default }) => is_default) ?? audio[0])) || {};
  const max_ms = FILE_LIMITS.max_duration_ms;
  const form = await normalizeVideo(given, { ...video, sound, keepsAlpha: isOverlay, max_ms });
  return { form, size: video };
}

async function formOfPicture(given: Normalizing): Promise<Formed> {
  const { tools, media, signal } = given;
  const moving: Video | null = await probeAnimation(given, FILE_LIMITS.max_duration_ms);
  if (moving !== null) {
    requireFits(moving, 0, 'branding_overlays');
    return { form: await normalizeVideo(given, moving), size: moving };
  }
  const { width, height } = await probePicture(tools, media, FILE_LIMITS.max_pixels, signal);
  const form = await normalizePicture(given);
  const isTurned = width > height !== form.width > form.height && form.width !== form.height;
  return { form, size: isTurned ? { width: height, height: width } : { width, height } };
}

/** Makes a time-out an error without retries, because a retry would time out too. Rethrows other errors. */
function tookTooLong(error: unknown): never {
  if (!(error instanceof JobError) || error.code !== 'timed_out') throw error;
  throw mediaLimitExceeded('The file takes too long to decode. Upload a shorter or smaller one.', error);
}
