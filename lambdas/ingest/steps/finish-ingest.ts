import type { AnalysisKind } from '../../../contract/kit/analysis-kinds.ts';
import { failureOfState, type StateError } from '../../../platform/jobs/job-failure.ts';
import type { AssetJobInput } from '../../../platform/kernel/job-step.ts';
import { Canceled, unlessCanceled, whenDeleted } from '../../../platform/kernel/step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import type { JobItem } from '../../../shared/jobs.ts';
import { failureOf, type LanguageEnd } from '../../translation/actions/translation-services.ts';
import { languageOutcome } from '../../translation/rules/language-outcomes.ts';
import { removeFailed } from '../../voice-over/actions/clone-voices.ts';
import { dubFailure, trackWrites } from '../../voice-over/actions/save-dubs.ts';
import { dubServices } from '../../voice-over/actions/voice-over-step.ts';
import { type DubEnd, isMade } from '../../voice-over/rules/dub-outcomes.ts';
import { ingestStep } from '../actions/ingest-step.ts';
import {
  type AnalysisOutcomes,
  failAll,
  finalOutcomes,
  itemsOf,
  pictureAnalyses,
  ready,
} from '../rules/outcomes.ts';

interface FinishInput extends AssetJobInput {
  readonly translations?: readonly LanguageEnd[];
  /** Outcomes of the voice overs that the template requests. */
  readonly dubs?: readonly DubEnd[];
  /** Outcome of the picture branch; null if the media has no pictures. */
  readonly pictures?: AnalysesEnd | null;
  /** Outcome of the sound descriptions. */
  readonly heard?: AnalysesEnd | null;
  readonly text?: AnalysesEnd | null;
}

/** Outcomes of the analyses, or `$states.errorOutput` of the step that failed. */
type AnalysesEnd = { readonly analyses: AnalysisOutcomes } | { readonly failure: StateError };

export const settings = defineStep<FinishInput>({
  name: 'FinishIngest',
  description: 'Marks the asset as ready and its job as succeeded',
  memory: 256,
  timeout: 60,
  permissions: {
    tables: { Core: ['check', 'delete', 'get', 'put', 'query', 'update'] },
    media: ['Read', 'Delete'],
    engines: { voice_cloning: ['discard'] },
  },
  publishes: true,
  event: sampleJob,
});

export const handler = ingestStep<FinishInput, object>(
  settings,
  async (input, context) => {
    const { tenant, table, assets, jobs, transcriptions, now, job } = context;
    const { asset_id, job_id } = input;
    const made = await transcriptions.list(asset_id);
    const spoken = made.find(({ transcription_id }) => transcription_id === job.own.transcription_id);
    const done = {
      ...(spoken !== undefined && { transcription: ready, word_lists: ready }),
      ...endsOf(input.pictures, pictureAnalyses),
      ...endsOf(input.heard, ['sound_descriptions']),
      ...endsOf(input.text, ['metadata']),
    };
    const ends = input.translations ?? [];
    const translated = new Map(
      ends.map((end) => [end.language_id, languageOutcome(end.language_id, failureOf(end))]),
    );
    for (const end of ends) {
      if (!('failure' in end)) await assets.addLanguage(asset_id, end.language_id, now()).catch(whenDeleted);
    }
    const dubs = input.dubs ?? [];
    const dubbed = new Map(
      dubs.map((end) => [end.language_id, languageOutcome(end.language_id, dubFailure(end))]),
    );
    const asset = await assets.get(asset_id).catch(whenDeleted);
    const outcomes = finalOutcomes(asset, { error: null, done, translated, spoken: dubbed });
    const items = itemsOf(outcomes).map((item) => ({ ...item, result: resultOf(item, spoken, ends, dubs) }));
    const transcription_ids = made.map(({ transcription_id }) => transcription_id);
    const end = { result: { transcription_ids }, items };
    const reached = { stage: null, progress: 1, estimated_ready_at: null } as const;
    const whole = { status: 'ready', ...reached, ...outcomes } as const;
    // One transaction ends the ingest, so that a canceled job leaves no ready asset, and a crash leaves no unmetered
    // work.
    const tracks = dubs.filter(isMade);
    const dubbing = dubServices(tenant, table);
    await assets.settle(input, whole, now(), async () => [
      ...unlessCanceled(await jobs.writesOfEnd(asset_id, job_id, now(), end)),
      ...(await trackWrites(job, tracks, now(), dubbing)),
    ]);
    for (const { language_id } of dubs.filter((one) => !isMade(one)))
      await removeFailed({ asset_id, job_id, language_id }, dubbing.files);
    // If the asset was deleted, only the job ends.
    if (!(await jobs.settle(asset_id, job_id, { now: now(), end }))) throw new Canceled();
    return {};
  },
  { tableOf: publishingTable },
);

/** @param kinds the analyses of the branch; if the branch failed, they all get its error */
function endsOf(end: AnalysesEnd | null | undefined, kinds: readonly AnalysisKind[]): AnalysisOutcomes {
  if (end === null || end === undefined) return {};
  if ('analyses' in end) return end.analyses;
  return failAll(kinds, failureOfState(end.failure));
}

/** The transcription or audio track of an item; null if it has none. */
function resultOf(
  { kind, language_id, status }: JobItem<'ingest'>,
  spoken: { readonly transcription_id: string } | undefined,
  ends: readonly LanguageEnd[],
  dubs: readonly DubEnd[],
): JobItem<'ingest'>['result'] {
  if (kind === 'transcription' && spoken) return { transcription_id: spoken.transcription_id };
  const dub = dubs.filter(isMade).find((end) => end.language_id === language_id);
  if (kind === 'voice_over' && dub) return { audio_track_id: dub.audio_track_id };
  const made = ends.find((end) => end.language_id === language_id);
  const isDone = kind === 'translation' && status === 'succeeded' && made && 'transcription_id' in made;
  return isDone ? { transcription_id: made.transcription_id } : null;
}
