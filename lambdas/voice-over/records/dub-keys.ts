/** Where the files of voice overs lie. Without S3, whose client is half a bundle. */

import { derivedKey } from '../../../platform/objects/media-objects.ts';
import type { AssetId, JobId } from '../../../shared/ids.ts';
import type { TenantId } from '../../../shared/tenant.ts';

export interface DubIds {
  readonly asset_id: AssetId;
  readonly job_id: JobId;
  readonly language_id: string;
}

/** Of what a job made for a language; of all of it where no name is given. */
export const dubKey = (
  tenant: TenantId,
  { asset_id, job_id, language_id }: DubIds,
  name: 'plan.json.gz' | 'voices.json.gz' | 'fit.json.gz' | 'sound.m4a' | 'video' | '',
): string => derivedKey(tenant, asset_id, 'voice_over', job_id, `${language_id}/${name}`);

/** What everything that a job made begins with. */
export const dubsPrefix = (
  tenant: TenantId,
  { asset_id, job_id }: Pick<DubIds, 'asset_id' | 'job_id'>,
): string => derivedKey(tenant, asset_id, 'voice_over', job_id, '');

/** Of the speech of a piece, which jobs share; of all pieces of the language where no name is given. */
export const pieceKey = (
  tenant: TenantId,
  { asset_id, language_id }: Pick<DubIds, 'asset_id' | 'language_id'>,
  name: string,
): string => derivedKey(tenant, asset_id, 'speech', language_id, name);
