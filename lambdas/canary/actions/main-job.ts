/**
 * Tests a running API like a caller: uploads media in parts, waits for subtitles, and deletes the asset. The canary
 * does this on a schedule, and `npm run doctor` after a deployment.
 */
import { type IngestJob, jobEnd, type Kinora, ProblemError } from '../../../client/index.ts';
import { sendParts } from '../../../client/upload.ts';
import { wait } from '../../../client/wait.ts';
import { defined } from '../../../shared/checked-access.ts';
import type { Outcome } from '../rules/outcome.ts';
import { StageFailed } from '../rules/stage-failed.ts';
import type { MainStage } from '../rules/stages.ts';

export interface Tried {
  readonly kinora: Kinora;
  readonly media: Blob;
  /** The filename of the asset. Only assets of the canary have it. */
  readonly filename: string;
  /** The spoken language; detected if absent. */
  readonly languageId?: string;
  /** Bytes of each part except the last. S3 requires at least 5 MiB. */
  readonly partBytes: number;
  /** Polling interval, ms. */
  readonly lookMs: number;
  readonly onProgress?: (progress: number) => void;
}

export class MainJob {
  readonly #tried: Tried;
  #assetId: string | undefined;
  #jobId: string | undefined;
  /** Whether the run has created the asset and not yet requested its deletion. */
  #isLeft = false;

  constructor(tried: Tried) {
    this.#tried = tried;
  }

  get ids(): Outcome['ids'] {
    return {
      ...(this.#assetId !== undefined && { asset_id: this.#assetId }),
      ...(this.#jobId !== undefined && { job_id: this.#jobId }),
    };
  }

  /** Runs a stage, which needs the stages before it. Returns a sentence. Throws StageFailed, or an error of the client. */
  take(stage: MainStage, signal: AbortSignal): Promise<string> {
    return this.#stages[stage](signal);
  }

  /** Deletes the asset of a failed run, without waiting. */
  async abandon(signal: AbortSignal): Promise<void> {
    if (!this.#isLeft) return;
    this.#isLeft = false;
    await this.#tried.kinora.deleteAsset({ asset_id: defined(this.#assetId) }, { signal });
  }

  readonly #stages: Readonly<Record<MainStage, (signal: AbortSignal) => Promise<string>>> = {
    Create: async (signal) => {
      const { kinora, filename, languageId } = this.#tried;
      const body = { filename, ...(languageId !== undefined && { language_id: languageId }) };
      const { asset_id } = await kinora.createAsset({ body }, { signal });
      this.#assetId = asset_id;
      this.#isLeft = true;
      return `asset ${asset_id}`;
    },

    Upload: async (signal) => {
      const { kinora, media, partBytes } = this.#tried;
      const asset_id = defined(this.#assetId);
      const parts = Math.ceil(media.size / partBytes);
      const ticket = await kinora.startUpload({ asset_id, body: { parts } }, { signal });
      const etags = await sendParts(ticket, media, { partSize: partBytes, onSent: () => {}, signal });
      const body = { etags, size_bytes: media.size };
      this.#jobId = (await kinora.finishUpload({ asset_id, body }, { signal })).job_id;
      return `${(media.size / 1e6).toFixed(1)} MB in ${parts} parts`;
    },

    Processing: async (signal) => {
      const { kinora, lookMs, onProgress } = this.#tried;
      const ids = { asset_id: defined(this.#assetId), job_id: defined(this.#jobId) };
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
    },

    Subtitles: async (signal) => {
      const { kinora } = this.#tried;
      const asset_id = defined(this.#assetId);
      const [made] = (await kinora.listTranscriptions({ asset_id }, { signal })).data;
      if (made === undefined) throw new StageFailed('there is no transcription');
      const { transcription_id } = made;
      const vtt = await kinora.getVtt({ asset_id, transcription_id }, { signal });
      const cues = vtt.match(/-->/g)?.length ?? 0;
      if (vtt.startsWith('WEBVTT') && cues > 0) return `${cues} cues of WebVTT`;
      throw new StageFailed('there are no cues');
    },

    /** Requests the deletion, then waits until the asset (first `deleting`) and its media are deleted. */
    Delete: async (signal) => {
      const { kinora, lookMs } = this.#tried;
      const asset_id = defined(this.#assetId);
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
    },
  };
}
