/** The facts of a media file, and the choice of its tracks. */
import type { TrackChoice } from '../contract/kit/track-choices.ts';
import { mediaLimitExceeded, mediaUnreadable } from './job-errors.ts';

/** A source of bytes that can be read in ranges. */
export interface RangeSource {
  readonly size: number;
  /** The bytes from `first` to `last`, both included. Throws if the source has fewer. */
  read(first: number, last: number, signal?: AbortSignal): Promise<Uint8Array>;
}

/** Frames per second as the fraction the file states (30000/1001), and as a number. */
export type FrameRate = { num: number; den: number; value: number };

export type VideoStream = {
  index: number;
  codec: string;
  /** Pixels as displayed: rotation and the sample aspect ratio are applied. */
  width: number;
  height: number;
  /** The average; null if the file states none. */
  frame_rate: FrameRate | null;
  /** Clockwise degrees that a player turns the picture by: 0, 90, 180 or 270. */
  rotation: number;
  start_ms: number;
};

export type AudioStream = {
  index: number;
  /** Among the audio streams of the file, from 1. */
  number: number;
  /** The title in the file; null if it has none. */
  title: string | null;
  codec: string;
  channels: number;
  sample_rate: number;
  /** BCP 47 primary subtag of the language in the file ("en" for its "eng"); null if it states none. */
  language: string | null;
  is_default: boolean;
  /** A commentary, or a track for the visually or hearing impaired. */
  is_special: boolean;
  start_ms: number;
};

/**
 * Times are whole milliseconds. A `start_ms` counts from the start of the container's timeline, which players and
 * ffmpeg show as 0:00, even if the file's timestamps begin elsewhere.
 */
export type MediaInfo = {
  container: string;
  /** 0 if the duration of the sound is not known before it is read. */
  duration_ms: number;
  size_bytes: number;
  /**
   * Time code of the first picture in the file, `hh:mm:ss:ff`, with `;` before the frames if it is drop-frame; null if
   * the file has none.
   */
  start_timecode: string | null;
  /** The first moving picture. Covers and thumbnails do not count. */
  video: VideoStream | null;
  audio: AudioStream[];
};

export type MediaLimits = {
  max_bytes: number;
  max_duration_ms: number;
  /** Pixels of one frame as it is displayed. */
  max_pixels: number;
  /** Pixels of its longer side. */
  max_side: number;
  max_streams: number;
};

/** 100 GiB; twelve hours; 8K (UHD-2), and twice as wide; more streams than any broadcast master carries. */
export const MEDIA_LIMITS: MediaLimits = {
  max_bytes: 100 * 2 ** 30,
  max_duration_ms: 12 * 3_600_000,
  max_pixels: 7680 * 4320,
  max_side: 16_384,
  max_streams: 64,
};

/**
 * Throws `media_unreadable` if the file has nothing to play, and `media_limit_exceeded` if it is too large or too long.
 */
export function assertPlayable(media: MediaInfo, streams: number, limits: MediaLimits): void {
  if (!media.video && media.audio.length === 0) {
    throw mediaUnreadable('The file has neither a video nor an audio track. Upload a video or audio file.');
  }
  if (media.duration_ms <= 0 && media.audio.length === 0) {
    throw mediaUnreadable('The file has no duration: there is nothing in it to play. Export it again.');
  }
  const pixels = media.video ? media.video.width * media.video.height : 0;
  const side = media.video ? Math.max(media.video.width, media.video.height) : 0;
  const excess = [
    [media.duration_ms, limits.max_duration_ms, 'lasts', 'ms'],
    [pixels, limits.max_pixels, 'has', 'pixels a frame'],
    [side, limits.max_side, 'has', 'pixels a side'],
    [streams, limits.max_streams, 'has', 'streams'],
  ] as const;
  for (const [found, allowed, verb, unit] of excess) {
    if (found > allowed) {
      throw mediaLimitExceeded(`The file ${verb} ${found} ${unit}; at most ${allowed} are processed.`);
    }
  }
}

/**
 * The track to transcribe, and the reason. The requested number comes first. Otherwise: a track in `language` (BCP 47)
 * if there is one, then no commentary, the default track, the most channels, the first. Null if the file has no sound,
 * or lacks the requested track.
 */
export function chosenAudio(
  { audio }: Pick<MediaInfo, 'audio'>,
  { language = null, number = null }: { language?: string | null; number?: number | null } = {},
): { track: AudioStream; choice: TrackChoice } | null {
  if (number !== null) {
    const track = audio.find((each) => each.number === number);
    return track === undefined ? null : { track, choice: 'asked_for' };
  }
  const wanted = language?.split('-')[0]?.toLowerCase();
  const rank = (track: AudioStream) => [
    wanted !== undefined && track.language === wanted ? 1 : 0,
    track.is_special ? 0 : 1,
    track.is_default ? 1 : 0,
    track.channels,
    -track.index,
  ];
  const [best, next] = audio.toSorted((a, b) => compareRanks(rank(b), rank(a)));
  if (best === undefined) return null;
  if (next === undefined) return { track: best, choice: 'only' };
  const reasons = ['language', 'no_commentary', 'default', 'channels', 'first'] as const;
  return { track: best, choice: reasons[differing(rank(best), rank(next))]! };
}

const differing = (a: readonly number[], b: readonly number[]) => a.findIndex((value, i) => value !== b[i]);

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const at = differing(a, b);
  return at < 0 ? 0 : a[at]! - b[at]!;
}
