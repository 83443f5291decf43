/** The facts of a media file, and the choice of its tracks. */
import type { TrackChoice } from '../contract/kit/track-choice-reasons.ts';
import { itemAt } from './checked-access.ts';
import { mediaLimitExceeded, mediaUnreadable } from './job-errors.ts';

export interface RangeSource {
  readonly size: number;
  /** The bytes from `first` to `last`, both included. Throws if the source has fewer bytes. */
  read(first: number, last: number, signal?: AbortSignal): Promise<Uint8Array>;
}

/** Frames per second: as the fraction in the file (30000/1001), and as a number. */
export type FrameRate = { num: number; den: number; value: number };

export type VideoStream = {
  index: number;
  codec: string;
  /** Displayed width and height in pixels, after rotation and with square pixels. */
  width: number;
  height: number;
  /** The average frame rate; null if the file states no frame rate. */
  frame_rate: FrameRate | null;
  /** The angle by which players turn the picture clockwise: 0, 90, 180 or 270 degrees. */
  rotation: number;
  start_ms: number;
};

export type AudioStream = {
  index: number;
  /** The number of the track among the audio streams of the file, from 1. */
  number: number;
  /** The title in the file; null if the file has no title. */
  title: string | null;
  codec: string;
  channels: number;
  sample_rate: number;
  /** The language that the file states, as a BCP 47 primary subtag ("en" for "eng"); null if the file states no language. */
  language: string | null;
  is_default: boolean;
  /** Whether the track is a commentary, or for people with visual or hearing impairments. */
  is_special: boolean;
  start_ms: number;
};

/** A fault of a file that does not prevent its processing. */
export type SourceFinding = { readonly code: 'ends_early'; readonly detail: string };

/** Times are whole milliseconds. A `start_ms` counts from the moment that players and ffmpeg show as 0:00. */
export type MediaInfo = {
  container: string;
  /** 0 if the file does not state its duration. */
  duration_ms: number;
  size_bytes: number;
  findings: SourceFinding[];
  /** Time code of the first picture, `hh:mm:ss:ff`, or `hh:mm:ss;ff` if it is drop-frame; null if the file has no time code. */
  start_timecode: string | null;
  /** The first moving picture. Covers and thumbnails do not count. */
  video: VideoStream | null;
  audio: AudioStream[];
};

export type MediaLimits = {
  max_bytes: number;
  max_duration_ms: number;
  max_pixels: number;
  /** The longest side of a displayed frame, pixels. */
  max_side: number;
  max_streams: number;
};

/** Limits of assets: 100 GiB, twelve hours, the pixels of 8K (UHD-2), and more streams than broadcast masters have. */
export const MEDIA_LIMITS: MediaLimits = {
  max_bytes: 100 * 2 ** 30,
  max_duration_ms: 12 * 3_600_000,
  max_pixels: 7680 * 4320,
  max_side: 16_384,
  max_streams: 64,
};

/** Throws `media_unreadable`, or `media_limit_exceeded` if the file is too large or too long. */
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
 * Returns the track to transcribe, and the reason: the requested track. Without a request, prefers in this order a track in `language`
 * (BCP 47), a track that is not a commentary, the default track, the track with the most channels, and the first track. Null if the file
 * has no sound, or lacks the requested track.
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
  return { track: best, choice: itemAt(reasons, differing(rank(best), rank(next))) };
}

const differing = (a: readonly number[], b: readonly number[]) => a.findIndex((value, i) => value !== b[i]);

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const at = differing(a, b);
  return at < 0 ? 0 : itemAt(a, at) - itemAt(b, at);
}
