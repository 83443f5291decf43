/** What the steps of the branding-upload machine share. */

import type { TenantInput } from '../../../platform/kernel/step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import type { JobId } from '../../../platform/shared/ids.ts';
import type { TenantId } from '../../../platform/shared/tenant.ts';
import { BrandingFiles } from '../records/files.ts';
import type { FileType } from '../rules/files.ts';

export interface BrandingUploadInput extends TenantInput {
  readonly type: FileType;
  readonly file_id: string;
  readonly job_id: JobId;
}

export const brandingServices = (tenant: TenantId, type: FileType) => ({
  files: new BrandingFiles(publishingTable(tenant), tenant, type),
  objects: mediaObjects(tenant),
});
