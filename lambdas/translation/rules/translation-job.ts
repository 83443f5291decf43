/** Jobs that translate all segments, or some of them, into languages. */
import type { StoredJob } from '../../../shared/jobs.ts';

export type TranslationKind = 'translation' | 'partial_retranslation';

export interface TranslationOwn {
  readonly language_ids: readonly string[];
  /** Ids of original segments, which may have been deleted. Null means all segments. */
  readonly segment_ids: readonly string[] | null;
  /** The characters that were reserved from the tenant's quotas, by language. Absent if the tenant has no such quota. */
  readonly held?: Readonly<Record<string, number>>;
}

/** A job of either kind. The two kinds differ only in the results of their items. */
export type TranslationJob = StoredJob<'translation', TranslationOwn>;

/** The size of a language for the progress: equal for all languages, because their durations are unknown in advance. */
export const LANGUAGE_SIZE = 1000;
