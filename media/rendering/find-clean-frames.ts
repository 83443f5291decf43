/** Finds the frames at which a video can be cut without encoding anything again. */
import type { OpenMedia } from '../ffmpeg/serve-ranges.ts';
import { type Mp4Track, readMp4Track, sampleTimes } from './read-mp4-index.ts';
import type { RenderSource } from './render-plan.ts';

/** By how much a frame may be shown beside the grid of its rate, as part of a frame: what rounding to milliseconds makes. */
const BESIDE = 0.25;

/**
 * Frames before which all are decoded that are shown before them, and behind which none is: closed groups of pictures; and the
 * end. Null where the file is no MP4 or MOV with an index, or its frames do not come one a frame.
 */
export async function findCleanFrames(
  media: OpenMedia,
  source: Pick<RenderSource, 'container' | 'frame_rate' | 'phase_us'>,
): Promise<number[] | null> {
  if (source.container !== 'mp4' && source.container !== 'mov') return null;
  try {
    const video = await readMp4Track(media, 'vide');
    return video === null ? null : cleanFramesIn(video, source);
  } catch {
    return null;
  }
}

export function cleanFramesIn(
  track: Mp4Track,
  { frame_rate: { num, den } }: Pick<RenderSource, 'frame_rate'>,
): number[] | null {
  const times = sampleTimes(track);
  const ticks = (track.timescale * den) / num;
  const earliest = times.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY);
  // What the edit list hides, or what it shows late, would be shown by a copy.
  if (Math.abs(earliest) > BESIDE * ticks || track.delayed > 0) return null;
  const count = times.length;
  const frames = Array.from(times, (time) => Math.round((time - earliest) / ticks));
  const isRegular = frames.every((frame, at) => {
    const beside = Math.abs((times[at]! - earliest) / ticks - frame);
    return frame < count && beside <= BESIDE;
  });
  if (!isRegular || new Set(frames).size < count) return null;
  const clean: number[] = [];
  let [shown, isClosed] = [-1, true];
  for (let at = 0; at < count; at += 1) {
    const isKey = track.keys === null || track.keys[at] === 1;
    // As many were decoded as come before it: all of them, where none of these is shown later.
    const isClean = frames[at] === at && shown < at;
    if (isKey && isClean) clean.push(at);
    if (isKey && !isClean) isClosed = false;
    shown = Math.max(shown, frames[at]!);
  }
  // Where one group leans on another, the key frames of all may be such that decoders do not begin with.
  return isClosed ? [...clean, count] : [0, count];
}
