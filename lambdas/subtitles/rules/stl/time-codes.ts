/** Time codes of television: hours, minutes, seconds and frames. */

const HOURS_A_DAY = 24;

export const framesADay = (framesPerSecond: number): number => HOURS_A_DAY * 3600 * framesPerSecond;

export const framesOf = (ms: number, framesPerSecond: number): number =>
  Math.round((ms * framesPerSecond) / 1000);

export const msOf = (frames: number, framesPerSecond: number): number =>
  Math.round((frames * 1000) / framesPerSecond);

/** Hours, minutes, seconds and frames since midnight. After 24 hours, they restart from 0. */
export function timeCodeOf(frames: number, framesPerSecond: number): [number, number, number, number] {
  const inDay = frames % framesADay(framesPerSecond);
  const seconds = Math.floor(inDay / framesPerSecond);
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60, inDay % framesPerSecond];
}

export const framesAt = (
  [hours, minutes, seconds, frames]: readonly [number, number, number, number],
  framesPerSecond: number,
): number => ((hours * 60 + minutes) * 60 + seconds) * framesPerSecond + frames;

export const isTimeCode = (
  [hours, minutes, seconds, frames]: readonly [number, number, number, number],
  framesPerSecond: number,
): boolean => hours < HOURS_A_DAY && minutes < 60 && seconds < 60 && frames < framesPerSecond;

const WRITTEN = /^(\d\d):([0-5]\d):([0-5]\d)[:;.](\d\d)$/;

/** The frames since midnight of `hh:mm:ss:ff`. Null if the text is not a time code at that rate. */
export function parsedTimeCode(text: string, framesPerSecond: number): number | null {
  const found = WRITTEN.exec(text);
  if (!found) return null;
  const parts = found.slice(1).map(Number) as [number, number, number, number];
  return isTimeCode(parts, framesPerSecond) ? framesAt(parts, framesPerSecond) : null;
}

/**
 * Converts the time code of the media to frames since midnight at the frame rate of a file. `;` before the frames is
 * accepted. The frames within the second are converted from the frame rate of the media. Null if the text is not a time
 * code.
 */
export function startFrameOfMedia(
  text: string,
  mediaFramesPerSecond: number | null,
  framesPerSecond: number,
): number | null {
  const counted = Math.max(1, Math.round(mediaFramesPerSecond ?? framesPerSecond));
  const frame = parsedTimeCode(text, counted);
  if (frame === null) return null;
  const inSecond = Math.floor(((frame % counted) * framesPerSecond) / counted);
  return Math.floor(frame / counted) * framesPerSecond + inSecond;
}

/**
 * The frame rate of an STL file. It is 25 for media with 25 or 50 frames a second or an unknown rate, and 30 for all
 * other media. At 30, a time code is clock time: drop-frame time codes of 29.97 differ from clock time by two frames at
 * most.
 */
export function stlRateOf(framesPerSecond: number | null): 25 | 30 {
  const times = (framesPerSecond ?? 25) / 25;
  return Math.abs(times - Math.round(times)) < 0.01 && times > 0.5 ? 25 : 30;
}
