/** Aspect ratios of clips, and the branding variants for them. */
import type { StoredAsset } from '../../../shared/assets.ts';
import type { Fault, GivenClip, VideoClip } from './clips.ts';

/** Relative tolerance of an aspect ratio: 1366 × 768 counts as 16:9. The nearest two ratios differ by 6 %. */
const TOLERANCE = 0.02;

/** Aspect ratios (`16:9`, …) of each branding's variants, by branding id. */
export type Aspects = ReadonlyMap<string, readonly string[]>;

/** Faults of clips whose branding has variants, but none for their aspect ratio. */
export function brandingFaults(
  clips: readonly GivenClip[],
  media: Pick<StoredAsset, 'width' | 'height'>,
  aspects: Aspects,
): Fault[] {
  return clips.flatMap((clip, at) => {
    const made = aspects.get(clip.branding_id ?? '') ?? [];
    const ratio = ratioOfClip(
      { aspect_ratio_x: clip.aspect_ratio_x ?? null, aspect_ratio_y: clip.aspect_ratio_y ?? null },
      media,
    );
    if (made.length === 0 || ratio === null || made.some((aspect) => isNear(ratio, aspect))) return [];
    const isGiven = clip.aspect_ratio_x !== undefined;
    const own = isGiven
      ? `${clip.aspect_ratio_x}:${clip.aspect_ratio_y}`
      : `the ${media.width} × ${media.height} of the media`;
    return [
      {
        pointer: `/video_clips/${at}/${isGiven ? 'aspect_ratio_x' : 'branding_id'}`,
        code: 'not_allowed',
        detail: `The branding has variants for ${made.join(', ')}, none for ${own}. Choose another aspect ratio, or upload a variant for ${own}.`,
      },
    ];
  });
}

/** Width divided by height of a clip; null if the media has no picture. */
export function ratioOfClip(
  { aspect_ratio_x, aspect_ratio_y }: Pick<VideoClip, 'aspect_ratio_x' | 'aspect_ratio_y'>,
  { width, height }: Pick<StoredAsset, 'width' | 'height'>,
): number | null {
  if (aspect_ratio_x !== null) return aspect_ratio_x / (aspect_ratio_y ?? 1);
  return width === null || height === null ? null : width / height;
}

export function isNear(ratio: number, aspect: string): boolean {
  const [x, y] = aspect.split(':').map(Number) as [number, number];
  return Math.abs((ratio * y) / x - 1) <= TOLERANCE;
}
