/** Translation, voice over and partial retranslation. */
import * as contract from '../../../contract/resources/jobs.ts';
import { Jobs } from '../../../platform/jobs/records.ts';
import { followed, ok } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import type { StoredAsset } from '../../../platform/shared/assets.ts';
import { jobView } from '../../../platform/shared/jobs.ts';
import { InvalidState, NotImplemented, UnknownReference } from '../../../platform/shared/problems.ts';
import type { TenantId } from '../../../platform/shared/tenant.ts';
import { configurationKey } from '../../../platform/store/keys.ts';
import { requireReferences } from '../../../platform/store/references.ts';
import { Assets } from '../../assets/records/assets.ts';
import { requireReady } from '../../assets/rules/ready.ts';
import { Transcriptions } from '../../transcripts/records/transcriptions.ts';

const services = (tenant: TenantId) => {
  const table = coreTable(tenant);
  return {
    table,
    tenant,
    assets: new Assets(table, tenant),
    transcriptions: new Transcriptions(table, mediaObjects(tenant), tenant),
    translations: new Jobs(table, tenant, 'translation'),
    voiceOvers: new Jobs(table, tenant, 'voice_over'),
    retranslations: new Jobs(table, tenant, 'partial_retranslation'),
  };
};

type Services = ReturnType<typeof services>;

export const handler = resource(contract, services, {
  createTranslationJob: async ({ params, body }, services) => {
    const asset = requireReady(await services.assets.get(params.asset_id));
    await requireLanguages(body.language_ids, services);
    await requireTranscribed(asset, services);
    throw new NotImplemented(contract.createTranslationJob);
  },

  getTranslationJob: async ({ params }, { translations }) =>
    followed(jobView(await translations.get(params.asset_id, params.job_id))),

  createVoiceOverJob: async ({ params, body }, services) => {
    const asset = requireReady(await services.assets.get(params.asset_id));
    await requireLanguages(body.language_ids ?? [], services);
    const languages = body.language_ids?.length
      ? body.language_ids
      : await templateLanguages(asset, services);
    if (languages.length === 0) {
      throw new InvalidState('The asset has no template with voice over languages: name them.');
    }
    await requireTranscribed(asset, services);
    throw new NotImplemented(contract.createVoiceOverJob);
  },

  listVoiceOverJobs: async ({ params }, { assets, voiceOvers }) => {
    await assets.get(params.asset_id);
    return ok({ data: (await voiceOvers.list(params.asset_id)).map(jobView) });
  },

  getVoiceOverJob: async ({ params }, { voiceOvers }) =>
    followed(jobView(await voiceOvers.get(params.asset_id, params.job_id))),

  createPartialRetranslationJob: async ({ params, body }, services) => {
    const asset = requireReady(await services.assets.get(params.asset_id));
    await requireLanguages(body.language_ids, services);
    await requireTranslated(asset, body.language_ids, services);
    await requireSegments(asset, body.segment_ids, services);
    throw new NotImplemented(contract.createPartialRetranslationJob);
  },

  getPartialRetranslationJob: async ({ params }, { retranslations }) =>
    followed(jobView(await retranslations.get(params.asset_id, params.job_id))),
});

function requireLanguages(ids: readonly string[], { table, tenant }: Services): Promise<void> {
  const references = ids.map((id, at) => ({
    pointer: `/language_ids/${at}`,
    type: 'languages',
    kind: 'language',
    id: id.toLowerCase(),
  }));
  return requireReferences(table, tenant, references);
}

async function templateLanguages(
  { template_id }: StoredAsset,
  { table, tenant }: Services,
): Promise<string[]> {
  if (template_id === null) return [];
  const key = configurationKey(tenant, 'templates', template_id);
  const template = await table.get<{ voice_over_language_ids?: string[] | null }>(key);
  return template?.voice_over_language_ids ?? [];
}

async function requireTranscribed({ asset_id }: StoredAsset, { transcriptions }: Services): Promise<void> {
  const heads = await transcriptions.list(asset_id);
  if (!heads.some(({ source }) => source === 'transcribed')) {
    throw new InvalidState('The asset has no transcription: nothing is spoken in it.');
  }
}

async function requireTranslated(
  { asset_id }: StoredAsset,
  languages: readonly string[],
  { transcriptions }: Services,
): Promise<void> {
  const translated = (await transcriptions.list(asset_id)).filter(({ source }) => source === 'translated');
  const known = new Set(translated.map(({ language_id }) => language_id));
  const missing = languages.find((id) => !known.has(id.toLowerCase()));
  if (missing !== undefined) {
    throw new InvalidState(`The asset is not translated into the language ${missing}: translate it first.`);
  }
}

async function requireSegments(
  { asset_id }: StoredAsset,
  ids: readonly string[],
  { transcriptions }: Services,
): Promise<void> {
  const heads = (await transcriptions.list(asset_id)).filter(({ source }) => source === 'transcribed');
  const segments = (await Promise.all(heads.map((head) => transcriptions.segments(head)))).flat();
  const known = new Set(segments.map(({ segment_id }) => segment_id));
  const missing = ids.flatMap((id, at) =>
    known.has(id.toLowerCase()) ? [] : [{ pointer: `/segment_ids/${at}`, kind: 'segment', id }],
  );
  if (missing.length > 0) throw new UnknownReference(missing.slice(0, 50));
}
