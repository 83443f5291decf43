/** The jobs that translate: into languages, all segments or some. */
import type { AssetId, JobId } from '../../../shared/ids.ts';
import { queued, queuedLanguages, type StoredJob } from '../../../shared/jobs.ts';

export type TranslationKind = 'translation' | 'partial_retranslation';

export interface TranslationOwn {
  readonly language_ids: readonly string[];
  /** Of the original as it is or was; null translates all. */
  readonly segment_ids: readonly string[] | null;
  /** Characters that are held against the tenant's quotas, by language; absent where it has none of those. */
  readonly held?: Readonly<Record<string, number>>;
}

/** A job of either kind: the two differ in what their items result in alone. */
export type TranslationJob = StoredJob<'translation', TranslationOwn>;

/** All languages weigh the same: how long one takes is known of none before. */
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
