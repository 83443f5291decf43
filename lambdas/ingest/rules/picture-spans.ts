/** The spans of time in which the pictures of media are looked at side by side, and how closely. */
import type { Asset } from '../../../shared/assets.ts';

export interface PictureSpan {
  readonly index: number;
  readonly start_ms: number;
  /** The last goes on to the last frame, wherever that is. */
  readonly end_ms: number;
  readonly is_last: boolean;
  /** A picture is sampled at each multiple of it, for what looks at single pictures. */
  readonly sample_ms: number;
  /** A picture of the storyboard at each multiple of it; a multiple of `sample_ms`. */
  readonly tile_ms: number;
  /** Whether frames that no other refers to are left out. */
  readonly is_sparse: boolean;
}

/** What a function of two processors decodes and looks at in a third of its quarter of an hour: two minutes of 1080p at 30 a second. */
const SPAN_PIXELS = 120 * 30 * 1920 * 1080;
const MOST_MS = 120_000;
const LEAST_MS = 15_000;
/** An execution of Step Functions has room for 25,000 events; a span takes 9, and each time it is repeated three more. */
export const MOST_SPANS = 700;
/** Where the media does not say. */
const USUAL_RATE = 30;
/** How closely each model of processing looks. */
const models = {
  normal: { sample_ms: 1000, is_sparse: false },
  turbo: { sample_ms: 3000, is_sparse: true },
} as const;
/** So many pictures tell any video: three sheets. */
const MOST_TILES = 300;

/** Spans that cover the whole duration in order, without gap or overlap, each of as many pixels as a step can take. */
export function planSpans(
  { width, height, frame_rate, mc_model }: Pick<Asset, 'width' | 'height' | 'frame_rate' | 'mc_model'>,
  duration_ms: number,
): PictureSpan[] {
  const rate = (width ?? 0) * (height ?? 0) * Math.max(frame_rate ?? 0, USUAL_RATE);
  const affordable = rate > 0 ? (1000 * SPAN_PIXELS) / rate : MOST_MS;
  const length = Math.ceil(
    Math.max(Math.min(MOST_MS, Math.max(LEAST_MS, affordable)), duration_ms / MOST_SPANS),
  );
  const count = Math.max(1, Math.ceil(duration_ms / length));
  const { sample_ms, is_sparse } = models[mc_model];
  const tile_ms = sample_ms * Math.max(1, Math.ceil(duration_ms / MOST_TILES / sample_ms));
  return Array.from({ length: count }, (_, index) => ({
    index,
    start_ms: index * length,
    end_ms: index === count - 1 ? Math.max(duration_ms, index * length + 1) : (index + 1) * length,
    is_last: index === count - 1,
    sample_ms,
    tile_ms,
    is_sparse,
  }));
}

/** Whether what is seen at that moment is the span's own. */
export const isWithin = ({ index, start_ms, end_ms, is_last }: PictureSpan, at_ms: number): boolean =>
  (index === 0 || at_ms >= start_ms) && (is_last || at_ms < end_ms);
