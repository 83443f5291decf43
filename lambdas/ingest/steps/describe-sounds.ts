import type { AssetJobInput } from '../../../platform/kernel/job-step.ts';
import { whenDeleted } from '../../../platform/kernel/step.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { namedId } from '../../../shared/derived-ids.ts';
import { languageById } from '../../../shared/languages.ts';
import { firstVersion } from '../../../shared/versions.ts';
import { soundDescriptionsOf } from '../../sound-descriptions/records.ts';
import { selectDescribedSounds, soundWord } from '../../sound-descriptions/rules/sound-words.ts';
import { soundOf } from '../actions/ingest-objects.ts';
import { ingestStep } from '../actions/ingest-step.ts';
import { type AnalysisOutcomes, ready } from '../rules/outcomes.ts';

export const settings = defineStep<AssetJobInput>({
  name: 'DescribeSounds',
  description: 'Makes sound descriptions of detected sounds, in the language of the asset',
  memory: 512,
  timeout: 60,
  permissions: { tables: { Core: ['check', 'delete', 'get', 'put', 'query', 'update'] }, media: ['Read'] },
  event: sampleJob,
});

export const handler = ingestStep<AssetJobInput, { analyses: AnalysisOutcomes }>(
  settings,
  async (input, { table, tenant, objects, assets, now }) => {
    const { asset_id } = input;
    const asset = await assets.get(asset_id).catch(whenDeleted);
    const { events } = await soundOf(input, { tenant, objects });
    // No engine of this environment finds sounds. The outcome on the asset is already `unavailable`.
    if (events === undefined) return { analyses: {} };
    const language = languageById(asset.language_id ?? '')?.code;
    const first = firstVersion(now());
    const found = selectDescribedSounds(events).map(({ start_ms, end_ms, kind, confidence }) => ({
      // Derives the id from the sound, so that a repeat of the step gives the same id.
      description_id: namedId(new Date(asset.created_at), `${asset_id}#${kind}#${start_ms}#${end_ms}`),
      asset_id,
      start_ms,
      end_ms,
      text: soundWord(kind, language),
      kind,
      confidence,
      ...first,
    }));
    await soundDescriptionsOf(table, tenant).replace(asset_id, found).catch(whenDeleted);
    return { analyses: { sound_descriptions: ready } };
  },
);
