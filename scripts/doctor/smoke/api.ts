/** The main job on a running API: a film is uploaded in parts, becomes subtitles, and is deleted. */
import { jobEnd, type Kinora, ProblemError } from '../../../client/index.ts';
import { sendParts } from '../../../client/upload.ts';
import { Failure } from '../../deployment/trouble.ts';
import { PART_BYTES } from './media.ts';
import type { Work } from './steps.ts';

export interface SmokedApi {
  readonly kinora: Kinora;
  readonly film: Blob;
  /** Learns the progress of the job, 0 to 1. */
  readonly onProgress: (progress: number) => void;
}

/** Minutes that a film of one minute may take, a cold start of everything included. */
const PATIENCE_MIN = 15;
/** Minutes after which the media of a deleted asset should be gone. */
const DELETION_MIN = 3;

export class MainJob {
  readonly #api: SmokedApi;
  #assetId: string | undefined;
  #jobId = '';

  constructor(api: SmokedApi) {
    this.#api = api;
  }

  steps(): (readonly [title: string, work: Work])[] {
    return [
      ['Create', () => this.#create()],
      ['Upload', () => this.#upload()],
      ['Processing', () => this.#process()],
      ['Subtitles', () => this.#subtitles()],
      ['Delete', () => this.remove()],
    ];
  }

  async #create(): Promise<string> {
    const { asset_id } = await this.#api.kinora.createAsset({ body: { filename: 'kinora-doctor.mp4' } });
    this.#assetId = asset_id;
    return `asset ${asset_id}`;
  }

  async #upload(): Promise<string> {
    const { kinora, film } = this.#api;
    const asset_id = this.#assetId!;
    const parts = Math.ceil(film.size / PART_BYTES);
    const ticket = await kinora.startUpload({ asset_id, body: { parts } });
    const etags = await sendParts(ticket, film, PART_BYTES, () => {});
    this.#jobId = (await kinora.finishUpload({ asset_id, body: { etags } })).job_id;
    return `${(film.size / 1e6).toFixed(1)} MB in ${parts} parts`;
  }

  async #process(): Promise<string> {
    const { kinora, onProgress } = this.#api;
    const look = () => kinora.getIngestJob({ asset_id: this.#assetId!, job_id: this.#jobId });
    const signal = AbortSignal.timeout(PATIENCE_MIN * 60_000);
    const { status, error } = await jobEnd(look, ({ progress }) => onProgress(progress), 1000, signal);
    if (status === 'succeeded') return `job ${this.#jobId}`;
    throw new Failure({
      says: `the job ${this.#jobId} is ${status}: ${error?.code}: ${error?.detail}`,
      cure: 'docs/runbooks.md, "Machine failed"; npm run doctor without --after says whether the services answer.',
    });
  }

  async #subtitles(): Promise<string> {
    const { kinora } = this.#api;
    const asset_id = this.#assetId!;
    const [made] = (await kinora.listTranscriptions({ asset_id })).data;
    const vtt = made && (await kinora.getVtt({ asset_id, transcription_id: made.transcription_id }));
    const cues = vtt?.match(/-->/g)?.length ?? 0;
    if (vtt?.startsWith('WEBVTT') && cues > 0) return `${cues} cues of WebVTT`;
    throw new Failure({
      says: made === undefined ? 'there is no transcription' : 'there are no cues',
      cure: 'Look at the step TranscribePiece: its log in /kinora/, and the service that it calls.',
    });
  }

  /** What was uploaded goes in any case. */
  async remove(): Promise<string> {
    const { kinora } = this.#api;
    const asset_id = this.#assetId;
    if (asset_id === undefined) return 'there is nothing';
    await kinora.deleteAsset({ asset_id });
    this.#assetId = undefined;
    if (await this.#isGone(asset_id)) return `asset ${asset_id} is gone, with its media`;
    throw new Failure({
      says: `asset ${asset_id} is still there after ${DELETION_MIN} minutes`,
      cure: 'docs/runbooks.md, "Machine failed": the machine DeleteAsset.',
    });
  }

  /** It is `deleting` until its media are deleted as well. */
  async #isGone(asset_id: string): Promise<boolean> {
    const giveUp = Date.now() + DELETION_MIN * 60_000;
    while (Date.now() < giveUp) {
      const found = await this.#api.kinora.getAsset({ asset_id }).catch((error: unknown) => error);
      if (found instanceof ProblemError && found.status === 404) return true;
      if (found instanceof Error) throw found;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    return false;
  }
}
