/** What all steps of the ingest machine share: the records that they change. Without S3, whose client is half a bundle. */
import { Assets } from '../data/assets.ts';
import { type IngestJob, Jobs } from '../data/jobs.ts';
import { transcriptionsOf } from '../data/transcriptions.ts';
import { Usage } from '../data/usage.ts';
import type { TenantId } from '../domain/tenant.ts';
import type { StepInput } from '../kernel/step.ts';
import { coreTable } from '../runtime/dynamodb.ts';

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
