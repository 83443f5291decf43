/** The longest media for a voice over, and the largest for a video with one. */

/**
 * The longest media, ms. Mixing an hour of sound takes 257 s of processor time, and half as much again if it must be written twice.
 * A step has 900 s (decision 43).
 */
export const LONGEST_MS = 2 * 3_600_000;

/** Why media of this duration cannot get a voice over. Null if it can, or the duration is unknown. */
export function whyTooLong(duration_ms: number | null): string | null {
  if (duration_ms === null || duration_ms <= LONGEST_MS) return null;
  const minutes = Math.ceil(duration_ms / 60_000);
  return `The media lasts ${minutes} minutes; the maximum for a voice over is ${LONGEST_MS / 60_000}. Cut it into shorter assets.`;
}

/**
 * The largest media for a video. A step reads and writes alternately at about 75 MB/s (decision 35), or 30 GB in its time. A third
 * is reserve, because the speed on AWS was not measured.
 */
export const LARGEST_VIDEO_BYTES = 20 * 2 ** 30;

/** Why media of this size cannot become a video. Null if it can, or the size is unknown. */
export function whyTooLarge(size_bytes: number | null): string | null {
  if (size_bytes === null || size_bytes <= LARGEST_VIDEO_BYTES) return null;
  const gib = (bytes: number) => Math.ceil(bytes / 2 ** 30);
  return `The media has ${gib(size_bytes)} GiB; the maximum for a video is ${gib(LARGEST_VIDEO_BYTES)} GiB. Omit mux to get only the audio track.`;
}
