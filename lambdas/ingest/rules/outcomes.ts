/** Planned and final outcomes of an ingest: one for each analysis, and items for transcription, translations and voice overs. */
import type { AnalysisKind } from '../../../contract/kit/analysis-kinds.ts';
import { jobFailure } from '../../../platform/jobs/job-failure.ts';
import type { Asset, JobFailure, LanguageOutcome, Outcome } from '../../../shared/assets.ts';
import type { JobId } from '../../../shared/ids.ts';
import { canceledFailure, type JobItem } from '../../../shared/jobs.ts';
import type { TemplateOptions } from '../../settings/rules/template-options.ts';

export interface MediaTracks {
  readonly has_audio: boolean;
  readonly has_video: boolean;
}

/** Analyses that engines do. `audio_tracks` needs none: probing lists them. */
type EngineKind = Exclude<AnalysisKind, 'audio_tracks'>;

/** Why no engine of this environment does the analysis; null if one does. */
export type Unavailable = (kind: EngineKind | 'translation' | 'voice_over') => JobFailure | null;

export type Outcomes = Pick<Asset, 'analyses' | 'translations' | 'voice_overs'>;

export const ready: Outcome = { status: 'ready', error: null };
export const skipped: Outcome = { status: 'skipped', error: null };

const needs: Readonly<Record<Exclude<EngineKind, 'ocr' | 'word_lists'>, (media: MediaTracks) => boolean>> = {
  transcription: ({ has_audio }) => has_audio,
  sound_descriptions: ({ has_audio }) => has_audio,
  camera_shoots: ({ has_video }) => has_video,
  faces: ({ has_video }) => has_video,
  autocenter: ({ has_video }) => has_video,
  metadata: () => true,
};

/** The outcome of the word lists if the transcription engine got no expected words. */
export const withoutTerms: Outcome = {
  status: 'failed',
  error: jobFailure(
    'provider_unavailable',
    'The transcription service had no place for the expected words for half an hour, or takes none in this language. The lists were applied to the finished transcript only.',
  ),
};

/** The outcomes when processing starts: running, skipped or unavailable. */
export function plannedOutcomes(
  media: MediaTracks,
  template: TemplateOptions | null,
  unavailable: Unavailable,
): Outcomes {
  const planned = (kind: EngineKind, isWanted: boolean): Outcome =>
    isWanted ? outcomeOf(unavailable(kind)) : skipped;
  const standard = Object.entries(needs).map(([kind, isThere]) => [
    kind,
    planned(kind as keyof typeof needs, isThere(media)),
  ]);
  const lists = [template?.blacklist_ids, template?.whitelist_ids, template?.domain_dictionary_ids];
  const languages = (ids: readonly string[], kind: 'translation' | 'voice_over') => {
    const outcome = media.has_audio ? outcomeOf(unavailable(kind)) : skipped;
    return ids.map((language_id): LanguageOutcome => ({ language_id, ...outcome }));
  };
  const spoken = template?.voice_over_language_ids ?? [];
  return {
    analyses: {
      ...Object.fromEntries(standard),
      // Probing has listed them already.
      audio_tracks: media.has_audio ? ready : skipped,
      ocr: planned('ocr', Boolean(template?.enabled_ocr) && media.has_video),
      word_lists: planned('word_lists', media.has_audio && lists.some((ids) => (ids ?? []).length > 0)),
    },
    // A voice over needs a translation.
    translations: languages(
      [...new Set([...(template?.translation_language_ids ?? []), ...spoken])],
      'translation',
    ),
    voice_overs: languages(spoken, 'voice_over'),
  };
}

const outcomeOf = (error: JobFailure | null): Outcome =>
  error === null ? { status: 'running', error: null } : { status: 'unavailable', error };

export function itemsOf({ analyses, translations, voice_overs }: Outcomes): JobItem<'ingest'>[] {
  const named = (['transcription', 'ocr', 'word_lists'] as const).flatMap((kind) => {
    const outcome = analyses[kind];
    return outcome === undefined || outcome.status === 'skipped' ? [] : [itemOf({ kind }, outcome)];
  });
  const asked = (outcome: LanguageOutcome) => outcome.status !== 'skipped';
  const ofLanguages = (kind: 'translation' | 'voice_over', outcomes: readonly LanguageOutcome[]) =>
    outcomes.filter(asked).map((outcome) => itemOf({ kind, language_id: outcome.language_id }, outcome));
  return [...named, ...ofLanguages('translation', translations), ...ofLanguages('voice_over', voice_overs)];
}

const statuses = {
  running: 'running',
  ready: 'succeeded',
  skipped: 'succeeded',
  unavailable: 'failed',
  failed: 'failed',
} as const;

const itemOf = (
  what: Pick<JobItem<'ingest'>, 'kind' | 'language_id'>,
  { status, error }: Outcome,
): JobItem<'ingest'> => ({
  ...what,
  status: statuses[status],
  progress: status === 'ready' ? 1 : 0,
  error,
  result: null,
});

/** Final outcomes of analyses that steps reported, by kind. */
export type AnalysisOutcomes = Readonly<Partial<Record<AnalysisKind, Outcome>>>;

/** Analyses of the picture. If the picture branch fails, each of these analyses gets the error of the branch. */
export const pictureAnalyses = [
  'camera_shoots',
  'faces',
  'ocr',
  'autocenter',
] as const satisfies AnalysisKind[];

export interface IngestEnd {
  readonly error: JobFailure | null;
  readonly done?: AnalysisOutcomes;
  /** The outcomes by language id: `translated` has those of translations, `spoken` those of voice overs. */
  readonly translated?: ReadonlyMap<string, Outcome>;
  readonly spoken?: ReadonlyMap<string, Outcome>;
}

export const failAll = (kinds: readonly AnalysisKind[], error: JobFailure): AnalysisOutcomes =>
  Object.fromEntries(kinds.map((kind) => [kind, { status: 'failed', error }]));

/**
 * The outcomes at the end of an ingest. Work that is still running gets the error of the job. If the job succeeded, the
 * work becomes unavailable, because this version has no step for it.
 */
export function finalOutcomes({ analyses, translations, voice_overs }: Outcomes, end: IngestEnd): Outcomes {
  const { error, done = {}, translated, spoken } = end;
  const undone: Outcome =
    error === null ? { status: 'unavailable', error: noStep } : { status: 'failed', error };
  // If the transcription failed, the translations have the same error.
  const { transcription } = analyses;
  const untranslated: Outcome =
    error === null && transcription?.error ? { status: 'failed', error: transcription.error } : undone;
  const endOf = <Some extends Outcome>(outcome: Some, ended: Outcome): Some =>
    outcome.status === 'running' ? { ...outcome, ...ended } : outcome;
  const endedTranslations = translations.map((outcome) =>
    endOf(outcome, translated?.get(outcome.language_id) ?? untranslated),
  );
  // If the translation failed, the voice over has the same error.
  const unspoken = (id: string): Outcome => {
    const { status, error: why } = endedTranslations.find(({ language_id }) => language_id === id) ?? undone;
    return status === 'ready' ? undone : { status, error: why };
  };
  return {
    analyses: Object.fromEntries(
      Object.entries(analyses).map(([kind, outcome]) => [
        kind,
        endOf(outcome, done[kind as AnalysisKind] ?? undone),
      ]),
    ),
    translations: endedTranslations,
    voice_overs: voice_overs.map((outcome) =>
      endOf(outcome, spoken?.get(outcome.language_id) ?? unspoken(outcome.language_id)),
    ),
  };
}

/** Fields of an asset whose ingest was canceled. The results of the ingest still exist. */
export const canceledFields = (asset: Outcomes, jobId: JobId) =>
  ({
    status: 'failed',
    stage: null,
    estimated_ready_at: null,
    error: canceledFailure,
    upload_id: null,
    clearing_job_id: jobId,
    ...finalOutcomes(asset, { error: canceledFailure }),
  }) as const;

const noStep = jobFailure('engine_unavailable', 'Ingests do not do this yet. It is planned.');
