/** Records that the steps of the ingest machine change. Does not import S3, to keep the bundle small. */

import { Jobs } from '../../../platform/jobs/job-records.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { Usage } from '../../../platform/usage/metering.ts';
import type { AssetId } from '../../../shared/ids.ts';
import type { IngestOwn } from '../../../shared/ingest-jobs.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { Assets } from '../../assets/records/assets.ts';
import { templatesOf } from '../../settings/records/template-options.ts';
import { transcriptionsOf } from '../../transcripts/lineage/records/transcriptions.ts';

/** @param table the publishing table, for steps that publish events */
export const ingestRecords = (tenant: TenantId, table = coreTable(tenant)) => ({
  tenant,
  assets: new Assets(table, tenant),
  jobs: new Jobs<'ingest', IngestOwn>(table, tenant, 'ingest'),
  transcriptions: { list: (assetId: AssetId) => transcriptionsOf(table, tenant, assetId) },
  usage: new Usage(table, tenant),
  templates: templatesOf(table, tenant),
});
