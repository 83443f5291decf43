/** The crop path of a clip, as callers see it. */
import type { Static } from 'typebox';
import type * as contract from '../../../contract/resources/clips.ts';
import { type AutocenterSpan, withoutStraights } from '../../../media/framing/autocenter-spans.ts';
import { type CropPath, type CropPoint, cropPath } from '../../../media/framing/crop-path.ts';
import type { Rate } from '../../../media/rendering/render-plan.ts';
import { itemAt, lastOf } from '../../../shared/checked-access.ts';
import type { VideoClip } from './clips.ts';
import { framesOf, timeOf } from './frames.ts';

export type ClipFraming = Static<(typeof contract.getVideoClipFraming)['responses'][200]['body']>;

/** Facts of the media. Width and height are those of the displayed picture, in pixels. */
export interface FramedMedia {
  readonly width: number;
  readonly height: number;
  readonly frame_rate: Rate;
  readonly frames: number;
  readonly duration_ms: number | null;
}

/** The crop path along the spans of the media, or around the middle if there are none. */
export function clipPath(clip: VideoClip, media: FramedMedia, spans: readonly AutocenterSpan[]): CropPath {
  const { width, height, frame_rate } = media;
  const { aspect_ratio_x: x, aspect_ratio_y: y } = clip;
  const aspect = x === null || y === null ? { x: width, y: height } : { x, y };
  return cropPath({
    ...{ spans, width, height, aspect, ...spanOf(clip, media) },
    frame_rate: frame_rate.num / frame_rate.den,
  });
}

function spanOf(clip: VideoClip, media: FramedMedia) {
  const { start_frame, end_frame } = framesOf(clip, media);
  return { start_ms: timeOf(start_frame, media.frame_rate), end_ms: timeOf(end_frame, media.frame_rate) };
}

type Stretch = ClipFraming['stretches'][number];

/** The parts of the clip, each with the source of its framing. Neighbors with the same source are joined. */
export function stretchesOf(
  clip: VideoClip,
  media: FramedMedia,
  spans: readonly AutocenterSpan[],
): Stretch[] {
  const { start_ms, end_ms } = spanOf(clip, media);
  const stretches: Stretch[] = [];
  for (const span of spans) {
    const inside = {
      start_ms: Math.max(span.start_ms, start_ms) - start_ms,
      end_ms: Math.min(span.end_ms, end_ms) - start_ms,
    };
    if (inside.end_ms <= inside.start_ms) continue;
    const { source, confidence } = span;
    const before = stretches.at(-1);
    const goesOn =
      before?.source === source && before.confidence === confidence && before.end_ms === inside.start_ms;
    if (goesOn) before.end_ms = inside.end_ms;
    else stretches.push({ ...inside, source, confidence });
  }
  const middle: Stretch = { start_ms: 0, end_ms: end_ms - start_ms, source: 'picture', confidence: null };
  return stretches.length > 0 ? stretches : [middle];
}

/** Tolerance in pixels: renderers may round differently. */
const ROUNDING_PIXELS = 2;

/** Whether two paths show the same part of the picture. Null means the whole picture. */
export function isSamePath(rendered: CropPath | null, path: CropPath, media: FramedMedia): boolean {
  if (rendered === null)
    return !isNarrower(path.width, media.width) && !isNarrower(path.height, media.height);
  const near = (one: number, other: number) => Math.abs(one - other) <= ROUNDING_PIXELS;
  if (!near(rendered.width, path.width) || !near(rendered.height, path.height)) return false;
  if (rendered.points.length !== path.points.length) return false;
  return path.points.every(({ at_ms, x, y }, at) => {
    const other = itemAt(rendered.points, at);
    return near(at_ms, other.at_ms) && near(x, other.x) && near(y, other.y);
  });
}

const isNarrower = (side: number, whole: number) => side < whole - ROUNDING_PIXELS;

const MAX_POINTS = 20_000;

/** Simplifies the path if it has too many points. */
export function limitPoints(points: readonly CropPoint[]): CropPoint[] {
  const shots: CropPoint[][] = [];
  for (const point of points) {
    if (point.jump || shots.length === 0) shots.push([point]);
    else lastOf(shots).push(point);
  }
  let kept = [...points];
  for (let tolerance = 0.25; kept.length > MAX_POINTS && tolerance < 1e4; tolerance *= 2) {
    kept = shots.flatMap((shot) => withoutStraights(shot, tolerance));
  }
  return kept.slice(0, MAX_POINTS);
}
