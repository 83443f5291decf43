/** Finds the frames at which a video can be cut without encoding it again. */

import { itemAt } from '../../shared/checked-access.ts';
import type { OpenMedia } from '../ffmpeg/serve-ranges.ts';
import { type Mp4Track, readMp4Track, sampleTimes } from './read-mp4-index.ts';
import type { RenderSource } from './render-plan.ts';

/** The maximum distance of a frame from its time at a constant rate, in frames. Rounding to milliseconds causes such distances. */
const TOLERANCE = 0.25;

/**
 * Returns the first frame of each closed group of pictures, and the end. All frames that are shown before such a frame are also
 * decoded before it. Null if there is no index or no constant frame rate.
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

function cleanFramesIn(
  track: Mp4Track,
  { frame_rate: { num, den } }: Pick<RenderSource, 'frame_rate'>,
): number[] | null {
  const times = sampleTimes(track);
  const ticks = (track.timescale * den) / num;
  const earliest = times.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY);
  // The edit list hides or delays frames. A copy would not do this.
  if (Math.abs(earliest) > TOLERANCE * ticks || track.delayed > 0) return null;
  const count = times.length;
  const frames = Array.from(times, (time) => Math.round((time - earliest) / ticks));
  const isRegular = frames.every((frame, at) => {
    const deviation = Math.abs((itemAt(times, at) - earliest) / ticks - frame);
    return frame < count && deviation <= TOLERANCE;
  });
  if (!isRegular || new Set(frames).size < count) return null;
  const clean: number[] = [];
  let [shown, isClosed] = [-1, true];
  for (let at = 0; at < count; at += 1) {
    const isKey = track.keys === null || track.keys[at] === 1;
    // A frame is clean if the number of frames decoded before it equals the number shown before it, and none of them is shown
    // later.
    const isClean = frames[at] === at && shown < at;
    if (isKey && isClean) clean.push(at);
    if (isKey && !isClean) isClosed = false;
    shown = Math.max(shown, itemAt(frames, at));
  }
  // If one group depends on another, a decoder may fail at any key frame. So only a copy of the whole file is possible.
  return isClosed ? [...clean, count] : [0, count];
}
