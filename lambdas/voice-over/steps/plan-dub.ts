/** Plans the speech of a language: its texts, its voices, and the groups of segments that run in parallel. */

import { requireReserved } from '../../../platform/admission/demand.ts';
import { whenDeleted } from '../../../platform/kernel/step.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { Assets } from '../../assets/records/assets.ts';
import { Transcriptions } from '../../transcripts/lineage/records/transcriptions.ts';
import { estimateVoiceOver } from '../actions/estimate-voice-over.ts';
import { planDub } from '../actions/plan-dub.ts';
import { templateOf } from '../actions/requirements.ts';
import { type DubInput, dubFiles, voiceOverStep } from '../actions/voice-over-step.ts';
import { audioTracksOf } from '../records/audio-tracks.ts';
import { type Group, groupsOf } from '../rules/progress-parts.ts';
import { configOf } from '../rules/voice-over-job.ts';

interface Planned {
  readonly groups: readonly Group[];
  /** Whether a video is made with the track. */
  readonly mux: boolean;
}

export const settings = defineStep<DubInput>({
  name: 'PlanDub',
  description: 'Plans the speech of a language: texts, voices and groups of segments',
  memory: 1769,
  timeout: 300,
  permissions: {
    tables: { Core: ['get', 'query'] },
    media: ['Read', 'Write'],
    engines: { voice_cloning: ['clone'] },
  },
  event: {
    ...sampleJob,
    kind: 'voice_over',
    index: 0,
    languages: 1,
    language_id: '1b9c6d27-9a4f-5e0b-8a64-0c5d2f1e7a90',
  },
});

export const handler = voiceOverStep<DubInput, Planned>(settings, async (input, { tenant, job, signal }) => {
  const table = coreTable(tenant);
  const objects = mediaObjects(tenant);
  const asset = await new Assets(table, tenant).get(input.asset_id).catch(whenDeleted);
  // An ingest has no settings of its own and uses those of its template.
  const own = input.kind === 'voice_over' ? job.own : null;
  const config = own?.config ?? configOf((await templateOf(asset, table, tenant)).voice_over_config);
  const transcriptions = new Transcriptions(table, objects, tenant);
  const held = own?.held?.[input.language_id];
  if (held !== undefined) {
    const services = { transcriptions, tracks: audioTracksOf(table, tenant) };
    const { quantity } = await estimateVoiceOver(input.asset_id, [input.language_id], config, services);
    requireReserved(quantity, held, 'text');
  }
  const files = dubFiles(tenant);
  const services = { tenant, objects, transcriptions, files, signal };
  const plan = await planDub(asset, input, config, services);
  await files.writePlan(input, plan);
  return { groups: groupsOf(plan.pieces.length), mux: own?.mux ?? false };
});
