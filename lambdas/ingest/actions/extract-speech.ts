/** Extracts the sound track with the speech into one WAV object, in parts and in several invocations. */
import {
  BYTES_PER_MS,
  byteRange,
  extractSound,
  HEADER_BYTES,
  samplesOf,
  wavHeader,
} from '../../../media/ffmpeg/extract-sound.ts';
import { type MediaTools, type OpenMedia, withOpenMedia } from '../../../media/ffmpeg/serve-ranges.ts';
import type { MediaObjects } from '../../../platform/objects/media-objects.ts';
import { JobError, mediaUnreadable } from '../../../shared/job-errors.ts';
import { MEDIA_LIMITS, type RangeSource } from '../../../shared/media.ts';

export interface Resume {
  readonly upload_id: string;
  /** ETags of the parts, from the second on. */
  readonly etags: readonly string[];
}

export interface Speech {
  readonly objects: MediaObjects;
  /** Key of the WAV object. Until the last invocation, the first part is stored under another key. */
  readonly key: string;
  /** Where the extraction continues; null at its start. */
  readonly resume: Resume | null;
}

export interface Extraction {
  readonly tools: MediaTools;
  readonly source: RangeSource;
  /** Number of the audio track, from 1. */
  readonly track: number;
  /** The duration that the file states, ms; 0 if unknown. */
  readonly claimed_ms: number;
  readonly isStereo?: boolean;
  /** After this time, ms, the invocation ends with the next full part. */
  readonly budget_ms: number;
  readonly timeout_ms: number;
  readonly signal: AbortSignal;
  /** Receives the samples that this invocation decodes, in order. */
  readonly hear: (samples: Int16Array) => void;
  /** Called with the position that was reached, ms. */
  readonly reached: (position_ms: number) => void;
}

/** A part has 262 s of sound. S3 accepts parts of at least 5 MiB, in any order. */
const PART_BYTES = 8 << 20;
const PART_MS = PART_BYTES / BYTES_PER_MS;

const firstPartKey = (key: string) => `${key}.first`;

/**
 * Starts or continues the extraction. At the start, removes the uploads of crashed attempts. Does nothing if another
 * attempt has finished.
 * @returns where the next invocation continues; null if the extraction is finished
 * @throws JobError media_unreadable if the track has no samples; and the errors of `extractSound`
 */
export async function extractSpeech(speech: Speech, extraction: Extraction): Promise<Resume | null> {
  const { objects, key, resume } = speech;
  if ((await objects.size(key)) !== null) return null;
  if (resume === null) await objects.abortUploads(key);
  const file = new SpeechFile(speech);
  try {
    const { source, signal } = extraction;
    const isPaused = await withOpenMedia(source, (media) => decode(media, file, extraction), signal);
    if (isPaused) return await file.pause();
    await file.end();
    return null;
  } catch (error) {
    const goesOn = resume !== null && !(error instanceof JobError && !error.retryable);
    if (!goesOn) await file.abort();
    throw error;
  }
}

/** Reads the stored speech again, for an analysis that did not receive the samples of earlier invocations. */
export async function replaySpeech(
  { objects, key }: Pick<Speech, 'objects' | 'key'>,
  duration_ms: number,
  hear: (samples: Int16Array) => void,
): Promise<void> {
  for (let at = 0; at < duration_ms; at += PART_MS) {
    const { first, last } = byteRange(at, Math.min(at + PART_MS, duration_ms));
    hear(samplesOf(await objects.readRange(key, first, last)));
  }
}

export const durationOfSpeech = (bytes: number): number => Math.floor((bytes - HEADER_BYTES) / BYTES_PER_MS);

/** Decodes until the end or until the time budget is used up. True if the budget is used up. */
async function decode(media: OpenMedia, file: SpeechFile, given: Extraction): Promise<boolean> {
  const { tools, track, isStereo = false, claimed_ms, timeout_ms, signal, hear, reached } = given;
  const began = performance.now();
  const from_ms = file.bytes / BYTES_PER_MS;
  const options = { timeout_ms, signal, from_ms, isStereo, claimed_ms, max_ms: MEDIA_LIMITS.max_duration_ms };
  for await (const pcm of extractSound(tools, media, track, options)) {
    hear(samplesOf(pcm));
    const parts = file.parts;
    await file.write(pcm);
    reached(file.bytes / BYTES_PER_MS);
    const isLate = performance.now() - began > given.budget_ms;
    if (isLate && file.parts > parts) return true;
  }
  if (file.bytes < BYTES_PER_MS) throw mediaUnreadable('The audio track is empty. Export the file again.');
  return false;
}

/** Uploads the samples. The first part is sent last, because its header states the length. */
class SpeechFile {
  readonly #objects: MediaObjects;
  readonly #key: string;
  readonly #etags: string[];
  #uploadId: string | null;
  #first: Buffer | null = null;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #sending: Promise<unknown> = Promise.resolve();
  /** Number of full parts so far. */
  parts: number;

  constructor({ objects, key, resume }: Speech) {
    this.#objects = objects;
    this.#key = key;
    this.#uploadId = resume?.upload_id ?? null;
    this.#etags = [...(resume?.etags ?? [])];
    this.parts = resume === null ? 0 : 1 + this.#etags.length;
  }

  get bytes(): number {
    return this.parts * PART_BYTES + this.#pendingBytes;
  }

  async write(pcm: Buffer): Promise<void> {
    this.#pending.push(pcm);
    this.#pendingBytes += pcm.length;
    if (this.#pendingBytes < PART_BYTES) return;
    const all = Buffer.concat(this.#pending);
    this.#keep(all.subarray(PART_BYTES));
    await this.#add(all.subarray(0, PART_BYTES));
    this.parts += 1;
  }

  /** Drops the samples after the last full part. The next invocation decodes them again. */
  async pause(): Promise<Resume> {
    this.#keep(Buffer.alloc(0));
    if (this.#first !== null) {
      await this.#objects.write(firstPartKey(this.#key), this.#first, 'application/octet-stream');
    }
    await this.#sending;
    return { upload_id: await this.#upload(), etags: this.#etags };
  }

  async end(): Promise<void> {
    const { bytes } = this;
    const rest = Buffer.concat(this.#pending);
    if (this.parts === 0) {
      await this.#objects.write(this.#key, Buffer.concat([wavHeader(bytes), rest]), 'audio/wav');
      return;
    }
    if (rest.length > 0) await this.#add(rest);
    await this.#sending;
    const first = this.#first ?? (await this.#objects.read(firstPartKey(this.#key)));
    if (first === null) throw new Error('The first part of the speech is missing');
    const upload = await this.#upload();
    const etag = await this.#objects.uploadPart(this.#key, upload, {
      part: 1,
      body: Buffer.concat([wavHeader(bytes), first]),
    });
    const isJoined = await this.#objects.completeUpload(this.#key, upload, [etag, ...this.#etags]);
    if (!isJoined && (await this.#objects.size(this.#key)) === null) {
      throw new Error('The upload of the speech was aborted');
    }
    await this.#objects.delete(firstPartKey(this.#key));
  }

  /** Aborts the upload. After a crash, the next attempt or a lifecycle rule (after a day) aborts the upload. */
  async abort(): Promise<void> {
    await this.#sending.catch(() => {});
    if (this.#uploadId !== null) await this.#objects.abortUpload(this.#key, this.#uploadId);
  }

  #keep(rest: Buffer): void {
    this.#pending = rest.length > 0 ? [rest] : [];
    this.#pendingBytes = rest.length;
  }

  /** Sends a part. Decoding continues at the same time. */
  async #add(part: Buffer): Promise<void> {
    if (this.parts === 0) {
      this.#first = part;
      return;
    }
    await this.#sending;
    const at = this.#etags.length;
    this.#etags.push('');
    this.#sending = this.#send(part, at);
    this.#sending.catch(() => {});
  }

  async #send(part: Buffer, at: number): Promise<void> {
    this.#etags[at] = await this.#objects.uploadPart(this.#key, await this.#upload(), {
      part: at + 2,
      body: part,
    });
  }

  async #upload(): Promise<string> {
    this.#uploadId ??= await this.#objects.createUpload(this.#key, 'audio/wav');
    return this.#uploadId;
  }
}
