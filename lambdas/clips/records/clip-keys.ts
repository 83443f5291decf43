/** Object keys of clips. Does not import S3, to keep the bundle small. */

import { derivedKey } from '../../../platform/objects/media-objects.ts';
import type { AssetId } from '../../../shared/ids.ts';
import type { TenantId } from '../../../shared/tenant.ts';

export interface ClipIds {
  readonly asset_id: AssetId;
  readonly video_clip_id: string;
}

/** The prefix of all objects of a clip. */
export const clipPrefix = (tenant: TenantId, { asset_id, video_clip_id }: ClipIds): string =>
  derivedKey(tenant, asset_id, 'clips', video_clip_id, '');

/** Keys of a file: the video, its plan, its facts and its poster. */
export const fileKey = (
  tenant: TenantId,
  ids: ClipIds,
  file: string,
  name: 'plan.json.gz' | 'clip.mp4' | 'facts.json' | 'poster.jpg',
): string => `${clipPrefix(tenant, ids)}files/${file}/${name}`;

/** Key of a chunk or sound, which files with the same content share. */
export const pieceKey = (tenant: TenantId, ids: ClipIds, name: string): string =>
  `${clipPrefix(tenant, ids)}pieces/${name}`;

/**
 * Key of a copy of a branding file. Because of the copy, a running job does not depend on later uploads or deletions.
 * @param key of the branding file
 */
export const materialKey = (tenant: TenantId, ids: ClipIds, key: string): string =>
  `${clipPrefix(tenant, ids)}materials/${key.slice(key.lastIndexOf('/') + 1)}`;
