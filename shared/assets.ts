/** Stored assets, their form for callers, and the rules of their states. */
import type { Static } from 'typebox';
import type { JobErrorCode } from '../contract/kit/errors.ts';
import type { Frozen } from '../contract/kit/operation.ts';
import type * as contract from '../contract/resources/assets.ts';
import type { AssetId, JobId } from './ids.ts';

export type Asset = Frozen<Static<typeof contract.Asset>>;
export type AssetStatus = Asset['status'];
export type Outcome = NonNullable<Asset['analyses']['transcription']>;
export type LanguageOutcome = Asset['translations'][number];

export interface JobFailure {
  readonly code: JobErrorCode;
  readonly title: string;
  readonly detail: string;
  readonly retryable: boolean;
}

/** Stored fields of an asset in addition to those that callers see. */
export interface StoredAsset extends Asset {
  /** Increases with every change. The ETag of the asset. */
  readonly version: number;
  /** The facets under which the index lists the asset: `all`, `language_id#…`, … */
  readonly facets: readonly string[];
  /** The current multipart upload. `ingest_job_id` is the job that processes it. */
  readonly upload_id: string | null;
  /** The largest number of parts that start_upload got for this upload. */
  readonly upload_parts?: number;
  readonly ingest_job_id: JobId | null;
  /** The canceled ingest whose results are being removed. While it is set, the asset accepts no upload. */
  readonly clearing_job_id?: JobId | null;
}

/** A multipart upload, and the number of its parts. */
export type OpenUpload = { readonly upload_id: string; readonly upload_parts: number };

/** The progress of an ingest, with the stage if known. The progress never decreases. */
export type Reached = Pick<Asset, 'progress'> & Partial<Pick<Asset, 'stage' | 'estimated_ready_at'>>;

export interface NewAsset {
  readonly filename: string;
  readonly name?: string | undefined;
  readonly template_id?: string | undefined;
  readonly collection_id?: string | undefined;
  readonly language_id?: string | undefined;
  readonly external_id?: string | undefined;
  readonly audio_track?: number | undefined;
  readonly mc_model: 'normal' | 'turbo';
}

export function newAsset(assetId: AssetId, now: Date, given: NewAsset): StoredAsset {
  return {
    ...initialFields({
      ...given,
      asset_id: assetId,
      name: given.name ?? given.filename,
      created_at: now.toISOString(),
    }),
    version: 1,
    facets: given.collection_id === undefined ? ['all'] : ['all', `collection_id#${given.collection_id}`],
    upload_id: null,
    ingest_job_id: null,
  };
}

type Given = Pick<Asset, 'asset_id' | 'filename' | 'name' | 'mc_model' | 'created_at'> &
  Partial<{ readonly [Name in keyof NewAsset]: NewAsset[Name] | null }>;

/** The initial value of each field. An asset that was stored before a field existed is shown with the initial value. */
function initialFields(given: Given): Asset {
  return {
    asset_id: given.asset_id,
    filename: given.filename,
    name: given.name,
    template_id: given.template_id ?? null,
    collection_id: given.collection_id ?? null,
    language_id: given.language_id ?? null,
    external_id: given.external_id ?? null,
    mc_model: given.mc_model,
    processed_as: null,
    status: 'created',
    stage: null,
    progress: 0,
    estimated_ready_at: null,
    error: null,
    duration_ms: null,
    width: null,
    height: null,
    frame_rate: null,
    start_timecode: null,
    audio_channels: null,
    audio_track: given.audio_track ?? null,
    source_tracks: [],
    source_findings: [],
    size_bytes: null,
    analyses: {},
    translations: [],
    voice_overs: [],
    languages: [],
    created_at: given.created_at,
    updated_at: given.created_at,
  };
}

/** The fields that callers see, in the contract's order. Fields that earlier versions did not store get their initial value. */
export function assetView(stored: Asset): Asset {
  const initial = initialFields(stored);
  const visible = Object.entries(stored).filter(([name]) => Object.hasOwn(initial, name));
  return { ...initial, ...(Object.fromEntries(visible) as Partial<Asset>) };
}

/** Whether parts may be uploaded: until the upload is finished, and again after a failure. */
export const acceptsUpload = (status: AssetStatus): boolean =>
  status === 'created' || status === 'uploading' || status === 'failed';

/** The number of the transcribed audio track: 1 for old assets without a list of tracks, null for media without sound. */
export const transcribedTrack = ({ source_tracks = [], audio_channels }: StoredAsset): number | null =>
  source_tracks.find(({ chosen }) => chosen !== null)?.number ?? (audio_channels === null ? null : 1);
