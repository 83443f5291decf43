import { text_analysis as engines } from '../../../engines/registry.ts';
import { jobFailure } from '../../../platform/jobs/job-failure.ts';
import type { AssetJobInput } from '../../../platform/kernel/job-step.ts';
import { whenDeleted } from '../../../platform/kernel/step.ts';
import { availability, doneBy, engineFor } from '../../../platform/runtime/engines.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import type { JobFailure, Outcome } from '../../../shared/assets.ts';
import { defined } from '../../../shared/checked-access.ts';
import { namedId } from '../../../shared/derived-ids.ts';
import { languageByCode, languageById } from '../../../shared/languages.ts';
import { firstVersion } from '../../../shared/versions.ts';
import { indexAsset } from '../../analyses/actions/index-asset.ts';
import {
  type MadeMetadata,
  metadataOf,
  onlyTexts,
  passagesOf,
  type Texts,
} from '../../analyses/rules/metadata.ts';
import { ingestStep } from '../actions/ingest-step.ts';
import { type AnalysisOutcomes, ready, skipped } from '../rules/outcomes.ts';

export const settings = defineStep<AssetJobInput>({
  name: 'AnalyzeText',
  description: 'Finds topics and names in the speech and texts of the media, and lists the asset under them',
  memory: 1769,
  timeout: 900,
  permissions: {
    tables: { Core: ['check', 'delete', 'get', 'put', 'query', 'update'] },
    media: ['Read', 'Write'],
    engines: { text_analysis: ['analyze', 'languageOf'] },
  },
  event: sampleJob,
});

export const handler = ingestStep<AssetJobInput, { analyses: AnalysisOutcomes }>(
  settings,
  async ({ asset_id, job_id }, { assets, transcriptions, results, usage, now, signal, job }) => {
    const asset = await assets.get(asset_id).catch(whenDeleted);
    const made = await transcriptions.list(asset_id);
    const spoken = made.find(({ transcription_id }) => transcription_id === job.own.transcription_id);
    const [segments, texts, shots] = await Promise.all([
      spoken === undefined ? [] : transcriptions.segments(spoken),
      results.list(asset_id, 'texts'),
      results.list(asset_id, 'camera_shoots'),
    ]);
    const given: Texts = { segments, texts };
    const heard = segments.length > 0 ? languageById(defined(spoken).language_id) : undefined;
    const said = heard ?? (asset.language_id === null ? undefined : languageById(asset.language_id));
    const keep = async (id: string, language_id: string | null, { head, details }: MadeMetadata) => {
      const first = firstVersion(now());
      await results.addMetadata({ metadata_id: id, asset_id, language_id, ...head, ...first }, details);
    };
    const idOf = (name: string) => namedId(new Date(job.created_at), `${job_id}#${name}`);
    // Removes results of an earlier ingest that failed, because they belong to other media.
    await results.removeMetadata(asset_id, idOf('texts'));
    // Stores the texts of the picture first, so that callers can read them even if the analysis fails.
    if (texts.length > 0)
      await keep(idOf('texts'), said?.language_id ?? null, onlyTexts(texts)).catch(whenDeleted);
    if (asset.analyses.metadata?.status !== 'running') return { analyses: {} };
    const passages = passagesOf(given);
    if (passages.length === 0) return ended(skipped);
    const engine = async () => engineFor('text_analysis', engines, {});
    const known = said ?? languageByCode((await (await engine()).languageOf(passages, signal)) ?? '');
    if (known === undefined) return ended(unclear);
    const { code: language, language_id } = known;
    const found = availability('text_analysis', { language });
    if (found.status === 'unavailable')
      return ended(unavailable(jobFailure('engine_unavailable', found.reason)));
    const findings = await (await engine()).analyze(passages, { language, signal });
    await usage.record({
      use_id: `${job_id}#text`,
      meter: 'analyzed_characters',
      quantity: passages.reduce((sum, passage) => sum + passage.length, 0),
      at: job.created_at,
      job_id,
      by: doneBy('text_analysis'),
    });
    const duration_ms = asset.duration_ms ?? Math.max(...segments.map(({ end_ms }) => end_ms), 0);
    const cuts = shots.map(({ start_ms }) => start_ms);
    const metadata = metadataOf(given, { language, duration_ms, cuts }, findings);
    await keep(idOf(language_id), language_id, metadata).catch(whenDeleted);
    await results.removeMetadata(asset_id, idOf(language_id));
    await indexAsset(asset_id, metadata, now(), assets).catch(whenDeleted);
    return ended(ready);
  },
);

const ended = (metadata: Outcome) => ({ analyses: { metadata } });

const unavailable = (error: JobFailure): Outcome => ({ status: 'unavailable', error });

const unclear = unavailable(
  jobFailure(
    'language_uncertain',
    'Nothing is said, and of what is written in the picture it is not clear which language it is: the metadata have its texts ' +
      'alone. Create the asset again with its language_id.',
  ),
);
