/** Where the files of clips lie. Without S3, whose client is half a bundle. */

import { derivedKey } from '../../../platform/objects/media-objects.ts';
import type { AssetId } from '../../../shared/ids.ts';
import type { TenantId } from '../../../shared/tenant.ts';

export interface ClipIds {
  readonly asset_id: AssetId;
  readonly video_clip_id: string;
}

/** What everything that was made of a clip begins with. */
export const clipPrefix = (tenant: TenantId, { asset_id, video_clip_id }: ClipIds): string =>
  derivedKey(tenant, asset_id, 'clips', video_clip_id, '');

/** Of a file: itself, its plan, what is known of it, and a picture of it. */
export const fileKey = (
  tenant: TenantId,
  ids: ClipIds,
  file: string,
  name: 'plan.json.gz' | 'clip.mp4' | 'facts.json' | 'poster.jpg',
): string => `${clipPrefix(tenant, ids)}files/${file}/${name}`;

/** Of a chunk, or of the sound, which files share that need the same. */
export const pieceKey = (tenant: TenantId, ids: ClipIds, name: string): string =>
  `${clipPrefix(tenant, ids)}pieces/${name}`;

/**
 * Of a file of a branding, as the clip is made of it: uploading another, or deleting it, takes nothing away from a job that runs.
 * @param key of the branding's own
 */
export const materialKey = (tenant: TenantId, ids: ClipIds, key: string): string =>
  `${clipPrefix(tenant, ids)}materials/${key.slice(key.lastIndexOf('/') + 1)}`;
