/** The job that speaks translations of an asset. */
import type { AssetId, JobId } from '../../../shared/ids.ts';
import { queued, queuedLanguages, type StoredJob } from '../../../shared/jobs.ts';

export interface VoiceOverConfig {
  readonly clone_voice: boolean;
  readonly mute_original_voice: boolean;
}

export interface VoiceOverOwn {
  readonly language_ids: readonly string[];
  readonly config: VoiceOverConfig;
  /** Whether each track also gets a video. */
  readonly mux: boolean;
  /** The characters that were reserved from the tenant's quotas, by language. Absent if the tenant has no such quota. */
  readonly held?: Readonly<Record<string, number>>;
}

export type VoiceOverJob = StoredJob<'voice_over', VoiceOverOwn>;

export const newVoiceOverJob = (
  jobId: JobId,
  assetId: AssetId,
  own: VoiceOverOwn,
  now: Date,
): VoiceOverJob => ({
  ...queued(jobId, now),
  type: 'voice_over',
  asset_id: assetId,
  items: queuedLanguages(own.language_ids),
  machine: 'VoiceOver',
  input: { asset_id: assetId, kind: 'voice_over' },
  own,
});

/** The settings of the template. Settings of the request override them. */
export const configOf = (
  template: Partial<VoiceOverConfig> | null | undefined,
  asked: Partial<VoiceOverConfig> = {},
): VoiceOverConfig => ({
  clone_voice: asked.clone_voice ?? template?.clone_voice ?? false,
  mute_original_voice: asked.mute_original_voice ?? template?.mute_original_voice ?? false,
});
