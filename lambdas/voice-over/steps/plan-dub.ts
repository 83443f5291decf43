import { requireReserved } from '../../../platform/admission/demand.ts';
import { whenDeleted } from '../../../platform/kernel/step.ts';
import { defineStep, sampleLanguage } from '../../../platform/steps/define-step.ts';
import { findTemplate } from '../../settings/records/template-options.ts';
import { estimateVoiceOver } from '../actions/estimate-voice-over.ts';
import { planDub } from '../actions/plan-dub.ts';
import { type DubInput, voiceOverStep } from '../actions/voice-over-step.ts';
import { type Group, groupsOf } from '../rules/progress-parts.ts';
import { configOf } from '../rules/voice-over-job.ts';

interface Planned {
  readonly groups: readonly Group[];
  readonly mux: boolean;
}

export const settings = defineStep<DubInput>({
  name: 'PlanDub',
  description:
    'Plans the speech of a language: its texts, its voices, and the groups of segments that run in parallel',
  memory: 1769,
  timeout: 300,
  permissions: {
    tables: { Core: ['get', 'query'] },
    media: ['Read', 'Write'],
    engines: { voice_cloning: ['clone'] },
  },
  event: sampleLanguage,
});

export const handler = voiceOverStep<DubInput, Planned>(settings, async (input, context) => {
  const { assets, files, job } = context;
  const asset = await assets.get(input.asset_id).catch(whenDeleted);
  // An ingest has no settings of its own and uses those of its template.
  const own = input.kind === 'voice_over' ? job.own : null;
  const config = own?.config ?? configOf(await findTemplate(asset.template_id, context));
  const held = own?.held?.[input.language_id];
  if (held !== undefined) {
    const { quantity } = await estimateVoiceOver(input.asset_id, [input.language_id], config, context);
    requireReserved(quantity, held, 'text');
  }
  const plan = await planDub(asset, input, config, context);
  await files.writePlan(input, plan);
  return { groups: groupsOf(plan.pieces.length), mux: own?.mux ?? false };
});
