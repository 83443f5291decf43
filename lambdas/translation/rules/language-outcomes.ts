/** The results of a job's languages, as jobs and assets show them. */
import type { JobFailure, LanguageOutcome } from '../../../shared/assets.ts';
import { failedItem, type JobItem, succeededItem } from '../../../shared/jobs.ts';
import type { TranslationKind } from './translation-job.ts';

interface Made {
  readonly language_id: string;
  readonly transcription_id?: string;
  readonly version?: number;
  readonly missing_count?: number;
  readonly deleted_segment_ids?: readonly string[];
}

/** Error codes of languages that no engine can process. Such a language is `unavailable`, not `failed`. */
const unavailable: readonly string[] = ['engine_unavailable', 'language_unsupported'];

export function languageOutcome(language_id: string, error: JobFailure | null): LanguageOutcome {
  if (error === null) return { language_id, status: 'ready', error };
  return { language_id, status: unavailable.includes(error.code) ? 'unavailable' : 'failed', error };
}

/** The job item of a language. The result of a retranslation also has the version and what is missing. */
export function languageItem(
  kind: TranslationKind,
  { language_id, transcription_id, version, missing_count, deleted_segment_ids }: Made,
  error: JobFailure | null,
): JobItem<'translation'> {
  if (error !== null) return { language_id, ...failedItem(error) };
  // Unknown if the step crashed after it stored the translation.
  const left = missing_count === undefined ? {} : { missing_count, deleted_segment_ids };
  const result = kind === 'translation' ? { transcription_id } : { transcription_id, version, ...left };
  return { language_id, ...succeededItem(result as { transcription_id: string }) };
}
