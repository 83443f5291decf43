/** The results of a job's languages, as jobs and assets show them. */
import type { JobFailure, LanguageOutcome } from '../../../shared/assets.ts';
import { failedItem, type JobItem, succeededItem } from '../../../shared/jobs.ts';
import type { TranslationKind } from './translation-job.ts';

interface Made {
  readonly language_id: string;
  readonly transcription_id?: string;
  readonly version?: number;
}

/** Error codes of languages that no engine can process. Such a language is `unavailable`, not `failed`. */
const unavailable: readonly string[] = ['engine_unavailable', 'language_unsupported'];

export function languageOutcome(language_id: string, error: JobFailure | null): LanguageOutcome {
  if (error === null) return { language_id, status: 'ready', error };
  return { language_id, status: unavailable.includes(error.code) ? 'unavailable' : 'failed', error };
}

/** The job item of a language. The result of a retranslation also has the version. */
export function languageItem(
  kind: TranslationKind,
  { language_id, transcription_id, version }: Made,
  error: JobFailure | null,
): JobItem<'translation'> {
  if (error !== null) return { language_id, ...failedItem(error) };
  const result = kind === 'translation' ? { transcription_id } : { transcription_id, version };
  return { language_id, ...succeededItem(result as { transcription_id: string }) };
}
