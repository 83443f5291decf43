/** Estimates how long a job will render: for its quote and for its reservation. */
import { type DemandByPart, demandOfParts, requireReserved } from '../../../platform/admission/demand.ts';
import type { StoredAsset } from '../../../shared/assets.ts';
import type { StoredFile } from '../../branding/records/branding-files.ts';
import type { VideoClip } from '../rules/clips.ts';
import type { HeldClips } from '../rules/clips-job.ts';
import { type Materials, type MaterialsServices, materialsHash, materialsOf } from './clip-materials.ts';

/** The maximum number of milliseconds to render for each clip. Stored chunks and copied packets can lower the real number. */
export async function estimateRendering(
  clips: readonly VideoClip[],
  asset: StoredAsset,
  services: MaterialsServices,
): Promise<DemandByPart> {
  const materials = materialsOf(asset, services);
  const each = clips.map(
    async (clip) => [clip.video_clip_id, millisecondsOf(clip, await materials(clip))] as const,
  );
  const parts = Object.fromEntries(await Promise.all(each));
  return demandOfParts(parts, { meter: 'rendered_ms', by: null, is_estimate: true });
}

/** Throws the JobError quota_exceeded if the clip needs more milliseconds than its job reserved. */
export const requireClipReserved = (clip: VideoClip, materials: Materials, { held }: HeldClips): void =>
  requireReserved(millisecondsOf(clip, materials), held?.[clip.video_clip_id], 'clip');

/** The duration with intro and outro, ms. 0 if the clip's file was rendered from the same materials. */
function millisecondsOf(clip: VideoClip, materials: Materials): number {
  const isAsItWas = clip.render && clip.render.made_of === materialsHash(materials);
  if (isAsItWas) return 0;
  const { intro = null, outro = null } = materials.branding ?? {};
  return durationOf(intro) + clip.end_ms - clip.start_ms + durationOf(outro);
}

/** Duration of an intro or outro, ms. 0 if its file is not ready. */
const durationOf = (stored: StoredFile | null): number => stored?.file?.duration_ms ?? 0;
