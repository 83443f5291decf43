/** Clips as callers see them, with staleness and poster URLs. */
import { createHash } from 'node:crypto';
import type { Presigner } from '../../../platform/objects/presigner.ts';
import type { TenantTable } from '../../../platform/table/tenant-table.ts';
import type { StoredAsset } from '../../../shared/assets.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { type ClipView, clipView } from '../rules/clip-view.ts';
import type { VideoClip } from '../rules/clips.ts';
import { materialsHash, materialsOf } from './clip-materials.ts';
import { posterUrl } from './clip-urls.ts';

interface Services {
  readonly tenant: TenantId;
  readonly table: TenantTable;
  readonly addresses: Presigner;
}

/** Returns a function that makes the view of a clip. */
export function clipViewer(asset: StoredAsset, services: Services): (clip: VideoClip) => Promise<ClipView> {
  const materials = materialsOf(asset, services);
  return async (clip) => {
    const made_of = clip.render ? materialsHash(await materials(clip)) : null;
    return clipView(clip, { made_of, thumbnail_url: await posterUrl(clip, services) });
  };
}

/**
 * The ETag covers the view, because a clip becomes stale without a change of its own. It leaves out the poster
 * URL, which differs each time.
 */
export function clipEtag({ version }: VideoClip, { thumbnail_url: _, ...view }: ClipView): string {
  const seen = createHash('sha256').update(JSON.stringify(view)).digest('base64url').slice(0, 10);
  return `${version}-${seen}`;
}
