/** The keys of voice over files. Does not import S3, to keep bundles small. */

import { derivedKey } from '../../../platform/objects/media-objects.ts';
import type { AssetId, JobId } from '../../../shared/ids.ts';
import type { TenantId } from '../../../shared/tenant.ts';

export interface DubIds {
  readonly asset_id: AssetId;
  readonly job_id: JobId;
  readonly language_id: string;
}

/** The key of a job's file for a language. Without a name, the prefix of all files for that language. */
export const dubKey = (
  tenant: TenantId,
  { asset_id, job_id, language_id }: DubIds,
  name: 'plan.json.gz' | 'voices.json.gz' | 'fit.json.gz' | 'sound.m4a' | 'video' | '',
): string => derivedKey(tenant, asset_id, 'voice_over', job_id, `${language_id}/${name}`);

/** The prefix of all files of a job. */
export const dubsPrefix = (
  tenant: TenantId,
  { asset_id, job_id }: Pick<DubIds, 'asset_id' | 'job_id'>,
): string => derivedKey(tenant, asset_id, 'voice_over', job_id, '');

/** The key of a piece's speech, which jobs share. Without a name, the prefix of all speech in the language. */
export const pieceKey = (
  tenant: TenantId,
  { asset_id, language_id }: Pick<DubIds, 'asset_id' | 'language_id'>,
  name: string,
): string => derivedKey(tenant, asset_id, 'speech', language_id, name);
