/** Prepares operations whose requests need more than existing resources. */
import { uuidv7 } from 'uuidv7';
import type { Operation } from '../../../contract/kit/operation.ts';
import { getWaveform, listAutocenter, listCameraShoots } from '../../../contract/resources/analyses.ts';
import { AnalysisResults } from '../../../lambdas/analyses/records/analysis-results.ts';
import type { AnalysisLists } from '../../../lambdas/analyses/rules/analysis-types.ts';
import { logged } from '../../../platform/outbox/event-log.ts';
import { SETTLING_MS, testEvent } from '../../../platform/outbox/events.ts';
import { type Belongings, filled, roomForWebhooks } from '../belongings.ts';
import { newJobId } from '../ids.ts';
import { segment } from '../references.ts';
import { sentTo } from '../uploads.ts';

interface Change {
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Prepares the operation, and returns the changes to the request of the contract's example. */
type Prepare = (own: Belongings, example: unknown) => Promise<Change>;

const overlay = '/v1/branding_overlays/{overlay_id}';
const brandingClip = '/v1/branding_clips/{clip_id}';
const collected = '/v1/collections/{collection_id}/assets';
const transcription = '/v1/assets/{asset_id}/transcriptions/{transcription_id}';

/** After the first success, the example's external id belongs to another asset. */
const otherExternalId: Prepare = async (_, example) => ({
  body: { ...(example as object), external_id: uuidv7() },
});

/** The word of the contract's example is in the text. */
const analysed =
  <Name extends keyof AnalysisLists>(name: Name, { responses }: Operation): Prepare =>
  async (own) => {
    const { data } = responses[200]!.example as { data: AnalysisLists[Name][] };
    const { table, objects, id } = own.tenant;
    const results = new AnalysisResults(table, objects, id);
    await results.writeList(await own.asset(), name, newJobId(), data);
    return {};
  };

const resultsOf = ({ tenant: { table, objects, id } }: Belongings) => new AnalysisResults(table, objects, id);

/** The key of a picture of the asset. No test reads the picture. */
const pictureOf = async (own: Belongings) => `t/${own.tenant.id}/assets/${await own.asset()}/picture.jpg`;

/** Adds speech to the asset. */
const transcribed: Prepare = async (own) => {
  await own.id(transcription);
  return {};
};

/** The log shows events after some seconds. */
const happened: Prepare = async ({ tenant }) => {
  const event = testEvent(new Date(Date.now() - 2 * SETTLING_MS), uuidv7());
  await tenant.table.transact([logged(tenant.id, event)]);
  return {};
};

export const prepared: Readonly<Record<string, Prepare>> = {
  createAsset: otherExternalId,
  createChannelAsset: otherExternalId,
  listCameraShoots: analysed('camera_shoots', listCameraShoots),
  listAutocenter: analysed('autocenter', listAutocenter),
  getWaveform: async (own) => {
    const { table, objects, id } = own.tenant;
    const { example } = getWaveform.responses[200];
    await new AnalysisResults(table, objects, id).writeWaveform(await own.asset(), newJobId(), example);
    return {};
  },
  getStoryboard: async (own) => {
    const [key, width, height] = [await pictureOf(own), 160, 90];
    const tile = { ...{ start_ms: 0, end_ms: 1000, x: 0, y: 0 }, key, width, height };
    await resultsOf(own).writeList(await own.asset(), 'storyboard', newJobId(), [tile]);
    return {};
  },
  getPoster: async (own) => {
    const poster = { key: await pictureOf(own), at_ms: 0, width: 1280, height: 720 };
    await resultsOf(own).writeList(await own.asset(), 'posters', newJobId(), [poster]);
    return {};
  },
  createTranslationJob: transcribed,
  createVoiceOverJob: transcribed,
  // Without this, nothing changes.
  restoreTranscription: async (own) => {
    const path = filled(transcription, await own.params(transcription));
    await own.tenant.call('PATCH', `${path}/segments/${await own.id(segment)}`, { text: 'hello to you' });
    return {};
  },
  // Uploads end before an asset is ready, and the other assets are ready.
  startUpload: async (own) => ({ params: { asset_id: await newAsset(own) } }),
  finishUpload: async (own) => {
    const asset_id = await newAsset(own);
    return { params: { asset_id }, body: await sentTo(own.tenant, `/v1/assets/${asset_id}`) };
  },
  finishBrandingOverlayUpload: async (own) => ({
    body: await sentTo(own.tenant, filled(overlay, await own.params(overlay))),
  }),
  finishBrandingClipUpload: async (own) => ({
    body: await sentTo(own.tenant, filled(brandingClip, await own.params(brandingClip))),
  }),
  createWebhook: async ({ tenant }) => {
    await roomForWebhooks(tenant);
    return {};
  },
  listWebhookDeliveries: async (own) => {
    await own.tenant.call('POST', `/v1/webhooks/${await own.id('/v1/webhooks/{webhook_id}')}/test`);
    return {};
  },
  listEvents: happened,
  // Otherwise the branding has no variant to remove.
  removeCollectionAssets: async (own) => {
    const body = { asset_ids: [await own.id('/v1/assets/{asset_id}')] };
    await own.tenant.call('POST', filled(collected, await own.params(collected)), body);
    return { body };
  },
};

async function newAsset({ tenant }: Belongings): Promise<string> {
  return (await tenant.call('POST', '/v1/assets', { filename: 'a.mp4' })).json.asset_id;
}
