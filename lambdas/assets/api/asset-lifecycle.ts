import * as contract from '../../../build/contract/asset-lifecycle.js';
import { created, noContent } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { Configuration } from '../../../platform/records/configuration.ts';
import { referencesIn, requireReferences } from '../../../platform/records/references.ts';
import { availability } from '../../../platform/runtime/engines.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { executionsOf } from '../../../platform/runtime/stepfunctions.ts';
import { assetView } from '../../../shared/assets.ts';
import { asAssetId, type TenantId } from '../../../shared/ids.ts';
import { languageById } from '../../../shared/languages.ts';
import { UnsupportedLanguage } from '../../../shared/problems.ts';
import { Assets, etagOf } from '../records/assets.ts';

const services = (tenant: TenantId) => {
  const table = publishingTable(tenant);
  const configuration = new Configuration(table, tenant);
  return {
    table,
    configuration,
    assets: new Assets(table, tenant),
    deletions: () => executionsOf('DeleteAsset'),
  };
};

export const handler = resource(contract, services, {
  createAsset: async ({ body, tenant, now, newResourceId }, { table, assets, configuration }) => {
    const references = referencesIn(body, ['language_id', 'template_id', 'collection_id']);
    await requireReferences(table, tenant, references);
    requireUnderstood(body.language_id);
    const template_id = body.template_id ?? (await defaultTemplate(configuration, body.collection_id));
    const asset = await assets.create(asAssetId(newResourceId), now, { ...body, template_id });
    return created(assetView(asset), `/v1/assets/${asset.asset_id}`, etagOf(asset));
  },

  deleteAsset: async ({ params, tenant, now, ifMatch }, { assets, deletions }) => {
    await assets.beginDeletion(params.asset_id, now, ifMatch);
    await deletions().start(`delete-${params.asset_id}`, { tenant, asset_id: params.asset_id });
    return noContent();
  },
});

/** Rejects a language that no engine transcribes. Accepts all if there is no engine: `analyses` then reports this. */
function requireUnderstood(languageId: string | undefined): void {
  const language = languageId === undefined ? undefined : languageById(languageId)?.code;
  if (language === undefined || availability('transcription').status === 'unavailable') return;
  const found = availability('transcription', { language });
  if (found.status === 'unavailable') throw new UnsupportedLanguage('/language_id', found.reason);
}

async function defaultTemplate(configuration: Configuration, collection: string | undefined) {
  if (collection === undefined) return undefined;
  const { template_id } = await configuration.get({ type: 'collections', kind: 'collection' }, collection);
  return (template_id as string | null) ?? undefined;
}
