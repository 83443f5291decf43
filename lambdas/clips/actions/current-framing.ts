/** The framing that a rendering would give the clip now, and whether its file already has this framing. */
import type { AutocenterSpan } from '../../../media/framing/autocenter-spans.ts';
import type { StoredAsset } from '../../../shared/assets.ts';
import { AnalysisResults } from '../../analyses/records/analysis-results.ts';
import { framedSpans } from '../../analyses/rules/framing.ts';
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
import type { ClipServices } from './clip-step.ts';

/** For a clip without a picture, the size is null and the list of points is empty. */
export async function currentFraming(
  clip: VideoClip,
  asset: StoredAsset,
  services: ClipServices,
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

/** The media facts that an earlier rendering probed, or else those of the ingest, with rounded frame rates. */
async function framedMedia(
  asset: StoredAsset,
  { source }: Materials,
  { files }: ClipServices,
): Promise<FramedMedia | null> {
  const { asset_id, width, height, frame_rate, duration_ms } = asset;
  const known = await files.source(asset_id, source);
  if (known !== null) return { ...known, duration_ms };
  if (width === null || height === null) return null;
  const rate = frame_rate ?? USUAL_RATE;
  const frames = Math.max(1, Math.round(((duration_ms ?? 0) * rate) / 1000));
  return { width, height, frame_rate: { num: Math.round(rate * 1000), den: 1000 }, frames, duration_ms };
}

const USUAL_RATE = 25;

/** The framing of the whole media, by time. Empty if the clip has no autoframing, or there is no analysis. */
export async function framingSpans(
  { framing }: Materials,
  { asset_id, duration_ms }: StoredAsset,
  { table, objects, tenant }: Pick<ClipServices, 'table' | 'objects' | 'tenant'>,
): Promise<AutocenterSpan[]> {
  if (framing === null) return [];
  const found = await new AnalysisResults(table, objects, tenant).list(asset_id, 'autocenter');
  return framedSpans(found, framing.centers, duration_ms);
}
