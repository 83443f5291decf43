/** The results of a job's languages, as jobs and assets show them. */
import type { JobFailure, LanguageOutcome } from '../../../shared/assets.ts';
import type { JobItem } from '../../../shared/jobs.ts';
import type { TranslationKind } from './translation-job.ts';

interface Made {
  readonly language_id: string;
  readonly transcription_id?: string;
  readonly version?: number;
}

/** Codes for failures that mean that no engine can do the work. All other codes mean that something went wrong. */
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
  if (error !== null) return { language_id, status: 'failed', progress: 0, error, result: null };
  const result = kind === 'translation' ? { transcription_id } : { transcription_id, version };
  return {
    language_id,
    status: 'succeeded',
    progress: 1,
    error: null,
    result: result as { transcription_id: string },
  };
}
