/** Collects the facts about media that are needed to render a clip of them. */
import type { Size } from '../../shared/boxes.ts';
import { defined } from '../../shared/checked-access.ts';
import { mediaLimitExceeded, mediaUnreadable } from '../../shared/job-errors.ts';
import { MEDIA_LIMITS } from '../../shared/media.ts';
import { seconds } from '../ffmpeg/measure-duration.ts';
import type { ProbeStream } from '../ffmpeg/probe-answer.ts';
import { probeMedia } from '../ffmpeg/probe-media.ts';
import { runFfprobe } from '../ffmpeg/run-ffmpeg.ts';
import type { MediaTools, OpenMedia } from '../ffmpeg/serve-ranges.ts';
import { findCleanFrames } from './find-clean-frames.ts';
import type { Colour, Rate, RenderSource } from './render-plan.ts';

const PROBE_TIMEOUT_MS = 120_000;
/** The accepted frame rates. Laboratory cameras have 1,000. Other rates would mean millions of frames, or frames that last days. */
const MOST_RATE = 1000;
const LEAST_RATE = 1 / 60;
const wanted =
  'stream=width,height,profile,pix_fmt,color_range,color_space,color_transfer,color_primaries,field_order,sample_aspect_ratio,avg_frame_rate,r_frame_rate,start_time,duration:format=start_time';

type Stream = ProbeStream & Size;

/** Returns the facts. Throws media_unreadable if the media have no picture, or no accepted frame rate. */
export async function inspectSource(
  tools: MediaTools,
  media: OpenMedia,
  { audio_track }: { readonly audio_track: number | null },
  signal?: AbortSignal,
): Promise<RenderSource> {
  const { container, duration_ms, video, audio } = await probeMedia(tools, media, MEDIA_LIMITS, signal);
  if (video?.frame_rate == null) throw mediaUnreadable('The media have no picture that a clip could show.');
  const entries = ['-select_streams', String(video.index), '-show_entries', wanted];
  const options = { timeout_ms: PROBE_TIMEOUT_MS, media, signal };
  const answer = await runFfprobe(tools, entries, options);
  const stream = defined(answer.streams)[0] as Stream;
  const { num, den } = video.frame_rate;
  const rate = num / den;
  if (rate > MOST_RATE || (rate < LEAST_RATE && rate * duration_ms < 1000)) {
    throw mediaLimitExceeded(
      `The file states a rate of ${rate} frames a second. Export it again with an ordinary frame rate.`,
    );
  }
  const start_us = microseconds(stream.start_time) - microseconds(answer.format?.start_time);
  const phase_us = phaseOf(start_us, { num, den });
  const lasts_ms = Math.min(Number(stream.duration) * 1000 || duration_ms, MEDIA_LIMITS.max_duration_ms);
  const source: Omit<RenderSource, 'clean_frames'> = {
    width: video.width,
    height: video.height,
    coded: { width: stream.width, height: stream.height },
    rotation: video.rotation as RenderSource['rotation'],
    frame_rate: { num, den },
    phase_us,
    frames: Math.max(1, Math.round(((lasts_ms * 1000 + start_us - phase_us) * num) / den / 1e6)),
    container,
    codec: video.codec,
    pixel_format: stream.pix_fmt ?? 'unknown',
    colour: colourOf(stream),
    is_interlaced: /^(?:tt|bb|tb|bt)$/.test(stream.field_order ?? ''),
    is_constant: stream.r_frame_rate === undefined || stream.r_frame_rate === stream.avg_frame_rate,
    audio_track: audio.some(({ number }) => number === audio_track) ? audio_track : null,
  };
  const isPlayable = playable(source, stream);
  return { ...source, clean_frames: isPlayable ? await findCleanFrames(media, source) : null };
}

/** A picture that begins within this time counts as the start of the media. Encoded sound often starts a little before the picture. */
const SOON_US = 100_000;

/** Returns the delay of frame `n` relative to `n / frame_rate`, in microseconds. Frame 0 is the first frame of the media. */
function phaseOf(start_us: number, { num, den }: Rate): number {
  if (Math.abs(start_us) <= SOON_US) return start_us;
  const frame_us = (den * 1e6) / num;
  return Math.round(start_us - Math.round(start_us / frame_us) * frame_us);
}

/** Whether browsers and phones play the video: H.264 up to High, 8 bit, 4:2:0, upright, with square pixels. */
function playable(source: Omit<RenderSource, 'clean_frames'>, { profile, sample_aspect_ratio }: Stream) {
  const isSquare = sample_aspect_ratio === undefined || /^(?:1:1|0:1)$/.test(sample_aspect_ratio);
  const isOrdinary = /^(?:Constrained Baseline|Baseline|Main|High)$/.test(profile ?? '');
  return (
    source.codec === 'h264' &&
    isOrdinary &&
    source.pixel_format === 'yuv420p' &&
    isSquare &&
    source.rotation === 0 &&
    source.is_constant &&
    !source.is_interlaced
  );
}

/** Replaces missing values by the defaults of players: BT.709 for HD, BT.601 for SD. The primaries of SD depend on the number of lines. */
function colourOf(stream: Stream): Colour {
  const isHigh = stream.height >= 720 || stream.width >= 1280;
  const standard = isHigh ? 'bt709' : stream.height === 576 ? 'bt470bg' : 'smpte170m';
  const said = (value: string | undefined, otherwise: string) =>
    value === undefined || /^(?:unknown|unspecified|reserved)$/.test(value) ? otherwise : value;
  const isFull = stream.color_range === 'pc' || /^yuvj/.test(stream.pix_fmt ?? '');
  const ofRgb = (matrix: string) => (/^(?:gbr|rgb)$/.test(matrix) ? standard : matrix);
  return {
    primaries: said(stream.color_primaries, standard),
    transfer: said(stream.color_transfer, isHigh ? 'bt709' : 'smpte170m'),
    matrix: ofRgb(said(stream.color_space, standard)),
    range: isFull ? 'pc' : 'tv',
  };
}

const microseconds = (text: string | undefined): number => Math.round(seconds(text) * 1e6);
