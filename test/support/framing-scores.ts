/** Measures how well a crop keeps the subjects of a test video in view, and how smoothly it moves. */
import { findCenters } from '../../media/framing/autocenter.ts';
import type { AutocenterSpan, Interval } from '../../media/framing/autocenter-spans.ts';
import { type CropPath, cropPath } from '../../media/framing/crop-path.ts';
import { type MotionSample, measureMotion } from '../../media/framing/subject-motion.ts';
import { greyPictures } from './test-videos/grey.ts';
import type { TestVideo } from './test-videos.ts';

export interface FramingScores {
  /**
   * Of all frames with at least half of the subject in the picture: the share in which the crop contains all of its
   * visible part.
   */
  readonly whole: number;
  /** The share of those frames in which the crop contains the center of the subject. */
  readonly centre: number;
  /** The greatest acceleration of the crop within a shot: widths or heights of the picture per second, per second. */
  readonly acceleration: number;
  readonly step: number;
  /** The distance that the crop moves within shots, in widths or heights of the picture per minute. */
  readonly travel: number;
}

export interface Framed {
  readonly spans: readonly AutocenterSpan[];
  readonly motion: readonly MotionSample[];
  readonly shots: readonly Interval[];
  readonly crop: CropPath;
}

/** Frames the video by its pictures alone. The cuts are given, because other analyses find them. */
export async function framed(video: TestVideo, aspect: { x: number; y: number }): Promise<Framed> {
  const { width, height, frame_rate, duration_ms } = video;
  const pictures = await greyPictures(video);
  const motion = pictures.slice(1).map((next, at) => measureMotion(pictures[at]!, next));
  const shots = video.shots.map(({ start_frame, end_frame }) => ({
    start_ms: Math.round((start_frame * 1000) / frame_rate),
    end_ms: Math.round((end_frame * 1000) / frame_rate),
  }));
  const spans = findCenters({ shots, motion, faces: [], width, height, duration_ms });
  const clip = { start_ms: 0, end_ms: duration_ms };
  const crop = cropPath({ spans, width, height, frame_rate, ...clip, aspect });
  return { spans, motion, shots, crop };
}

/** The left and top edge of the crop at each frame, as a renderer uses them. */
export function cornersOf(
  { points }: CropPath,
  frames: number,
  frame_rate: number,
): { x: number; y: number }[] {
  let last = 0;
  return Array.from({ length: frames }, (_, frame) => {
    const at_ms = (frame * 1000) / frame_rate;
    while (last + 1 < points.length && points[last + 1]!.at_ms <= at_ms) last += 1;
    const [one, next] = [points[last]!, points[last + 1]];
    if (next === undefined || next.jump) return one;
    const share = Math.max(0, (at_ms - one.at_ms) / (next.at_ms - one.at_ms));
    return { x: one.x + (next.x - one.x) * share, y: one.y + (next.y - one.y) * share };
  });
}

/** Pixels. A subject that is this far beyond the edge counts as inside, because its own edge is rounded. */
const EDGE = 1;

export function scoresOf(
  video: TestVideo,
  size: Pick<CropPath, 'width' | 'height'>,
  corners: readonly { x: number; y: number }[],
): FramingScores {
  const side = size.width < video.width ? 'x' : 'y';
  const length = side === 'x' ? 'width' : 'height';
  const [picture, crop] = [video[length], size[length]];
  let [seen, whole, centre, acceleration, step, travel] = [0, 0, 0, 0, 0, 0];
  for (const { start_frame, end_frame } of video.shots) {
    for (let frame = start_frame; frame < end_frame; frame += 1) {
      const edge = corners[frame]![side];
      for (const place of video.subjects[frame]!) {
        const [first, last] = [Math.max(0, place[side]), Math.min(1, place[side] + place[length])];
        if (last - first < place[length] / 2) continue;
        const middle = (place[side] + place[length] / 2) * picture;
        seen += 1;
        if (first * picture >= edge - EDGE && last * picture <= edge + crop + EDGE) whole += 1;
        if (middle >= edge - EDGE && middle <= edge + crop + EDGE) centre += 1;
      }
      if (frame === start_frame) continue;
      const by = edge - corners[frame - 1]![side];
      step = Math.max(step, Math.abs(by));
      travel += Math.abs(by);
      if (frame === start_frame + 1) continue;
      const before = corners[frame - 1]![side] - corners[frame - 2]![side];
      acceleration = Math.max(acceleration, (Math.abs(by - before) / picture) * video.frame_rate ** 2);
    }
  }
  const minutes = video.frames / video.frame_rate / 60;
  return {
    whole: whole / seen,
    centre: centre / seen,
    acceleration,
    step,
    travel: travel / picture / minutes,
  };
}
