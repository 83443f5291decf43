/**
 * What an ingest was asked for, and what becomes of it. Analyses that nobody asks for by name are told on the asset
 * alone; the transcription, and what a template asks for, are items of the job as well.
 */
import type { AnalysisKind } from '../../../contract/kit/analysis-kinds.ts';
import { jobErrors } from '../../../contract/kit/errors.ts';
import type { Asset, JobFailure, LanguageOutcome, Outcome } from '../../../shared/assets.ts';
import type { JobId } from '../../../shared/ids.ts';
import { canceledFailure, type JobItem } from '../../../shared/jobs.ts';

/** What of a template an ingest heeds. */
export interface TemplateOptions {
  readonly enabled_ocr?: boolean | null;
  readonly blacklist_ids?: readonly string[] | null;
  readonly whitelist_ids?: readonly string[] | null;
  readonly domain_dictionary_ids?: readonly string[] | null;
  readonly translation_language_ids?: readonly string[] | null;
  readonly voice_over_language_ids?: readonly string[] | null;
  readonly voice_over_config?: { readonly clone_voice?: boolean | undefined } | null;
}

/** What the media has. */
export interface MediaTracks {
  readonly has_audio: boolean;
  readonly has_video: boolean;
}

/** Those that engines do: probing the media alone lists its audio tracks. */
type EngineKind = Exclude<AnalysisKind, 'audio_tracks'>;

/** Why nothing here does that; null where something does. */
export type Unavailable = (kind: EngineKind | 'translation' | 'voice_over') => JobFailure | null;

export type Outcomes = Pick<Asset, 'analyses' | 'translations' | 'voice_overs'>;

/** Why something is not done here, as jobs and assets tell it. */
export function unavailableFailure(detail: string): JobFailure {
  const { title, retryable } = jobErrors.engine_unavailable;
  return { code: 'engine_unavailable', title, detail, retryable };
}

export const ready: Outcome = { status: 'ready', error: null };
export const skipped: Outcome = { status: 'skipped', error: null };

/** Analyses by what of the media they need. */
const needs: Readonly<Record<Exclude<EngineKind, 'ocr' | 'word_lists'>, (media: MediaTracks) => boolean>> = {
  transcription: ({ has_audio }) => has_audio,
  sound_descriptions: ({ has_audio }) => has_audio,
  camera_shoots: ({ has_video }) => has_video,
  faces: ({ has_video }) => has_video,
  autocenter: ({ has_video }) => has_video,
  metadata: () => true,
};

/** What is going to happen, said before it does. */
export function plannedOutcomes(
  media: MediaTracks,
  template: TemplateOptions | null,
  unavailable: Unavailable,
): Outcomes {
  const begun = (kind: EngineKind, isWanted: boolean): Outcome =>
    isWanted ? outcomeOf(unavailable(kind)) : skipped;
  const standard = Object.entries(needs).map(([kind, isThere]) => [
    kind,
    begun(kind as keyof typeof needs, isThere(media)),
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
      // They were listed by what found out that there are any.
      audio_tracks: media.has_audio ? ready : skipped,
      ocr: begun('ocr', Boolean(template?.enabled_ocr) && media.has_video),
      word_lists: begun('word_lists', media.has_audio && lists.some((ids) => (ids ?? []).length > 0)),
    },
    // What is to be spoken has to be translated.
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

/** The items of the job that these outcomes are. */
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

/** How analyses ended that steps of the machine did, by their kinds. */
export type AnalysisOutcomes = Readonly<Partial<Record<AnalysisKind, Outcome>>>;

/** What is looked for in pictures: where that fails as a whole, each has failed with the same reason. */
export const pictureAnalyses = [
  'camera_shoots',
  'faces',
  'ocr',
  'autocenter',
] as const satisfies AnalysisKind[];

export const failAll = (kinds: readonly AnalysisKind[], error: JobFailure): AnalysisOutcomes =>
  Object.fromEntries(kinds.map((kind) => [kind, { status: 'failed', error }]));

/**
 * What was done is as it ended. What was begun and not done has failed with the error of the job; without one, no step of this
 * version does it, although an engine could: an engine alone makes nothing ready.
 */
export function endedOutcomes(
  { analyses, translations, voice_overs }: Outcomes,
  error: JobFailure | null,
  done: AnalysisOutcomes = {},
  translated: ReadonlyMap<string, Outcome> = new Map(),
  spoken: ReadonlyMap<string, Outcome> = new Map(),
): Outcomes {
  const undone: Outcome =
    error === null ? { status: 'unavailable', error: noStep } : { status: 'failed', error };
  // Where what is said was not found out, that is why nothing was translated.
  const { transcription } = analyses;
  const untranslated: Outcome =
    error === null && transcription?.error ? { status: 'failed', error: transcription.error } : undone;
  const endOf = <Some extends Outcome>(outcome: Some, ended: Outcome): Some =>
    outcome.status === 'running' ? { ...outcome, ...ended } : outcome;
  const endedTranslations = translations.map((outcome) =>
    endOf(outcome, translated.get(outcome.language_id) ?? untranslated),
  );
  // What could not be translated could not be spoken, for the same reason.
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
      endOf(outcome, spoken.get(outcome.language_id) ?? unspoken(outcome.language_id)),
    ),
  };
}

/** How an asset ends whose ingest is canceled; what that had made is still to be removed. */
export const canceledFields = (asset: Outcomes, jobId: JobId) =>
  ({
    status: 'failed',
    stage: null,
    estimated_ready_at: null,
    error: canceledFailure,
    upload_id: null,
    clearing_job_id: jobId,
    ...endedOutcomes(asset, canceledFailure),
  }) as const;

const noStep = unavailableFailure('No step of an ingest does this yet: it is planned.');
