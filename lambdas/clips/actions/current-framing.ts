/** The framing that a clip would get if it were rendered now, and whether its file has that framing. */

import type { MediaObjects } from '../../../platform/objects/media-objects.ts';
import type { TenantTable } from '../../../platform/table/tenant-table.ts';
import type { StoredAsset } from '../../../shared/assets.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import type { ClipFiles } from '../records/clip-files.ts';
import type { VideoClip } from '../rules/clips.ts';
import {
  type ClipFraming,
  clipPath,
  type FramedMedia,
  isSamePath,
  limitPoints,
  stretchesOf,
} from '../rules/framing.ts';
import { type Materials, materialsOf } from './clip-materials.ts';
import { framingSpans } from './framing-spans.ts';

interface Services {
  readonly tenant: TenantId;
  readonly table: TenantTable;
  readonly objects: MediaObjects;
  readonly files: ClipFiles;
}

/** A clip without a picture has no frame: its size is null, and it has no points. */
export async function currentFraming(
  clip: VideoClip,
  asset: StoredAsset,
  services: Services,
): Promise<ClipFraming> {
  const { asset_id, video_clip_id } = clip;
  const materials = await materialsOf(asset, services)(clip);
  const media = await framedMedia(asset, materials, services);
  if (media === null) {
    return {
      video_clip_id,
      asset_id,
      width: null,
      height: null,
      points: [],
      stretches: [],
      is_rendered: false,
    };
  }
  const spans = await framingSpans(materials, asset, services);
  const path = clipPath(clip, media, spans);
  const planned = clip.render ? await services.files.findPlan(clip, clip.render.file) : null;
  return {
    ...{ video_clip_id, asset_id, width: path.width, height: path.height },
    points: limitPoints(path.points),
    stretches: stretchesOf(clip, media, spans),
    is_rendered: planned !== null && isSamePath(planned.plan.framing, path, media),
  };
}

/** Media facts from an earlier rendering, otherwise from the ingest, whose frame rates are rounded. */
async function framedMedia(
  asset: StoredAsset,
  { source }: Materials,
  { files }: Services,
): Promise<FramedMedia | null> {
  const { asset_id, width, height, frame_rate, duration_ms } = asset;
  const known = await files.source(asset_id, source);
  if (known !== null) return { ...known, duration_ms };
  if (width === null || height === null) return null;
  const rate = frame_rate ?? USUAL_RATE;
  const frames = Math.max(1, Math.round(((duration_ms ?? 0) * rate) / 1000));
  return { width, height, frame_rate: { num: Math.round(rate * 1000), den: 1000 }, frames, duration_ms };
}

/** Frame rate of a file that states none. */
const USUAL_RATE = 25;
