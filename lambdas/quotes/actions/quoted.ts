/** The lines of a quote, by the kind of the job. */
import type { Static } from 'typebox';
import { MOST_CLIPS } from '../../../contract/kit/job-kinds.ts';
import type * as contract from '../../../contract/resources/quotes.ts';
import { sumOfHeld } from '../../../platform/admission/quota-reservations.ts';
import { doneBy } from '../../../platform/runtime/engines.ts';
import type { TenantTable } from '../../../platform/table/tenant-table.ts';
import type { StoredAsset } from '../../../shared/assets.ts';
import { InvalidState } from '../../../shared/problems.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { requireReady } from '../../assets/rules/require-ready.ts';
import { millisecondsToRender } from '../../clips/actions/takings.ts';
import type { Clips } from '../../clips/records/clips.ts';
import { whyUnavailable } from '../../ingest/actions/engine-availability.ts';
import { plannedOutcomes, type TemplateOptions } from '../../ingest/rules/outcomes.ts';
import { usesOf } from '../../ingest/rules/uses.ts';
import type { Transcriptions } from '../../transcripts/lineage/records/transcriptions.ts';
import { charactersFor } from '../../translation/actions/characters.ts';
import { requireReachable, requireTranscribed } from '../../translation/actions/requirements.ts';
import { charactersToSpeak, type Tracks } from '../../voice-over/actions/characters.ts';
import {
  requireMixable,
  requireSpeakable,
  requireTranslations,
  templateOf,
  whyUncloned,
} from '../../voice-over/actions/requirements.ts';
import { configOf } from '../../voice-over/rules/voice-over-job.ts';
import { lineOf, type QuoteLine, together } from '../rules/lines.ts';
import { durationIn, idsIn, languagesIn, ofParameter, wrong } from '../rules/parameters.ts';

export type Query = Static<NonNullable<typeof contract.getQuote.query>>;

export interface QuoteServices {
  readonly table: TenantTable;
  readonly tenant: TenantId;
  readonly transcriptions: Transcriptions;
  readonly tracks: Tracks;
  readonly clips: Pick<Clips, 'getMany'>;
  readonly templates: { readonly find: (id: string | null) => Promise<TemplateOptions | null> };
}

/** Who has not asked for it is told who does. */
const ofTemplate = (asked: boolean | undefined, refusal: string): string =>
  asked === undefined ? `The asset's template asks for it; false quotes without. ${refusal}` : refusal;

/** What refuses languages of a body, said of the parameter. */
function ofLanguages(require: () => void): void {
  try {
    require();
  } catch (error) {
    ofParameter('languages')(error);
  }
}

type Lines = (asset: StoredAsset, query: Query, services: QuoteServices) => Promise<QuoteLine[]>;

export const quoted: Readonly<Record<contract.QuotedJob, Lines>> = {
  async ingest(asset, { duration_ms, has_video }, { templates }) {
    if (asset.status === 'deleting') throw new InvalidState('The asset is deleting, not ready.');
    const length = durationIn(duration_ms, asset.duration_ms);
    const isKnown = asset.duration_ms !== null;
    const media = {
      has_audio: !isKnown || asset.audio_channels !== null,
      has_video: isKnown ? asset.width !== null : has_video,
    };
    const mc_model = media.has_video ? asset.mc_model : 'normal';
    const template = await templates.find(asset.template_id);
    const planned = plannedOutcomes(media, template, whyUnavailable);
    const uses = usesOf(planned, { duration_ms: length, mc_model }, template);
    const lines = uses.map((use) =>
      // The sound of a video may be shorter than its picture, and is what is transcribed.
      lineOf({ ...use, is_estimate: use.is_estimate || media.has_video }, doneBy(use.capability)),
    );
    return together(lines);
  },

  async translation(asset, { languages: list }, services) {
    const { asset_id } = requireReady(asset);
    const language_ids = languagesIn(list, 'translation');
    const source = await requireTranscribed(asset_id, services);
    ofLanguages(() => requireReachable(language_ids, source));
    const asked = { language_ids, segment_ids: null };
    const quantity = sumOfHeld(await charactersFor(source, asked, services));
    const use = { meter: 'translated_characters', quantity, is_estimate: false } as const;
    return [lineOf(use, doneBy('translation'))];
  },

  async voice_over(asset, { languages: list, clone_voice }, services) {
    const { asset_id } = requireReady(asset);
    requireMixable(asset);
    const language_ids = languagesIn(list, 'voice_over');
    const template = await templateOf(asset, services.table, services.tenant);
    const heard = await requireTranscribed(asset_id, services);
    const config = configOf(template.voice_over_config, clone_voice === undefined ? {} : { clone_voice });
    const uncloned = whyUncloned(config);
    if (uncloned !== null)
      throw wrong('clone_voice', 'engine_unavailable', ofTemplate(clone_voice, uncloned));
    ofLanguages(() => requireSpeakable(language_ids, heard, config));
    requireTranslations(asset_id, language_ids, await services.transcriptions.list(asset_id));
    const characters = await charactersToSpeak(asset_id, language_ids, config, services);
    const quantity = sumOfHeld(characters);
    // A segment that does not fit into its time is spoken again, faster.
    const use = { meter: 'spoken_characters', quantity, is_estimate: true } as const;
    return [lineOf(use, doneBy(config.clone_voice ? 'voice_cloning' : 'speech'))];
  },

  async clips(asset, { clips: list }, { clips, ...services }) {
    const ids = idsIn('clips', list, 'clips', MOST_CLIPS);
    const { asset_id } = requireReady(asset);
    const asked = await clips.getMany(asset_id, ids, '/video_ids').catch(ofParameter('clips'));
    const quantity = sumOfHeld(await millisecondsToRender(asked, asset, services));
    // Chunks that are as they were are not rendered again.
    return [lineOf({ meter: 'rendered_ms', quantity, is_estimate: true }, null)];
  },
};
