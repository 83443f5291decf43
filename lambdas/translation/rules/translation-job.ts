/** Jobs that translate into languages: all segments, or some. */
import type { AssetId, JobId } from '../../../shared/ids.ts';
import { queued, queuedLanguages, type StoredJob } from '../../../shared/jobs.ts';

export type TranslationKind = 'translation' | 'partial_retranslation';

export interface TranslationOwn {
  readonly language_ids: readonly string[];
  /** Ids of original segments, which may have been deleted. Null translates all. */
  readonly segment_ids: readonly string[] | null;
  /** Characters reserved from the tenant's quotas, by language. Absent if it has no such quota. */
  readonly held?: Readonly<Record<string, number>>;
}

/** A job of either kind. The kinds differ only in the results of their items. */
export type TranslationJob = StoredJob<'translation', TranslationOwn>;

/** All languages count the same for progress, because their durations are unknown in advance. */
export const LANGUAGE_SIZE = 1000;

export const newTranslationJob = (
  kind: TranslationKind,
  jobId: JobId,
  assetId: AssetId,
  own: TranslationOwn,
  now: Date,
): TranslationJob => ({
  ...queued(jobId, now),
  type: kind as 'translation',
  asset_id: assetId,
  items: queuedLanguages(own.language_ids),
  machine: 'Translation',
  input: { asset_id: assetId, kind },
  own,
});
