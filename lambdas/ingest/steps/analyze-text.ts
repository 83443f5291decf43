/** Finds out what is said and written in the media is about, and lists the asset under it. */
import { jobFailure } from '../../../platform/jobs/job-failure.ts';
import { whenDeleted } from '../../../platform/kernel/step.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { availability } from '../../../platform/runtime/engines.ts';
import { textAnalysis } from '../../../platform/runtime/text-analysis.ts';
import type { JobFailure, Outcome } from '../../../platform/shared/assets.ts';
import { namedId } from '../../../platform/shared/derived-ids.ts';
import { languageByCode, languageById } from '../../../platform/shared/languages.ts';
import { listAnalysed } from '../../analyses/actions/listing.ts';
import { AnalysisResults } from '../../analyses/records/results.ts';
import { metadataOf, passagesOf, type Texts } from '../../analyses/rules/metadata.ts';
import { type IngestInput, ingestServices, ingestStep } from '../actions/ingest.ts';
import { type AnalysisEnds, ready, skipped, unavailableFailure } from '../rules/outcomes.ts';

export const handler = ingestStep<IngestInput, { analyses: AnalysisEnds }>(
  'AnalyzeText',
  async ({ asset_id, job_id }, { tenant, now, signal, job }) => {
    const { assets, objects, transcriptions } = ingestServices(tenant);
    const asset = await assets.get(asset_id).catch(whenDeleted);
    if (asset.analyses.metadata?.status !== 'running') return { analyses: {} };
    const results = new AnalysisResults(coreTable(tenant), objects, tenant);
    const made = await transcriptions.list(asset_id);
    const spoken = made.find(({ transcription_id }) => transcription_id === job.own.transcription_id);
    const [segments, texts, shots] = await Promise.all([
      spoken === undefined ? [] : transcriptions.segments(spoken),
      results.list(asset_id, 'texts'),
      results.list(asset_id, 'camera_shoots'),
    ]);
    const given: Texts = { segments, texts };
    const passages = passagesOf(given);
    if (passages.length === 0) return ended(skipped);
    const heard = segments.length > 0 ? languageById(spoken!.language_id) : undefined;
    const known = heard ?? languageByCode((await (await textAnalysis()).languageOf(passages, signal)) ?? '');
    if (known === undefined) return ended(unclear);
    const { code: language, language_id } = known;
    const found = availability('text_analysis', { language });
    const findings =
      found.status === 'available'
        ? await (await textAnalysis()).analyze(passages, { language, signal })
        : null;
    const duration_ms = asset.duration_ms ?? Math.max(...segments.map(({ end_ms }) => end_ms), 0);
    const cuts = shots.map(({ start_ms }) => start_ms);
    const metadata = metadataOf(given, { language, duration_ms, cuts }, findings);
    const metadata_id = namedId(new Date(job.created_at), `${job_id}#${language_id}`);
    // What an ingest of the same asset that failed had written is of other media.
    await results.removeMetadata(asset_id, metadata_id);
    if (findings !== null || texts.length > 0) {
      const at = now().toISOString();
      const dates = { version: 1, created_at: at, updated_at: at };
      const head = { metadata_id, asset_id, language_id, ...metadata.head, ...dates };
      await results.addMetadata(head, metadata.details).catch(whenDeleted);
    }
    if (found.status === 'unavailable') return ended(unavailable(unavailableFailure(found.reason)));
    await listAnalysed(asset_id, metadata, now(), assets).catch(whenDeleted);
    return ended(ready);
  },
);

const ended = (metadata: Outcome) => ({ analyses: { metadata } });

const unavailable = (error: JobFailure): Outcome => ({ status: 'unavailable', error });

const unclear = unavailable(
  jobFailure(
    'language_uncertain',
    'Nothing is said, and of what is written in the picture it is not clear which language it is.',
  ),
);
