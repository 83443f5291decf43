/** Times of subtitle files for television: hours, minutes, seconds and frames. */

const HOURS_A_DAY = 24;

export const framesADay = (framesPerSecond: number): number => HOURS_A_DAY * 3600 * framesPerSecond;

export const framesOf = (ms: number, framesPerSecond: number): number =>
  Math.round((ms * framesPerSecond) / 1000);

export const msOf = (frames: number, framesPerSecond: number): number =>
  Math.round((frames * 1000) / framesPerSecond);

/** Hours, minutes, seconds and frames since midnight; a day later it is midnight again. */
export function timeCodeOf(frames: number, framesPerSecond: number): [number, number, number, number] {
  const inDay = frames % framesADay(framesPerSecond);
  const seconds = Math.floor(inDay / framesPerSecond);
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60, inDay % framesPerSecond];
}

export const framesAt = (
  [hours, minutes, seconds, frames]: readonly [number, number, number, number],
  framesPerSecond: number,
): number => ((hours * 60 + minutes) * 60 + seconds) * framesPerSecond + frames;

/** Whether the parts are within their bounds. */
export const isTimeCode = (
  [hours, minutes, seconds, frames]: readonly [number, number, number, number],
  framesPerSecond: number,
): boolean => hours < HOURS_A_DAY && minutes < 60 && seconds < 60 && frames < framesPerSecond;

const WRITTEN = /^(\d\d):([0-5]\d):([0-5]\d)[:;.](\d\d)$/;

/** Frames since midnight of `hh:mm:ss:ff`; null where it is no time code at that rate. */
export function parsedTimeCode(text: string, framesPerSecond: number): number | null {
  const found = WRITTEN.exec(text);
  if (!found) return null;
  const parts = found.slice(1).map(Number) as [number, number, number, number];
  return isTimeCode(parts, framesPerSecond) ? framesAt(parts, framesPerSecond) : null;
}

/**
 * Frames since midnight, at the rate of a file, of a time code that media have, `;` before its frames or not; null where it is none. Media
 * count their own frames in a second, which are told in those of the file.
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
 * The rate that a file for a medium has: 25 for 25 and 50 frames a second, and where nothing is known; 30 for all else.
 * At 30 a time code tells the time by the clock, as drop-frame time codes of 29.97 do to within two frames.
 */
export function stlRateOf(framesPerSecond: number | null): 25 | 30 {
  const times = (framesPerSecond ?? 25) / 25;
  return Math.abs(times - Math.round(times)) < 0.01 && times > 0.5 ? 25 : 30;
}
