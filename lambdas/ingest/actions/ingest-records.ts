/** What all steps of the ingest machine share: the records that they change. Without S3, whose client is half a bundle. */

import { Jobs } from '../../../platform/jobs/records.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { configurationKey } from '../../../platform/store/keys.ts';
import { Usage } from '../../../platform/usage/records.ts';
import type { AssetId } from '../../../shared/ids.ts';
import type { IngestOwn } from '../../../shared/ingest-jobs.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { Assets } from '../../assets/records/assets.ts';
import { transcriptionsOf } from '../../transcripts/records/transcriptions.ts';
import type { TemplateOptions } from '../rules/outcomes.ts';

/** @param table that of whoever publishes, for steps that do */
export const ingestRecords = (tenant: TenantId, table = coreTable(tenant)) => {
  return {
    tenant,
    assets: new Assets(table, tenant),
    jobs: new Jobs<'ingest', IngestOwn>(table, tenant, 'ingest'),
    transcriptions: { list: (assetId: AssetId) => transcriptionsOf(table, tenant, assetId) },
    usage: new Usage(table, tenant),
    templates: {
      /** What the asset's template asks for; null where it has none, or it was deleted. */
      find: async (id: string | null): Promise<TemplateOptions | null> =>
        id === null ? null : table.get<TemplateOptions>(configurationKey(tenant, 'templates', id)),
    },
  };
};
