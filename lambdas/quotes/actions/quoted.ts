/** Estimates the demands of a job, by its kind. The job reserves the same demands. */
import type { Static } from 'typebox';
import { MOST_CLIPS, type QuotedJob } from '../../../contract/kit/job-kinds.ts';
import type * as contract from '../../../contract/resources/quotes.ts';
import type { Demand } from '../../../platform/admission/demand.ts';
import type { StoredAsset } from '../../../shared/assets.ts';
import { InvalidState } from '../../../shared/problems.ts';
import { requireReady } from '../../assets/rules/require-ready.ts';
import { estimateRendering } from '../../clips/actions/estimate-rendering.ts';
import type { Clips } from '../../clips/records/clips.ts';
import { ingestDemands, whyUnavailable } from '../../ingest/actions/ingest-demands.ts';
import { plannedOutcomes } from '../../ingest/rules/outcomes.ts';
import { usesOf } from '../../ingest/rules/uses.ts';
import { findTemplate } from '../../settings/records/template-options.ts';
import { estimateTranslation } from '../../translation/actions/estimate-translation.ts';
import { requireReachable, requireTranscribed } from '../../translation/actions/requirements.ts';
import { estimateVoiceOver } from '../../voice-over/actions/estimate-voice-over.ts';
import {
  requireMixable,
  requireSpeakable,
  requireTranslations,
  whyUncloned,
} from '../../voice-over/actions/requirements.ts';
import type { DubServices } from '../../voice-over/actions/voice-over-step.ts';
import { configOf } from '../../voice-over/rules/voice-over-job.ts';
import { durationIn, idsIn, languagesIn, ofParameter, wrong } from '../rules/parameters.ts';

export type Query = Static<NonNullable<typeof contract.getQuote.query>>;

type QuoteServices = DubServices & { readonly clips: Pick<Clips, 'getMany'> };

/** The detail of a refused voice clone. If only the template requests the clone, the detail says so. */
const ofTemplate = (asked: boolean | undefined, refusal: string): string =>
  asked === undefined
    ? `The asset's template requests it; with false, the quote leaves it out. ${refusal}`
    : refusal;

/** Runs a check of languages. In its problems, the query parameter replaces the member of the body. */
function ofLanguages(require: () => void): void {
  try {
    require();
  } catch (error) {
    ofParameter('languages')(error);
  }
}

type Demands = (asset: StoredAsset, query: Query, services: QuoteServices) => Promise<Demand[]>;

export const quotedDemands: Readonly<Record<QuotedJob, Demands>> = {
  async ingest(asset, { duration_ms, has_video }, services) {
    if (asset.status === 'deleting') throw new InvalidState('The asset is deleting, not ready.');
    const length = durationIn(duration_ms, asset.duration_ms);
    const isKnown = asset.duration_ms !== null;
    const media = {
      has_audio: !isKnown || asset.audio_channels !== null,
      has_video: isKnown ? asset.width !== null : has_video,
    };
    const mc_model = media.has_video ? asset.mc_model : 'normal';
    const template = await findTemplate(asset.template_id, services);
    const planned = plannedOutcomes(media, template, whyUnavailable);
    const uses = usesOf(planned, { duration_ms: length, mc_model }, template);
    // All uses of a video are estimates: only its sound is transcribed, which may be shorter than the picture.
    const isEstimate = (use: Demand) => use.is_estimate || media.has_video;
    return ingestDemands(uses).map((use) => ({ ...use, is_estimate: isEstimate(use) }));
  },

  async translation(asset, { languages: list }, services) {
    const { asset_id } = requireReady(asset);
    const language_ids = languagesIn(list, 'translation');
    const source = await requireTranscribed(asset_id, services);
    ofLanguages(() => requireReachable(language_ids, source));
    return [await estimateTranslation(source, { language_ids, segment_ids: null }, services)];
  },

  async voice_over(asset, { languages: list, clone_voice }, services) {
    const { asset_id } = requireReady(asset);
    requireMixable(asset);
    const language_ids = languagesIn(list, 'voice_over');
    const template = await findTemplate(asset.template_id, services);
    const heard = await requireTranscribed(asset_id, services);
    const config = configOf(template, clone_voice === undefined ? {} : { clone_voice });
    const uncloned = whyUncloned(config);
    if (uncloned !== null)
      throw wrong('clone_voice', 'engine_unavailable', ofTemplate(clone_voice, uncloned));
    ofLanguages(() => requireSpeakable(language_ids, heard, config));
    requireTranslations(asset_id, language_ids, await services.transcriptions.list(asset_id));
    return [await estimateVoiceOver(asset_id, language_ids, config, services)];
  },

  async clips(asset, { clips: list }, { clips, ...services }) {
    const ids = idsIn('clips', list, 'clips', MOST_CLIPS);
    const { asset_id } = requireReady(asset);
    const asked = await clips.getMany(asset_id, ids, '/video_ids').catch(ofParameter('clips'));
    return [await estimateRendering(asked, asset, services)];
  },
};
