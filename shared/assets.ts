/** Assets: their stored fields, and the operations that each status allows. */
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

/** An asset with the fields that callers do not see. */
export interface StoredAsset extends Asset {
  /** Rises with every change; the ETag. */
  readonly version: number;
  /** Index facets that list the asset: `all`, `language_id#…`, … */
  readonly facets: readonly string[];
  /** The current multipart upload, and the job that completes it. */
  readonly upload_id: string | null;
  readonly ingest_job_id: JobId | null;
  /** The canceled ingest whose results are being removed. Until then, the asset accepts no other upload. */
  readonly clearing_job_id?: JobId | null;
}

/** The progress of its processing, with the stage if known. Neither goes back. */
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
  const created = now.toISOString();
  return {
    asset_id: assetId,
    filename: given.filename,
    name: given.name ?? given.filename,
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
    size_bytes: null,
    analyses: {},
    translations: [],
    voice_overs: [],
    languages: [],
    created_at: created,
    updated_at: created,
    version: 1,
    facets: given.collection_id === undefined ? ['all'] : ['all', `collection_id#${given.collection_id}`],
    upload_id: null,
    ingest_job_id: null,
  };
}

/** The fields that callers see, in the contract's order. Fields that earlier versions did not store get defaults. */
export function assetView(stored: Asset): Asset {
  return {
    asset_id: stored.asset_id,
    filename: stored.filename,
    name: stored.name,
    template_id: stored.template_id,
    collection_id: stored.collection_id,
    language_id: stored.language_id,
    external_id: stored.external_id,
    mc_model: stored.mc_model,
    processed_as: stored.processed_as,
    status: stored.status,
    stage: stored.stage,
    progress: stored.progress,
    // Assets of versions without estimates have none.
    estimated_ready_at: stored.estimated_ready_at ?? null,
    error: stored.error,
    duration_ms: stored.duration_ms,
    width: stored.width,
    height: stored.height,
    frame_rate: stored.frame_rate,
    // Assets of versions without these fields lack them.
    start_timecode: stored.start_timecode ?? null,
    audio_channels: stored.audio_channels,
    audio_track: stored.audio_track ?? null,
    source_tracks: stored.source_tracks ?? [],
    size_bytes: stored.size_bytes,
    analyses: stored.analyses,
    translations: stored.translations,
    voice_overs: stored.voice_overs,
    languages: stored.languages,
    created_at: stored.created_at,
    updated_at: stored.updated_at,
  };
}

/** Whether parts may be uploaded: until the upload is finished, and again after a failure. */
export const acceptsUpload = (status: AssetStatus): boolean =>
  status === 'created' || status === 'uploading' || status === 'failed';
