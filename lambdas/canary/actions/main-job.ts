/**
 * The main job on a running API, as anybody does it: media are uploaded in parts, become subtitles, and are deleted. The
 * canary tries it by the clock, `npm run doctor` after a deployment.
 */
import { type IngestJob, jobEnd, type Kinora, ProblemError } from '../../../client/index.ts';
import { sendParts } from '../../../client/upload.ts';
import { wait } from '../../../client/wait.ts';
import type { Outcome } from '../rules/outcome.ts';
import { StageFailed } from '../rules/stage-failed.ts';
import type { MainStage } from '../rules/stages.ts';

export interface Tried {
  readonly kinora: Kinora;
  readonly media: Blob;
  /** By which whoever finds the asset knows whose it is. */
  readonly filename: string;
  /** The language that is spoken; heard from the media when absent. */
  readonly languageId?: string;
  /** Bytes of each part but the last; S3 takes no fewer than 5 MiB. */
  readonly partBytes: number;
  /** Milliseconds between two looks at what is waited for. */
  readonly lookMs: number;
  /** Learns the progress of the job, 0 to 1. */
  readonly onProgress?: (progress: number) => void;
}

export class MainJob {
  readonly #tried: Tried;
  #assetId: string | undefined;
  #jobId: string | undefined;
  /** What it made is there, and nobody has asked for its deletion. */
  #isLeft = false;

  constructor(tried: Tried) {
    this.#tried = tried;
  }

  /** What it made, for whoever looks for it. */
  get ids(): Outcome['ids'] {
    return {
      ...(this.#assetId !== undefined && { asset_id: this.#assetId }),
      ...(this.#jobId !== undefined && { job_id: this.#jobId }),
    };
  }

  /**
   * Each stage stands on those before it.
   * @returns what it did, in words
   * @throws StageFailed, or what the client throws
   */
  take(stage: MainStage, signal: AbortSignal): Promise<string> {
    return this.#stages[stage](signal);
  }

  /** What a failed try made goes as well; nobody waits for it. */
  async abandon(signal: AbortSignal): Promise<void> {
    if (!this.#isLeft) return;
    this.#isLeft = false;
    await this.#tried.kinora.deleteAsset({ asset_id: this.#assetId! }, { signal });
  }

  readonly #stages: Readonly<Record<MainStage, (signal: AbortSignal) => Promise<string>>> = {
    Create: (signal) => this.#create(signal),
    Upload: (signal) => this.#upload(signal),
    Processing: (signal) => this.#process(signal),
    Subtitles: (signal) => this.#subtitles(signal),
    Delete: (signal) => this.#delete(signal),
  };

  async #create(signal: AbortSignal): Promise<string> {
    const { kinora, filename, languageId } = this.#tried;
    const body = { filename, ...(languageId !== undefined && { language_id: languageId }) };
    const { asset_id } = await kinora.createAsset({ body }, { signal });
    this.#assetId = asset_id;
    this.#isLeft = true;
    return `asset ${asset_id}`;
  }

  async #upload(signal: AbortSignal): Promise<string> {
    const { kinora, media, partBytes } = this.#tried;
    const asset_id = this.#assetId!;
    const parts = Math.ceil(media.size / partBytes);
    const ticket = await kinora.startUpload({ asset_id, body: { parts } }, { signal });
    const etags = await sendParts(ticket, media, partBytes, () => {}, signal);
    this.#jobId = (await kinora.finishUpload({ asset_id, body: { etags } }, { signal })).job_id;
    return `${(media.size / 1e6).toFixed(1)} MB in ${parts} parts`;
  }

  async #process(signal: AbortSignal): Promise<string> {
    const { kinora, lookMs, onProgress } = this.#tried;
    const ids = { asset_id: this.#assetId!, job_id: this.#jobId! };
    let seen: IngestJob | undefined;
    const { status, error } = await jobEnd(
      () => kinora.getIngestJob(ids, { signal }),
      (job) => {
        seen = job;
        onProgress?.(job.progress);
      },
      lookMs,
      signal,
    ).catch((reason: unknown) => {
      if (!signal.aborted || seen === undefined) throw reason;
      throw new StageFailed(
        `the job ${ids.job_id} is still ${seen.status}, at ${Math.round(seen.progress * 100)} %`,
      );
    });
    if (status === 'succeeded') return `job ${ids.job_id}`;
    throw new StageFailed(`the job ${ids.job_id} is ${status}: ${error?.code}: ${error?.detail}`);
  }

  async #subtitles(signal: AbortSignal): Promise<string> {
    const { kinora } = this.#tried;
    const asset_id = this.#assetId!;
    const [made] = (await kinora.listTranscriptions({ asset_id }, { signal })).data;
    if (made === undefined) throw new StageFailed('there is no transcription');
    const { transcription_id } = made;
    const vtt = await kinora.getVtt({ asset_id, transcription_id }, { signal });
    const cues = vtt.match(/-->/g)?.length ?? 0;
    if (vtt.startsWith('WEBVTT') && cues > 0) return `${cues} cues of WebVTT`;
    throw new StageFailed('there are no cues');
  }

  /** It is `deleting` until its media are deleted as well. */
  async #delete(signal: AbortSignal): Promise<string> {
    const { kinora, lookMs } = this.#tried;
    const asset_id = this.#assetId!;
    await kinora.deleteAsset({ asset_id }, { signal });
    this.#isLeft = false;
    while (!signal.aborted) {
      const found = await kinora.getAsset({ asset_id }, { signal }).catch((error: unknown) => error);
      if (found instanceof ProblemError && found.status === 404)
        return `asset ${asset_id} is gone, with its media`;
      if (found instanceof Error && !signal.aborted) throw found;
      await wait(lookMs, signal);
    }
    throw new StageFailed(`asset ${asset_id} was deleted and is still there`);
  }
}
