/** What rendering clips takes of quotas, before it begins. */
import {
  type HeldByPart,
  hasQuotaOf,
  sumOfHeld,
  type Taking,
} from '../../../platform/admission/quota-reservations.ts';
import type { StoredAsset } from '../../../shared/assets.ts';
import { quotaExceeded } from '../../../shared/job-errors.ts';
import type { Limits } from '../../../shared/limits.ts';
import type { StoredFile } from '../../branding/records/branding-files.ts';
import type { VideoClip } from '../rules/clips.ts';
import type { HeldClips } from '../rules/clips-job.ts';
import { type Materials, materialsHash, materialsOf } from './clip-materials.ts';

type Services = Parameters<typeof materialsOf>[1];

/** Nothing is read where the tenant has no such quota. */
export async function takingsToRender(
  clips: readonly VideoClip[],
  asset: StoredAsset,
  limits: Limits,
  services: Services,
): Promise<HeldClips & { readonly takes: readonly Taking[] }> {
  if (!hasQuotaOf(limits, ['rendered_ms'])) return { takes: [] };
  const held = await millisecondsToRender(clips, asset, services);
  return { takes: [{ meter: 'rendered_ms', quantity: sumOfHeld(held) }], held };
}

/** By clip, at most, as they and what they are made of stand now. */
export async function millisecondsToRender(
  clips: readonly VideoClip[],
  asset: StoredAsset,
  services: Services,
): Promise<HeldByPart> {
  const materials = materialsOf(asset, services);
  const each = clips.map(
    async (clip) => [clip.video_clip_id, millisecondsOf(clip, await materials(clip))] as const,
  );
  return Object.fromEntries(await Promise.all(each));
}

/** Throws quota_exceeded where more is to be rendered than was held when the job was asked for. */
export function requireHeld(clip: VideoClip, materials: Materials, { held }: HeldClips): void {
  const most = held?.[clip.video_clip_id];
  if (most === undefined || millisecondsOf(clip, materials) <= most) return;
  throw quotaExceeded('What the clip is made of changed since the job was asked for: ask again.');
}

/**
 * With intro and outro, and nothing where it was rendered of just that. Chunks that are there and packets that are copied are not
 * rendered, which a plan alone tells.
 */
function millisecondsOf(clip: VideoClip, materials: Materials): number {
  const isAsItWas = clip.render && clip.render.made_of === materialsHash(materials);
  if (isAsItWas) return 0;
  const { intro = null, outro = null } = materials.branding ?? {};
  return durationOf(intro) + clip.end_ms - clip.start_ms + durationOf(outro);
}

/** Nothing is rendered with a file that is not ready. */
const durationOf = (stored: StoredFile | null): number => stored?.file?.duration_ms ?? 0;
