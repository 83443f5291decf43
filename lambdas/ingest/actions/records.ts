/** What all steps of the ingest machine share: the records that they change. Without S3, whose client is half a bundle. */

import { type IngestJob, Jobs } from '../../../platform/jobs/records.ts';
import type { StepInput } from '../../../platform/kernel/step.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import type { TenantId } from '../../../platform/shared/tenant.ts';
import { Usage } from '../../../platform/usage/records.ts';
import { Assets } from '../../assets/records/assets.ts';
import { transcriptionsOf } from '../../transcripts/records/transcriptions.ts';

export interface IngestInput extends StepInput {
  readonly job_id: string;
}

export const ingestRecords = (tenant: TenantId) => {
  const table = coreTable(tenant);
  return {
    tenant,
    assets: new Assets(table, tenant),
    jobs: new Jobs<IngestJob>(table, tenant, 'ingest'),
    transcriptions: { list: (asset: string) => transcriptionsOf(table, tenant, asset) },
    usage: new Usage(table, tenant),
  };
};
