/** Where the picture of a clip is cut out of that of its media. */
import { cropPath } from '../../../engines/framing/crop.ts';
import type { CropPath, RenderSource } from '../../../engines/rendering/plan.ts';
import type { StoredAsset } from '../../../platform/shared/assets.ts';
import type { TenantId } from '../../../platform/shared/tenant.ts';
import type { MediaObjects } from '../../../platform/store/objects.ts';
import type { TenantTable } from '../../../platform/store/table.ts';
import { AnalysisResults } from '../../analyses/records/results.ts';
import { framedSpans } from '../../analyses/rules/framing.ts';
import type { ClipNote, VideoClip } from '../rules/clips.ts';
import { type FrameSpan, timeOf } from '../rules/frames.ts';
import type { Materials } from './materials.ts';

interface Services {
  readonly asset: StoredAsset;
  readonly tenant: TenantId;
  readonly table: TenantTable;
  readonly objects: MediaObjects;
}

/** Null where it is not to follow anything: then it is the middle, or all of the picture. */
export async function clipFraming(
  { aspect_ratio_x: x, aspect_ratio_y: y }: VideoClip,
  { start_frame, end_frame }: FrameSpan,
  { width, height, frame_rate }: RenderSource,
  { framing }: Materials,
  { asset, tenant, table, objects }: Services,
  notes: ClipNote[],
): Promise<CropPath | null> {
  if (framing === null || x === null || y === null) return null;
  const found = await new AnalysisResults(table, objects, tenant).list(asset.asset_id, 'autocenter');
  if (found.length === 0 && framing.centers.length === 0) {
    const detail = 'Nothing is known of where in the picture to look: the clip shows the middle of it.';
    notes.push({ code: 'framing_unknown', detail });
    return null;
  }
  const spans = framedSpans(found, framing.centers, asset.duration_ms);
  const span = { start_ms: timeOf(start_frame, frame_rate), end_ms: timeOf(end_frame, frame_rate) };
  const rate = frame_rate.num / frame_rate.den;
  return cropPath({ spans, width, height, frame_rate: rate, ...span, aspect: { x, y } });
}
