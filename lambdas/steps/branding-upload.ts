/** What the steps of the branding-upload machine share. */
import { BrandingFiles } from '../data/branding-files.ts';
import type { FileType } from '../domain/branding-files.ts';
import type { TenantId } from '../domain/tenant.ts';
import type { TenantInput } from '../kernel/step.ts';
import { coreTable } from '../runtime/dynamodb.ts';
import { mediaObjects } from '../runtime/s3.ts';

export interface BrandingUploadInput extends TenantInput {
  readonly type: FileType;
  readonly file_id: string;
  readonly job_id: string;
}

export const brandingServices = (tenant: TenantId, type: FileType) => ({
  files: new BrandingFiles(coreTable(tenant), tenant, type),
  objects: mediaObjects(tenant),
});
