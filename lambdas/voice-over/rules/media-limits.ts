/** The limits for the media of a voice over: the longest media, and the largest media for a video. */

/**
 * The longest media, ms. Mixing an hour of sound takes 257 s of processor time. It takes 1.5 times as long if the file
 * must be encoded twice. A step has 900 s (decision 43).
 */
const LONGEST_MS = 2 * 3_600_000;

/** The reason why media of this duration cannot get a voice over. Null if it can, or the duration is unknown. */
export function whyTooLong(duration_ms: number | null): string | null {
  if (duration_ms === null || duration_ms <= LONGEST_MS) return null;
  const minutes = Math.ceil(duration_ms / 60_000);
  return `The media lasts ${minutes} minutes; the maximum for a voice over is ${LONGEST_MS / 60_000}. Cut it into shorter assets.`;
}

/**
 * The largest media for a video. A step reads and writes in turn at about 75 MB/s (decision 35), so that it can process
 * 30 GB in its time. One third of that is a reserve, because the speed on AWS has not been measured.
 */
const LARGEST_VIDEO_BYTES = 20 * 2 ** 30;

/** The reason why media of this size cannot become a video. Null if it can, or the size is unknown. */
export function whyTooLarge(size_bytes: number | null): string | null {
  if (size_bytes === null || size_bytes <= LARGEST_VIDEO_BYTES) return null;
  const gib = (bytes: number) => Math.ceil(bytes / 2 ** 30);
  return `The media has ${gib(size_bytes)} GiB; the maximum for a video is ${gib(LARGEST_VIDEO_BYTES)} GiB. Omit mux to get only the audio track.`;
}
