/** Makes sound descriptions of detected sounds, in the language of the asset. */

import { whenDeleted } from '../../../platform/kernel/step.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { namedId } from '../../../shared/derived-ids.ts';
import { languageById } from '../../../shared/languages.ts';
import { soundDescriptionsOf } from '../../sound-descriptions/records.ts';
import { selectDescribedSounds, soundWord } from '../../sound-descriptions/rules/sound-words.ts';
import { type IngestInput, ingestServices, ingestStep, soundOf } from '../actions/ingest-services.ts';
import { type AnalysisOutcomes, ready } from '../rules/outcomes.ts';

export const settings = defineStep<IngestInput>({
  name: 'DescribeSounds',
  description: 'Makes sound descriptions of sounds other than speech',
  memory: 512,
  timeout: 60,
  permissions: { tables: { Core: ['check', 'delete', 'get', 'put', 'query', 'update'] }, media: ['Read'] },
  event: sampleJob,
});

export const handler = ingestStep<IngestInput, { analyses: AnalysisOutcomes }>(
  settings,
  async (input, { tenant, now }) => {
    const services = ingestServices(tenant);
    const { asset_id } = input;
    const asset = await services.assets.get(asset_id).catch(whenDeleted);
    const { events } = await soundOf(input, services);
    // This environment has no engine for sounds. The asset already says so.
    if (events === undefined) return { analyses: {} };
    const language = languageById(asset.language_id ?? '')?.code;
    const at = now().toISOString();
    const found = selectDescribedSounds(events).map(({ start_ms, end_ms, kind, confidence }) => ({
      // A sound keeps its id when the step is repeated.
      description_id: namedId(new Date(asset.created_at), `${asset_id}#${kind}#${start_ms}#${end_ms}`),
      asset_id,
      start_ms,
      end_ms,
      text: soundWord(kind, language),
      kind,
      confidence,
      version: 1,
      created_at: at,
      updated_at: at,
    }));
    await soundDescriptionsOf(coreTable(tenant), tenant).replace(asset_id, found).catch(whenDeleted);
    return { analyses: { sound_descriptions: ready } };
  },
);
