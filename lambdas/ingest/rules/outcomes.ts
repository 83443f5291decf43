/**
 * Planned and final outcomes of an ingest. All analyses are outcomes of the asset. The transcription, and work
 * that a template requests, are also items of the job.
 */
import type { AnalysisKind } from '../../../contract/kit/analysis-kinds.ts';
import { jobErrors } from '../../../contract/kit/errors.ts';
import type { Asset, JobFailure, LanguageOutcome, Outcome } from '../../../shared/assets.ts';
import type { JobId } from '../../../shared/ids.ts';
import { canceledFailure, type JobItem } from '../../../shared/jobs.ts';
import type { TemplateOptions } from '../../settings/rules/template-options.ts';

/** Kinds of tracks that the media has. */
export interface MediaTracks {
  readonly has_audio: boolean;
  readonly has_video: boolean;
}

/** Analyses that engines do. Audio tracks are listed by probing alone. */
type EngineKind = Exclude<AnalysisKind, 'audio_tracks'>;

/** Why no engine of this environment does the analysis; null if one does. */
export type Unavailable = (kind: EngineKind | 'translation' | 'voice_over') => JobFailure | null;

export type Outcomes = Pick<Asset, 'analyses' | 'translations' | 'voice_overs'>;

/** The failure that jobs and assets show for work that no engine does. */
export function unavailableFailure(detail: string): JobFailure {
  const { title, retryable } = jobErrors.engine_unavailable;
  return { code: 'engine_unavailable', title, detail, retryable };
}

export const ready: Outcome = { status: 'ready', error: null };
export const skipped: Outcome = { status: 'skipped', error: null };

/** The track that each analysis needs. */
const needs: Readonly<Record<Exclude<EngineKind, 'ocr' | 'word_lists'>, (media: MediaTracks) => boolean>> = {
  transcription: ({ has_audio }) => has_audio,
  sound_descriptions: ({ has_audio }) => has_audio,
  camera_shoots: ({ has_video }) => has_video,
  faces: ({ has_video }) => has_video,
  autocenter: ({ has_video }) => has_video,
  metadata: () => true,
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
  const languages = (ids: readonly string[] | null | undefined, kind: 'translation' | 'voice_over') =>
    (ids ?? []).map(
      (language_id): LanguageOutcome => ({
        language_id,
        ...(media.has_audio ? outcomeOf(unavailable(kind)) : skipped),
      }),
    );
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
      [
        ...new Set([
          ...(template?.translation_language_ids ?? []),
          ...(template?.voice_over_language_ids ?? []),
        ]),
      ],
      'translation',
    ),
    voice_overs: languages(template?.voice_over_language_ids, 'voice_over'),
  };
}

const outcomeOf = (error: JobFailure | null): Outcome =>
  error === null ? { status: 'running', error: null } : { status: 'unavailable', error };

/** The items of the job for these outcomes. */
export function itemsOf({ analyses, translations, voice_overs }: Outcomes): JobItem<'ingest'>[] {
  const named = (['transcription', 'ocr', 'word_lists'] as const).flatMap((kind) => {
    const outcome = analyses[kind];
    return outcome === undefined || outcome.status === 'skipped' ? [] : [itemOf({ kind }, outcome)];
  });
  const asked = (outcome: LanguageOutcome) => outcome.status !== 'skipped';
  return [
    ...named,
    ...translations
      .filter(asked)
      .map((outcome) => itemOf({ kind: 'translation', language_id: outcome.language_id }, outcome)),
    ...voice_overs
      .filter(asked)
      .map((outcome) => itemOf({ kind: 'voice_over', language_id: outcome.language_id }, outcome)),
  ];
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

/** Analyses of the picture. If the picture branch fails, each of them fails with its error. */
export const pictureAnalyses = [
  'camera_shoots',
  'faces',
  'ocr',
  'autocenter',
] as const satisfies AnalysisKind[];

/** How an ingest ended, by the reports of its steps. */
export interface IngestEnd {
  /** Of the job; null if it succeeded. */
  readonly error: JobFailure | null;
  readonly done?: AnalysisOutcomes;
  /** By language id. */
  readonly translated?: ReadonlyMap<string, Outcome>;
  readonly spoken?: ReadonlyMap<string, Outcome>;
}

export const failAll = (kinds: readonly AnalysisKind[], error: JobFailure): AnalysisOutcomes =>
  Object.fromEntries(kinds.map((kind) => [kind, { status: 'failed', error }]));

/**
 * The outcomes at the end of an ingest. Work that is still running fails with the error of the job. Without an
 * error, no step of this version does the work, so it is unavailable.
 */
export function finalOutcomes({ analyses, translations, voice_overs }: Outcomes, end: IngestEnd): Outcomes {
  const { error, done = {}, translated, spoken } = end;
  const undone: Outcome =
    error === null ? { status: 'unavailable', error: noStep } : { status: 'failed', error };
  // A failed transcription is why nothing was translated.
  const { transcription } = analyses;
  const untranslated: Outcome =
    error === null && transcription?.error ? { status: 'failed', error: transcription.error } : undone;
  const endOf = <Some extends Outcome>(outcome: Some, ended: Outcome): Some =>
    outcome.status === 'running' ? { ...outcome, ...ended } : outcome;
  const endedTranslations = translations.map((outcome) =>
    endOf(outcome, translated?.get(outcome.language_id) ?? untranslated),
  );
  // A failed translation is why the voice over failed.
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

/** Fields of an asset whose ingest was canceled. Its results are still to be removed. */
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

const noStep = unavailableFailure('Ingests do not do this yet. It is planned.');
