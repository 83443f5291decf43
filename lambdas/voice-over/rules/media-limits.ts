/** How long media may be that are spoken over, and how large where a video is made of them. */

/**
 * The sound of an hour takes 257 s of a processor to mix, and half as much again where it has to be written a second time; a step has 900 s.
 * Decision 43. Milliseconds.
 */
export const LONGEST_MS = 2 * 3_600_000;

/** Why media of that length are not spoken over; null where they can be, or nobody knows how long they are. */
export function whyTooLong(duration_ms: number | null): string | null {
  if (duration_ms === null || duration_ms <= LONGEST_MS) return null;
  const minutes = Math.ceil(duration_ms / 60_000);
  return `The media last ${minutes} minutes, and media of ${LONGEST_MS / 60_000} minutes at most are spoken over. Cut them into shorter assets.`;
}

/**
 * A step reads the media and writes the video by turns, at some 75 MB/s of a function (decision 35): 30 GB in its time. With a third to
 * spare; how fast it goes on AWS was not measured.
 */
export const LARGEST_VIDEO_BYTES = 20 * 2 ** 30;

/** Why no video is made of media of that size; null where one can be, or nobody knows the size. */
export function whyTooLarge(size_bytes: number | null): string | null {
  if (size_bytes === null || size_bytes <= LARGEST_VIDEO_BYTES) return null;
  const gib = (bytes: number) => Math.ceil(bytes / 2 ** 30);
  return `The media have ${gib(size_bytes)} GiB, and videos are made of ${gib(LARGEST_VIDEO_BYTES)} GiB at most. Ask without mux for the audio track alone.`;
}
